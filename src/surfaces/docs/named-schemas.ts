import type { TSchema } from 'typebox';
import { SignedInSchema } from '#accounts/auth/signed-in-answer.ts';
import { Session } from '#accounts/sign-ins/contract.ts';
import { PublicProfile, StorageUsed, WholeProfile } from '#accounts/users/contract.ts';
import { Deleted } from '#accounts/users/deleted.ts';
import { Proof } from '#accounts/wallets/contract.ts';
import { ViolationShown } from '#catalog/checks/violation-list.ts';
import { ItemList, ListItem, Stats } from '#catalog/items/contract.ts';
import { ItemDetail } from '#catalog/items/item-detail.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { SOURCES } from '#catalog/items/own-listings.ts';
import { Runnable } from '#catalog/items/runnable.ts';
import { Finding, UpstreamVerdict, Verification, VerificationSummary } from '#catalog/items/verification.ts';
import { ConnectionShown, Field } from '#connections/connections/contract.ts';
import { Total } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { TraceAnswer, TraceSpan } from '#core/traces/trace-answer.ts';
import { ListedAs } from '#marketplace/claims/claimed-by.ts';
import { OwnershipClaim } from '#marketplace/claims/shapes.ts';
import { FeaturedItem } from '#marketplace/featured/shown.ts';
import { IdentityAnswer } from '#marketplace/identity/contract.ts';
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
  Source,
  VersionDetail,
  VersionSummary,
} from '#marketplace/listings/shapes.ts';
import { AppealShape, HistoryEntry, MeasureShape, Moderation, ReportShape } from '#marketplace/moderation/shapes.ts';
import { PublishedAnswer, WithdrawnAnswer } from '#marketplace/publishing/contract.ts';
import { Block } from '#runtime/context/contract.ts';
import { Grants } from '#runtime/grants/contract.ts';
import { Detail as HarnessDetail, Made } from '#runtime/harnesses/contract.ts';
import { MemoryLine } from '#runtime/harnesses/shapes.ts';
import { Lock, RigLine, RigWhole, VerifiedShown } from '#runtime/rigs/shapes.ts';
import { GivenFile } from '#runtime/skills/checks/given-files.ts';
import { SkillDetail, SkillSummary } from '#runtime/skills/contract.ts';
import { Bound, Failure, FileIn, FileOut, TaskShown, TaskWhole } from '#runtime/tasks/contract.ts';
import { SharedRun } from '#runtime/tasks/share-contract.ts';
import { Card } from '#surfaces/a2a/contract.ts';
import { ChatMessage, Quota, Step } from '#surfaces/agent/contract.ts';
import { Index as SkillsIndex } from '#surfaces/agent-skills/contract.ts';
import { ToolPage } from '#surfaces/discovery/contract.ts';
import { DiscoveredAgent, DiscoveredProtocol, DiscoveredTool } from '#surfaces/discovery/shapes.ts';
import * as server from '#surfaces/servers/shapes.ts';
import { Endpoint, Endpoints, Index } from './index-shape.ts';

/** Named schemas in OpenAPI, for generated clients. Shapes that occur several times have a name. */
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
  SharedRun,
  SkillGrants: Grants,
  InputFile: FileIn,
  OutputFile: FileOut,
  AgentCard: Card,
  AgentStep: Step,
  AgentQuota: Quota,
  Message: ChatMessage,
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
