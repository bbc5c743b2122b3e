import type { Kysely } from 'kysely';
import type { EnsureDetail } from '#catalog/details/fetch-details.ts';
import type { CallRecords } from '#core/call-records/call-record.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Models } from '#core/llm/models.ts';
import type { PackagedServers } from '#core/mcp/packaged-servers.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { Tool } from '#core/tools/tool.ts';
import type { Gathered, PartFault } from '#runtime/rigs/rig-parts.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { Capability, ResolveCapability } from '../capability.ts';

/** The parts of a rig as things that can run. */

export interface RigSkill {
  ref: string;
  skill: Skill;
  capability: Capability;
}

export interface RigTool {
  server: string;
  name: string;
  /** Untrusted text. */
  description: string;
  /** JSON Schema of its arguments. */
  input_schema: Record<string, unknown>;
  capability: Capability;
  /** The capability's input for these arguments. */
  inputFor(args: Record<string, unknown>): unknown;
}

export interface RigHarness {
  ref: string;
  version: string;
  digest: string;
  /** By path. */
  files: ReadonlyMap<string, Uint8Array>;
  /** The number of its memory and context; null for a published harness. */
  kept: number | null;
}

export interface Assembled {
  gathered: Gathered;
  harness: RigHarness | null;
  skills: RigSkill[];
  tools: RigTool[];
}

/** A part, or why it is unavailable. */
export type Part<T> = { found: T } | { fault: PartFault };

export const faulty = (code: PartFault['code'], part: string, detail: string): { fault: PartFault } => ({
  fault: { code, part, detail },
});

export const mismatch = (part: string, expected: string, found: string): string =>
  `The ${part} differs from rig.yaml: expected ${expected}, found ${found}.`;

/** Dependencies to assemble and run rigs. */
export interface RigDeps {
  db: Kysely<Schema>;
  clock: Clock;
  fetch: OutboundFetch;
  packaged: PackagedServers;
  call_records: CallRecords;
  sandbox: Sandbox;
  models: Models;
  resolve: ResolveCapability;
  ensureDetail: EnsureDetail;
  /** The tools of this service; rigs get the public, read-only ones. */
  ownTools(): Promise<readonly Tool[]>;
}
