import type { Attributes, Span } from '@opentelemetry/api';
import { type ExecutionClass, PROVIDERS } from '#catalog/items/kinds.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { PackageStep } from '#core/mcp/packaged-servers.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import type { OutputStream, SandboxLimits } from '#runtime/sandbox/sandbox.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { Outcome } from './result.ts';

/** What can be run, whatever its class: the seam between resolving a reference and running what it stands for. */

export const CAPABILITY_KINDS = ['skill', 'listing', 'connection', 'rig', 'capability'] as const;
export type CapabilityKind = (typeof CAPABILITY_KINDS)[number];

export interface CapabilityRef {
  kind: CapabilityKind;
  /**
   * `skill`: its name; `listing`: `provider/external_id`; `connection`: `connection id/tool`; `rig`: its id or name;
   * `capability`: the id of a marketplace listing, `publisher/name`, `skill/name` or `provider/external_id`.
   */
  ref: string;
  /** The exact version asked for; the newest where left out. */
  version?: string | undefined;
}

/** A marketplace reference that names a first-party skill or a provider's listing, as the kind that it is. */
export function canonicalRef(asked: CapabilityRef): CapabilityRef {
  if (asked.kind !== 'capability') return asked;
  const slash = asked.ref.indexOf('/');
  const [first, rest] = [asked.ref.slice(0, Math.max(0, slash)), asked.ref.slice(slash + 1)];
  if (first === 'skill') return { ...asked, kind: 'skill', ref: rest };
  // No publisher has the name of a provider, or one that looks like it.
  return (PROVIDERS as readonly string[]).includes(first) ? { ...asked, kind: 'listing' } : asked;
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
  /** One sentence: what is missing, and what to do. */
  detail: string;
}

/** One version of one thing, pinned by digest. */
export interface Capability {
  kind: CapabilityKind;
  ref: string;
  name: string;
  version: string;
  /** `sha256:<hex>` of what runs. */
  digest: string;
  execution_class: ExecutionClass;
  /** JSON Schema of the input; null where any JSON will do. */
  input_schema: Record<string, unknown> | null;
  /** Whether a run that was cut off by a crash may be begun again by itself: it has no effect outside. */
  repeatable: boolean;
  /** Null where it can be run now. Looked at again before each run. */
  whyUnavailable(): Promise<Unavailable | null>;
  /** Where a server that a listing names is called: the listing as `provider/external_id`, and the address. */
  server?: { listing: string; url: string };
  /** Of a server as a whole: its tools, and whether each says of itself that it only reads. */
  tools?: readonly { name: string; read_only: boolean }[];
  /** The skill itself, where it is one, and what a server says of its tool: for what runs them as parts of itself. */
  skill?: Skill;
  /** A harness's files by path. */
  harness?: ReadonlyMap<string, Uint8Array>;
  description?: string;
  /** Name and attributes of the run's own span. */
  span: { name: string; attributes: Attributes };
  run(order: RunOrder): Promise<Outcome>;
}

/** For whom something runs. */
export interface RunCaller {
  /** Null for the operator's own command line. */
  user_id: string | null;
  /** Whose turn it is where a run has to wait. */
  share: Share;
  /** Counts one LLM request, once however often it is called. Throws a Problem `quota_exceeded` where none is left. */
  charge(): Promise<void>;
  /** Takes it back, where the provider never started. */
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
  /** The run's own span; what the class does goes below it. */
  span: Span;
  /** Whether input and output are recorded in the trace, cut and redacted: only where its reader is the run's owner. */
  record_content: boolean;
  on_output?: ((stream: OutputStream, chunk: Uint8Array) => void) | undefined;
  /** Packaged servers of one run share the boxes of this group, which the run ends; without it, each call has its own. */
  box_group?: string | undefined;
  /** Steps of preparing and starting a package, before anything else is done. */
  on_step?: ((step: PackageStep) => void) | undefined;
  signal: AbortSignal;
}

/** What the caller knows already. */
export interface ResolveOptions {
  /** The run's input: of a server with many tools it names the one that is meant, and so what is pinned. */
  input?: unknown;
  /** That it is to be a part of something else, and what: anything else is refused before it is looked into. */
  part?: 'skill' | 'harness';
  /** The caller accepts that packages which a script needs are installed in its box. */
  installs?: boolean | undefined;
  /** What it was when it was pinned: a kept copy of exactly that is taken before a newer one. */
  digest?: string | undefined;
}

/** Finds what a reference stands for. Throws a Problem `not_found` for none, `gone` for a version that was. */
export type ResolveCapability = (ref: CapabilityRef, caller: RunCaller, given?: ResolveOptions) => Promise<Capability>;

/** The same for one kind of reference. */
export type ResolveKind = (ref: CapabilityRef, caller: RunCaller, given: ResolveOptions) => Promise<Capability>;
