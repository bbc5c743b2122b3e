import type { Rig } from './rig.ts';

/** The resolved references of a rig at one moment. */

export interface RigParts {
  harness: { ref: string; version: string; digest: string } | null;
  /** In the order of rig.yaml. */
  skills: SkillPart[];
  servers: ServerPart[];
  /** `provider/name`, or `builtin/planner`; null if none is available. */
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

/** Why a part is unavailable, each with a problem code of this feature: `rigs.part_unavailable` (`skill_gone`). */
const PART_FAULTS = [
  ...(['harness_gone', 'skill_gone', 'skill_unready', 'connection_unknown', 'server_gone'] as const),
  ...(['server_unready', 'tool_gone', 'tool_unaccepted', 'model_missing', 'digest_mismatch'] as const),
] as const;

export interface PartFault {
  code: (typeof PART_FAULTS)[number];
  /** Such as `skill skill/json-diff`. */
  part: string;
  /** One sentence: the error, and the fix. */
  detail: string;
}

/** Parts without a fault, and the faults of the others. */
export interface Gathered {
  parts: RigParts;
  faults: PartFault[];
}

/** Resolves the current parts of a user's rig. With `model_id`, only checks whether that model is still available. */
export type GatherParts = (rig: Rig, userId: string, modelId: string | null) => Promise<Gathered>;
