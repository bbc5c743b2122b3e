import type { ProviderId } from '#catalog/items/kinds.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { noNeeds, packagesDigest, type SkillNeeds } from '#runtime/native/needs.ts';
import { isSecretVariable } from '#runtime/native/secret-variable.ts';
import { uncounted } from '#runtime/runs/caller.ts';
import type { Capability } from '#runtime/runs/capability.ts';
import type { GrantsOperationsDeps } from './deps.ts';
import { findGrant, type GrantPlace } from './skill-grants.ts';
import { locksOf } from './skill-locks.ts';

/** A skill with its needs, and what one user gave it. */

interface GrantParams {
  provider: ProviderId;
  id: string;
}

interface FoundSkill {
  capability: Capability;
  needs: SkillNeeds;
  place: GrantPlace;
}

/** @throws Problem as resolving a listing, and `runs.unsupported` for listings that are not scripted skills. */
export async function skillOf(
  { runs, scripts }: Pick<GrantsOperationsDeps, 'runs' | 'scripts'>,
  { provider, id }: GrantParams,
  user_id: string,
): Promise<FoundSkill> {
  const skill = `${provider}/${id}`;
  const capability = await runs.resolve({ kind: 'listing', ref: skill }, uncounted(user_id));
  if (capability.skill === undefined || capability.execution_class !== 'scripted') {
    const unavailable = await capability.whyUnavailable();
    throw runtimeProblem('runs.unsupported', unavailable?.detail ?? `${skill} is not a skill with a script.`, {
      reason: 'not_a_script',
    });
  }
  const needs = scripts.needsOf(capability.skill) ?? noNeeds();
  return { capability, needs, place: { user_id, skill: capability.ref } };
}

export async function shownGrants(
  { db }: Pick<GrantsOperationsDeps, 'db'>,
  { provider, id }: GrantParams,
  { capability, needs, place }: FoundSkill,
) {
  const grant = await findGrant(db, place);
  const stored = new Set([...Object.keys(grant.environment), ...grant.secrets]);
  const unavailable = await capability.whyUnavailable();
  return {
    provider,
    external_id: id,
    version: capability.version,
    digest: capability.digest,
    needs: {
      packages: needs.packages.map(({ ecosystem, name, wanted, from }) => ({
        ecosystem,
        name,
        wanted,
        from: `${from}`,
      })),
      programs: needs.programs.map(({ any_of }) => [...any_of]),
      environment: needs.environment.map((name) => ({
        name,
        secret: isSecretVariable(name),
        stored: stored.has(name),
      })),
    },
    environment: grant.environment,
    secrets: grant.secrets,
    hosts: grant.hosts,
    proposed_hosts: grant.wanted_hosts.filter((host) => !grant.hosts.includes(host)),
    install: grant.accepted === packagesDigest(needs),
    locks: (await locksOf(db, { user_id: place.user_id, provider_id: provider, external_id: id })).map((lock) => ({
      ...lock,
      ecosystem: lock.ecosystem as 'npm' | 'pypi',
    })),
    unavailable: unavailable === null ? null : { reason: unavailable.reason, detail: unavailable.detail },
  };
}
