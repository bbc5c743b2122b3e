import type { Rig } from './rig.ts';

/** What a rig's references stand for at one moment. */

export interface RigParts {
  harness: { ref: string; version: string; digest: string } | null;
  /** In the rig's order. */
  skills: SkillPart[];
  servers: ServerPart[];
  /** `provider/name`, or `builtin/planner`; null where none can be had. */
  model: { id: string } | null;
}

interface SkillPart {
  ref: string;
  name: string;
  version: string;
  execution_class: string;
  digest: string;
  files: { path: string; sha256: string }[];
}

export interface ServerPart {
  name: string;
  ref: string;
  connection: string;
  /** Over its tools below. */
  digest: string;
  /** Those that the rig allows. */
  tools: { name: string; schema_hash: string }[];
}

/** Why a part cannot be had, each with a problem code of this feature: `rigs.part_unavailable` (`skill_gone`). */
const PART_FAULTS = [
  ...(['harness_gone', 'skill_gone', 'skill_unready', 'connection_unknown', 'server_gone'] as const),
  ...(['server_unready', 'tool_gone', 'tool_unaccepted', 'model_missing', 'digest_mismatch'] as const),
] as const;

export interface PartFault {
  code: (typeof PART_FAULTS)[number];
  /** Such as `skill skill/json-diff`. */
  part: string;
  /** One sentence: what is wrong, and what to do. */
  detail: string;
}

/** Parts without a fault, and the faults of the others. */
export interface Gathered {
  parts: RigParts;
  faults: PartFault[];
}

/** Finds what a rig of this user is put together from now. With `model_id` only whether that one is still there. */
export type GatherParts = (rig: Rig, userId: string, modelId: string | null) => Promise<Gathered>;
