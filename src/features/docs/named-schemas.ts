import type { TSchema } from 'typebox';
import { Total } from '../../platform/http/page.ts';
import { Type } from '../../platform/json-schema/type.ts';
import { Card } from '../agents/a2a/contract.ts';
import { Quota, Said, Step } from '../agents/contract.ts';
import { Session } from '../auth/contract-sign-in.ts';
import { Proof } from '../auth/contract-wallet.ts';
import { SignedInSchema } from '../auth/signed-in-answer.ts';
import { ToolPage } from '../discovery/contract.ts';
import { DiscoveredAgent, DiscoveredProtocol, DiscoveredTool } from '../discovery/shapes.ts';
import { Block } from '../harnesses/contract-context.ts';
import { Detail as HarnessDetail, Made } from '../harnesses/contract-harnesses.ts';
import { MemoryLine } from '../harnesses/shapes.ts';
import { Index as SkillsIndex } from '../interop/contract-skills.ts';
import * as server from '../interop/servers/shapes.ts';
import { ListedAs } from '../marketplace/claims/claimed-by.ts';
import { OwnershipClaim } from '../marketplace/claims/shapes.ts';
import { IdentityAnswer } from '../marketplace/contract-identity.ts';
import { PublishedAnswer, WithdrawnAnswer } from '../marketplace/contract-publishing.ts';
import { FeaturedItem } from '../marketplace/featured/shown.ts';
import { AppealShape, HistoryEntry, MeasureShape, Moderation, ReportShape } from '../marketplace/moderation/shapes.ts';
import {
  Because,
  Claim,
  Conflicts,
  Digest,
  Evidence,
  Findings,
  Listing,
  ListingDetail,
  ListingRef,
  Place,
  PublisherRef,
  SOURCES,
  Source,
  VersionDetail,
  VersionSummary,
} from '../marketplace/shapes.ts';
import { ItemList, ListItem, Stats } from '../registry/contract.ts';
import { ItemDetail } from '../registry/item-detail.ts';
import { PROVIDERS } from '../registry/kinds.ts';
import { Runnable } from '../registry/runnable.ts';
import { Finding, UpstreamVerdict, Verification, VerificationSummary } from '../registry/verification.ts';
import { Lock, RigLine, RigWhole, VerifiedShown } from '../rigs/shapes.ts';
import { ConnectionShown, Field } from '../sessions/contract-connections.ts';
import { GivenFile } from '../skills/checks/given-files.ts';
import { ViolationShown } from '../skills/checks/violation-list.ts';
import { SkillDetail, SkillSummary } from '../skills/contract.ts';
import { Bound, Failure, FileIn, FileOut, TaskShown, TaskWhole } from '../tasks/contract.ts';
import { TraceAnswer, TraceSpan } from '../traces/trace-answer.ts';
import { PublicProfile, StorageUsed, WholeProfile } from '../users/contract-profiles.ts';
import { Deleted } from '../users/deleted.ts';
import { Endpoint, Endpoints, Index } from './index-shape.ts';

/** Shapes with a name of their own in OpenAPI, for clients made from it. What stands in several places has one. */
export const NAMED_SCHEMAS: Record<string, TSchema> = {
  Index,
  Endpoint,
  Endpoints,
  Total,
  Deleted,
  Provider: Type.Enum([...PROVIDERS]),
  StorageUsed,
  Profile: WholeProfile,
  PublicProfile,
  SignedIn: SignedInSchema,
  SignIn: Session,
  WalletProof: Proof,
  Item: ListItem,
  ItemList,
  ItemDetail,
  Stats,
  SkillSummary,
  SkillDetail,
  SkillsIndex,
  GivenFile,
  Violation: ViolationShown,
  Trace: TraceAnswer,
  TraceSpan,
  Connection: ConnectionShown,
  ConnectionField: Field,
  Harness: HarnessDetail,
  HarnessMade: Made,
  Memory: MemoryLine,
  ContextBlock: Block,
  Rig: RigWhole,
  RigSummary: RigLine,
  RigLock: Lock,
  RigVerdict: VerifiedShown,
  Task: TaskWhole,
  TaskSummary: TaskShown,
  TaskCapability: Bound,
  TaskFailure: Failure,
  InputFile: FileIn,
  OutputFile: FileOut,
  AgentCard: Card,
  AgentStep: Step,
  AgentQuota: Quota,
  Message: Said,
  Listing,
  ListingDetail,
  ListingSource: Source,
  ListingVersion: VersionSummary,
  VersionDetail,
  RunnableReason: Runnable.properties.reason,
  RunnableSince: Runnable.properties.checked_at,
  ListingRef,
  ListingPlace: Place,
  PublisherRef,
  Verification,
  VerificationSummary,
  Finding,
  UpstreamVerdict,
  ListingConflicts: Conflicts,
  IdentityEvidence: Evidence,
  IdentityReasons: Because,
  FeaturedItem,
  Moderation,
  Measure: MeasureShape,
  ModerationEntry: HistoryEntry,
  Report: ReportShape,
  Appeal: AppealShape,
  OwnershipClaim,
  CapabilityGroup: IdentityAnswer,
  Published: PublishedAnswer,
  Withdrawn: WithdrawnAnswer,
  ListedAs,
  Digest,
  ListedBy: Type.Enum([...SOURCES]),
  Claim,
  Findings,
  Tool: DiscoveredTool,
  ToolList: ToolPage,
  Agent: DiscoveredAgent,
  Protocol: DiscoveredProtocol,
  ServerList: server.ServerList,
  ServerResponse: server.ServerResponse,
  Server: server.Server,
  ServerPackage: server.Package,
  ServerRemote: server.RemoteTransport,
  ServerArgument: server.Argument,
  ServerKeyValue: server.KeyValue,
  ServerVariable: server.Variable,
};
