import { requireProven } from '#accounts/quotas/unproven.ts';
import { Problem } from '#core/problem/problem.ts';
import { findHarness, readVersion } from '#runtime/harnesses/harnesses.ts';
import { harnessRef, isMarketplaceRef, marketplaceRef, type Rig } from '#runtime/rigs/rig.ts';
import type { PartFault } from '#runtime/rigs/rig-parts.ts';
import type { RunCaller, RunGiven } from '../capability.ts';
import { chooseModel } from './choose-model.ts';
import type { RigDeps } from './parts.ts';
import { type Assembled, faulty, mismatch, type Part, type RigHarness, type RigSkill } from './parts.ts';
import { assembleServer } from './servers.ts';

/** The current parts of a user's rig; unavailable parts are reported and left out. */
export async function assemble(
  deps: RigDeps,
  { spec }: Rig,
  caller: RunCaller & { user_id: string },
  model_id: string | null,
  given?: RunGiven,
): Promise<Assembled> {
  const faults: PartFault[] = [];
  const kept = <T>(part: Part<T>): T[] => {
    if ('found' in part) return [part.found];
    faults.push(part.fault);
    return [];
  };
  const harness = spec.harness === null ? [] : kept(await harnessOf(deps, spec.harness, caller));
  const skills: RigSkill[] = [];
  for (const asked of spec.skills) skills.push(...kept(await skillOf(deps, asked, caller, given)));
  const servers = [];
  for (const asked of spec.servers) servers.push(...kept(await assembleServer(deps, asked, caller, faults)));
  const whole = skills.length === spec.skills.length;
  const model = kept(chooseModel(deps.models, spec.model, skills, model_id, whole));
  return {
    harness: harness[0] ?? null,
    skills,
    tools: servers.flatMap((server) => server.tools),
    gathered: {
      faults,
      parts: {
        harness: harness[0] === undefined ? null : harnessPart(harness[0]),
        skills: skills.map(skillPart),
        servers: servers.map((server) => server.part),
        model: model[0] === undefined ? null : { id: model[0] },
      },
    },
  };
}

const harnessPart = ({ ref, version, digest }: RigHarness) => ({ ref, version, digest });

const skillPart = ({ ref, skill }: RigSkill) => ({
  ref,
  name: skill.name,
  version: skill.version,
  execution_class: skill.execution_class,
  digest: skill.digest,
  files: skill.files.map(({ path, sha256 }) => ({ path, sha256 })),
});

type Asked = { ref: string; digest: string | null };

async function harnessOf(deps: RigDeps, asked: Asked, caller: RunCaller & { user_id: string }) {
  const { ref, digest } = asked;
  const part = `harness ${ref}`;
  const harness = isMarketplaceRef(ref)
    ? await publishedHarness(deps, ref, caller)
    : await ownHarness(deps, ref, caller);
  if ('fault' in harness || digest === null || digest === harness.found.digest) return harness;
  return faulty('digest_mismatch', part, mismatch(part, digest, harness.found.digest));
}

async function ownHarness({ db }: RigDeps, ref: string, { user_id }: { user_id: string }): Promise<Part<RigHarness>> {
  const { of, version } = harnessRef(ref);
  const row = await findHarness(db, { user_id, ref: of });
  const found = row === undefined ? undefined : await readVersion(db, row, version === null ? row : { version });
  if (row === undefined || found === undefined)
    return faulty('harness_gone', `harness ${ref}`, `You have no ${ref} now. Create it, or name another one.`);
  const { digest, files } = found;
  return { found: { ref, version: `${found.version}`, digest, files, kept: row.number } };
}

async function publishedHarness({ resolve }: RigDeps, ref: string, caller: RunCaller): Promise<Part<RigHarness>> {
  const part = `harness ${ref}`;
  try {
    const { version, digest, harness } = await resolve(marketplaceRef(ref), caller, { part: 'harness' });
    if (harness === undefined) return faulty('harness_gone', part, `${ref} is not a harness.`);
    return { found: { ref, version, digest, files: harness, kept: null } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return faulty('harness_gone', part, error.message);
  }
}

/**
 * Published harnesses are resolved as for anyone: a yanked version is gone, even for callers with its digest.
 *
 * @throws Problem 403 `users.proof_required` if it is not first-party and the account has no proof of work.
 */
export async function skillOf(
  { resolve, db }: Pick<RigDeps, 'resolve' | 'db'>,
  { ref, digest }: Asked,
  caller: RunCaller,
  given?: RunGiven,
): Promise<Part<RigSkill>> {
  const part = `skill ${ref}`;
  const slash = ref.indexOf('/');
  const pinned = Object.assign(
    { given: Object.assign({}, given, { only_declared: true }) },
    digest === null ? {} : { digest },
  );
  const plain = { kind: ref.slice(0, slash) as 'skill' | 'listing', ref: ref.slice(slash + 1) };
  if (plain.kind !== 'skill' && caller.user_id !== null) await requireProven(db, caller.user_id);
  try {
    const capability = await (isMarketplaceRef(ref)
      ? resolve(marketplaceRef(ref), caller, { ...pinned, part: 'skill' })
      : resolve(plain, caller, pinned));
    const { skill } = capability;
    if (skill === undefined) {
      const unavailable = await capability.whyUnavailable();
      return faulty('skill_unready', part, unavailable?.detail ?? `${ref} is not a skill.`);
    }
    if (digest !== null && digest !== skill.digest)
      return faulty('digest_mismatch', part, mismatch(part, digest, skill.digest));
    return { found: { ref, skill, capability } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const gone = error.kind === 'not_found' || error.kind === 'gone';
    return faulty(gone ? 'skill_gone' : 'skill_unready', part, error.message);
  }
}
