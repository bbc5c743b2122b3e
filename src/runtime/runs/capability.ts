import type { Attributes, Span } from '@opentelemetry/api';
import { readName } from '#catalog/identity/read-name.ts';
import type { ExecutionClass } from '#catalog/items/kinds.ts';
import type { NotAsked } from '#connections/questions/noted-questions.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { PackageStep } from '#core/mcp/packaged-servers.ts';
import type { AskPerson } from '#core/mcp/questions.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import type { NativeGiven, NativeQuestion } from '#runtime/native/native-scripts.ts';
import type { OutputStream, SandboxLimits, SandboxResult } from '#runtime/sandbox/sandbox.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { Outcome, RunEnvironment } from './result.ts';

/** A capability of any class: the interface between resolving a reference and running it. */

export const CAPABILITY_KINDS = ['skill', 'listing', 'connection', 'rig', 'harness', 'capability'] as const;
export type CapabilityKind = (typeof CAPABILITY_KINDS)[number];

export interface CapabilityRef {
  kind: CapabilityKind;
  /**
   * `skill`: its name; `listing`: `provider/external_id`; `connection`: `connection id/tool`; `rig` and `harness`: id or name;
   * `capability`: the id of a marketplace listing, `publisher/name`, `skill/name` or `provider/external_id`.
   */
  ref: string;
  /** The exact version asked for; the newest where left out. */
  version?: string | undefined;
}

/** A reference as it is asked for: without a kind, its form and what the caller owns decide. */
export type AskedRef = Omit<CapabilityRef, 'kind'> & { kind?: CapabilityKind | undefined };

/** A marketplace reference that names a first-party skill or a provider's listing, as the kind that it is. */
export function canonicalRef(asked: CapabilityRef): CapabilityRef {
  if (asked.kind !== 'capability') return asked;
  const name = readName(asked.ref);
  if (name?.form === 'skill') return { ...asked, kind: 'skill', ref: name.name };
  if (name?.form === 'id') return { ...asked, ref: name.id };
  return name?.form === 'listing' ? { ...asked, kind: 'listing' } : asked;
}

/** Why something that was found cannot be run now, the nearest to running first. */
export const UNAVAILABLE_REASONS = [
  'auth_needed',
  'missing_env',
  'needs_install',
  'not_mcp',
  'unreachable',
  'unsupported',
  'model_required',
  'sandbox_unsafe',
  'sandbox_too_weak',
  'sandbox_busy',
] as const;

export interface Unavailable {
  reason: (typeof UNAVAILABLE_REASONS)[number];
  /** One sentence: what is missing, and the fix. */
  detail: string;
  /** What a person can answer so that it runs; absent if no answer helps. */
  question?: NativeQuestion | undefined;
}

/** What the caller gives one run of scripts that run natively. */
export interface RunGiven extends Partial<NativeGiven> {
  /** Packages that a script needs may be installed in its box. */
  install?: boolean | undefined;
  /** Only variables that a skill declares reach it: the values were given to something with several skills. */
  only_declared?: boolean | undefined;
}

export type Script = NonNullable<Skill['entry']>;

export interface ScriptRan {
  result: Omit<SandboxResult, 'isolation' | 'boot_ms'>;
  environment: RunEnvironment;
}

/** The scripts of one skill on behalf of one caller, with exactly what that caller gave the skill. */
export interface SkillScripts {
  /** Whether some script may run here. */
  canRun(): Promise<boolean>;
  /** Why this script cannot run now; null if it can. */
  whyUnavailable(script: Script): Promise<Unavailable | null>;
  /** `refused`: it cannot run now, and did not. */
  run(script: Script, order: RunOrder): Promise<ScriptRan | { refused: { reason: string; detail: string } }>;
}

/** One version of one thing, pinned by digest. */
export interface Capability {
  kind: CapabilityKind;
  ref: string;
  name: string;
  version: string;
  /** `sha256:<hex>` of the version that runs. */
  digest: string;
  execution_class: ExecutionClass;
  /** JSON Schema of the input; null where any JSON will do. */
  input_schema: Record<string, unknown> | null;
  /** Whether a run that a crash interrupted may be retried automatically, because it has no external effects. */
  repeatable: boolean;
  /** Null if it can run now. Checked again before each run. */
  whyUnavailable(): Promise<Unavailable | null>;
  /** The server of a listing: the listing as `provider/external_id`, and the address. */
  server?: { listing: string; url: string };
  /** Of a connection without a listing: the origin of its address, or its package URL, as receipts name it. */
  origin?: string;
  /** The tools of a whole server, and whether each declares itself read-only. */
  tools?: readonly { name: string; read_only: boolean }[];
  /** Of a tool: hash over the definitions of all tools that the server lists now, as probes compute it. */
  toolsHash?(): Promise<string>;
  /** Without a tool in the input, the run of a whole server lists its tools. */
  tool_optional?: boolean;
  /** The skill, or the server's definition of its tool, for capabilities that run them as parts. */
  skill?: Skill;
  /** Of a skill. */
  scripts?: SkillScripts;
  /** A harness's files by path. */
  harness?: ReadonlyMap<string, Uint8Array>;
  description?: string;
  /** Name and attributes of the run's own span. */
  span: { name: string; attributes: Attributes };
  run(order: RunOrder): Promise<Outcome>;
}

/** On whose behalf it runs. */
export interface RunCaller {
  /** Null for the operator's own command line. */
  user_id: string | null;
  /** The share of fair queues that the run belongs to. */
  share: Share;
  /** Counts one LLM request, even if it is called several times. Throws a Problem `quota_exceeded` if none is left. */
  charge(): Promise<void>;
  /** Refunds it if the provider never started. */
  refund(): Promise<void>;
}

export interface RunOrder {
  /** Any JSON value that fits `input_schema`. */
  input: unknown;
  /** By path relative to `/workspace/input`. */
  input_files?: ReadonlyMap<string, Uint8Array> | undefined;
  caller: RunCaller;
  limits: SandboxLimits;
  tracing: Tracing;
  /** The span of the run, the parent of the spans of its class. */
  span: Span;
  /** Whether input and output are recorded in the trace, cut and redacted: only where its reader is the run's owner. */
  record_content: boolean;
  on_output?: ((stream: OutputStream, chunk: Uint8Array) => void) | undefined;
  /** Packaged servers of one run share the boxes of this group, which the run ends; without it, each call has its own. */
  box_group?: string | undefined;
  /** Receives the steps of preparing and starting a package. */
  on_step?: ((step: PackageStep) => void) | undefined;
  /** Asks the person behind the run for a server, or why nobody can be asked. */
  ask?: AskPerson | NotAsked | undefined;
  signal: AbortSignal;
}

/** Facts that the caller already knows. */
export interface ResolveOptions {
  /** The input of the run. For a server with several tools it names the tool that is pinned. */
  input?: unknown;
  /** The kinds allowed if it is a part of something else: others are rejected before they are resolved. */
  part?: 'skill' | 'harness';
  /** What the caller gives this run beyond what is stored for the skill. */
  given?: RunGiven | undefined;
  /** The pinned digest: a stored copy of exactly that version is preferred to a newer one. */
  digest?: string | undefined;
}

/** Resolves a reference. Throws a Problem `not_found` if it does not exist, `gone` for a removed version. */
export type ResolveCapability = (ref: AskedRef, caller: RunCaller, given?: ResolveOptions) => Promise<Capability>;

/** The same for one kind of reference. */
export type ResolveKind = (ref: CapabilityRef, caller: RunCaller, given: ResolveOptions) => Promise<Capability>;
