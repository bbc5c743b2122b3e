import { type Crowd, keysOf, kindOf } from '#catalog/identity/blocking.ts';
import { ENOUGH, type Evidence, judge } from '#catalog/identity/compare.ts';
import { accountOf } from '#catalog/identity/normalize.ts';
import type { Traits } from '#catalog/identity/traits.ts';

/** Recognizes a listing that returns after a takedown, by the rules of identity. Pure. */

interface Relisting {
  /** False if it only looks so, because anyone can name what belongs to others. A moderator has to decide. */
  is_same: boolean;
  evidence: Evidence[];
}

/** Evidence of a common origin. Names and descriptions do not count, because anyone can copy them. */
const ORIGINS = new Set([
  'package',
  'remote',
  'gateway',
  'directory_id',
  'owner_and_name',
  'repository_and_name',
  'repository_and_folder',
  'repository',
  'repository_of_id',
]);
const ORIGIN_KEYS = new Set(['package', 'remote', 'gateway', 'place', 'repository']);

/** The keys that find a returned listing. */
export function originKeys(traits: Traits): string[] {
  return keysOf(traits).filter((key) => ORIGIN_KEYS.has(kindOf(key)));
}

/** Compares a taken-down listing with another one. Null if they have no common origin. */
export function relistingOf(down: Traits, other: Traits, crowd: Crowd): Relisting | null {
  if (down.listing_type !== other.listing_type) return null;
  const verdict = judge(down, other, crowd);
  const evidence = verdict.evidence.filter(({ kind }) => ORIGINS.has(kind));
  if (!evidence.some(({ weight }) => weight >= MIN_WEIGHT)) return null;
  const isSure = verdict.confidence >= ENOUGH;
  if (isSameAccount(down, other)) {
    // An account that relists a server with another package has not made it a different server.
    const isPlace = evidence.some(({ weight }) => weight >= STRONG_WEIGHT) && !verdict.against.some(isOtherFolder);
    return isSure || isPlace ? { is_same: true, evidence } : null;
  }
  // Anyone can name a repository of others. A shared package or address means that the same thing runs.
  const isTheirs = hasOwnRepository(down) || evidence.some(({ kind }) => kind === 'package' || kind === 'remote');
  return { is_same: isSure && isTheirs && !hasBetterClaim(other, down), evidence };
}

/** Weaker evidence, such as a repository that holds several things, does not count. */
const MIN_WEIGHT = 0.8;
const STRONG_WEIGHT = 0.9;

function isOtherFolder({ kind }: Evidence): boolean {
  return kind === 'other_folder';
}

function isSameAccount(a: Traits, b: Traits): boolean {
  const account = accountOf(a.provider_id, a.external_id);
  return account !== null && account === accountOf(b.provider_id, b.external_id);
}

/** A listing that proves its account is not hidden for what others did under its name. */
export function hasBetterClaim(one: Traits, other: Traits): boolean {
  return hasClaim(one) && !hasClaim(other);
}

/** Whether its account owns its repository, or the official registry has verified that its account owns its package. */
function hasClaim(traits: Traits): boolean {
  return hasOwnRepository(traits) || (traits.provider_id === 'mcp-registry' && traits.packages.length > 0);
}

function hasOwnRepository({ provider_id, external_id, repository }: Traits): boolean {
  return repository !== null && accountOf(provider_id, external_id) === repository.owner;
}
