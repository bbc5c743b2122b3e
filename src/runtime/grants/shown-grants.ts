import { OWN_SOURCE, type SOURCES } from '#catalog/items/own-listings.ts';
import { isProblem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { declaredHosts } from '#runtime/native/declared-hosts.ts';
import { noNeeds, packagesDigest, type SkillNeeds } from '#runtime/native/needs.ts';
import { isSecretVariable } from '#runtime/native/secret-variable.ts';
import { uncounted } from '#runtime/runs/caller.ts';
import type { Capability } from '#runtime/runs/capability.ts';
import { grantedName } from '#runtime/runs/skill-capability.ts';
import { scriptsOf } from '#runtime/skills/entry.ts';
import type { GrantsOperationsDeps } from './deps.ts';
import { findGrant, type GrantPlace, listingOf } from './skill-grants.ts';
import { locksOf } from './skill-locks.ts';

/** A skill with its needs, and what one user gave it. */

type Source = (typeof SOURCES)[number];

interface GrantParams {
  provider: Source;
  id: string;
}

interface FoundSkill {
  capability: Capability;
  needs: SkillNeeds;
  /** Those that it declares. */
  hosts: string[];
  place: GrantPlace;
}

/** @throws Problem as resolving a listing, and `runs.unsupported` for everything without a script, and for skills of this service. */
export async function skillOf(
  { runs, scripts }: Pick<GrantsOperationsDeps, 'runs' | 'scripts'>,
  { provider, id }: GrantParams,
  user_id: string,
): Promise<FoundSkill> {
  const asked =
    provider === OWN_SOURCE
      ? ({ kind: 'capability', ref: id } as const)
      : ({ kind: 'listing', ref: `${provider}/${id}` } as const);
  const capability = await runs.resolve(asked, uncounted(user_id));
  if (capability.kind === 'skill') throw ownSkill(capability.name);
  if (capability.skill === undefined || scriptsOf(capability.skill.contents).length === 0) {
    const unavailable = await capability.whyUnavailable();
    throw runtimeProblem('runs.unsupported', unavailable?.detail ?? `${provider}/${id} is not a skill with a script.`, {
      reason: 'not_a_script',
    });
  }
  const needs = scripts.needsOf(capability.skill) ?? noNeeds();
  const hosts = declaredHosts(capability.skill);
  return { capability, needs, hosts, place: { user_id, skill: grantedName(capability) } };
}

/**
 * Secrets and hosts are given to the version that their owner saw.
 *
 * @throws Problem `runs.conflict` (`version_moved`) if another one is current now.
 */
export function requireShown({ name, version, digest }: Capability, shown: string | undefined): void {
  if (shown === undefined || shown === digest) return;
  throw runtimeProblem('runs.conflict', `${name} has changed since you looked at it. Its version is ${version} now.`, {
    reason: 'version_moved',
    extensions: { version, digest },
  });
}

/** The place of grants whose skill may be gone. */
export async function grantPlace(
  deps: Pick<GrantsOperationsDeps, 'runs' | 'scripts'>,
  params: GrantParams,
  user_id: string,
): Promise<GrantPlace> {
  const named = { user_id, skill: `${params.provider}/${params.id}` };
  // The id of a listing of a provider is the name of its grants.
  if (params.provider !== OWN_SOURCE) return named;
  try {
    return (await skillOf(deps, params, user_id)).place;
  } catch (error) {
    if (isProblem(error, 'runs.not_found') || isProblem(error, 'runs.gone') || isProblem(error, 'runs.unsupported'))
      return named;
    throw error;
  }
}

const ownSkill = (name: string) =>
  runtimeProblem('runs.unsupported', `${name} belongs to this service. It runs in its sandbox and needs nothing.`, {
    reason: 'own_skill',
  });

export async function shownGrants(
  { db }: Pick<GrantsOperationsDeps, 'db'>,
  { capability, needs, hosts, place }: FoundSkill,
) {
  const grant = await findGrant(db, place);
  const stored = new Set([...Object.keys(grant.environment), ...grant.secrets]);
  const unavailable = await capability.whyUnavailable();
  const { provider_id, external_id } = listingOf(place.skill);
  return {
    provider: provider_id as Source,
    external_id,
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
      hosts,
    },
    environment: grant.environment,
    secrets: grant.secrets,
    hosts: grant.hosts,
    proposed_hosts: grant.wanted_hosts.filter((host) => !grant.hosts.includes(host)),
    install: grant.accepted === packagesDigest(needs),
    locks: (await locksOf(db, { user_id: place.user_id, provider_id, external_id })).map((lock) => ({
      ...lock,
      ecosystem: lock.ecosystem as 'npm' | 'pypi',
    })),
    unavailable: unavailable === null ? null : { reason: unavailable.reason, detail: unavailable.detail },
  };
}
