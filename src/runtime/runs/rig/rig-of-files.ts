import { RIG_YAML } from '#runtime/rigs/read-rig-yaml.ts';
import { lockBroken } from '#runtime/rigs/refusals.ts';
import { digestOfYaml } from '#runtime/rigs/rig.ts';
import { type Finding, lockDigest, lockText } from '#runtime/rigs/rig-lock.ts';
import type { Gathered } from '#runtime/rigs/rig-parts.ts';
import { parsedRig } from '#runtime/rigs/stored-rig.ts';
import { textOf } from '#runtime/skills/frontmatter.ts';
import type { Capability, RunCaller, RunGiven, Unavailable } from '../capability.ts';
import { rigCapability } from '../resolve-rig.ts';
import { assemble } from './assemble.ts';
import type { RigDeps } from './parts.ts';

/** A third-party rig with its published lock. */
export interface RigFiles {
  place: Pick<Capability, 'kind' | 'ref' | 'name' | 'version' | 'digest'>;
  /** By path; those at the root that count are rig.yaml and rig.lock. */
  contents: ReadonlyMap<string, Uint8Array>;
  /** What the caller gives the run. */
  given?: RunGiven | undefined;
}

/**
 * Runs for any caller with the parts available to them, but only if locking it now would produce the identical rig.lock. So
 * the published lock does not have to be trusted. Throws `rigs.conflict` (`lock_broken`) otherwise.
 */
export async function rigOfFiles(
  deps: RigDeps,
  { place, contents, given }: RigFiles,
  caller: RunCaller,
): Promise<Capability | Unavailable> {
  const { user_id } = caller;
  const [yaml, lock] = [RIG_YAML, RIG_LOCK].map((path) => textOf(contents.get(path) ?? NO_TEXT));
  if (typeof yaml !== 'string' || typeof lock !== 'string') return NO_LOCK;
  if (user_id === null) return NOBODY;
  const rig = await parsedRig({ yaml }, caller.share);
  const assembled = await assemble(deps, rig, { ...caller, user_id }, modelOf(lock), given);
  const now = lockText(rig, digestOfYaml(yaml), assembled.gathered.parts);
  if (now !== lock) throw lockBroken(place.name, findingsOf(assembled.gathered, lock, now));
  return rigCapability(deps, place, { rig, assembled, lock_digest: lockDigest(lock) });
}

const RIG_LOCK = 'rig.lock';
const NO_TEXT = new Uint8Array([0xff]);

const NO_LOCK: Unavailable = {
  reason: 'unsupported',
  detail: 'It was published without its rig.lock, so its parts are not pinned. Create your own rig from its rig.yaml.',
};
const NOBODY: Unavailable = {
  reason: 'auth_needed',
  detail: 'Sign in to run a rig: it uses your connections.',
};

/** The rest of the lock is compared literally. */
function modelOf(lock: string): string | null {
  try {
    const { model } = JSON.parse(lock) as { model?: { id?: unknown } | null };
    return typeof model?.id === 'string' ? model.id : null;
  } catch {
    return null;
  }
}

function findingsOf({ faults }: Gathered, lock: string, now: string): Finding[] {
  if (faults.length > 0) return faults.map((fault) => ({ ...fault, expected: null, found: null }));
  const detail = 'The parts available to you differ from its rig.lock.';
  return [{ part: 'rig.lock', code: 'changed', expected: lockDigest(lock), found: lockDigest(now), detail }];
}
