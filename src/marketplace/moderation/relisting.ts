import { type Crowd, keysOf, kindOf } from '#catalog/identity/blocking.ts';
import { ENOUGH, type Evidence, judge } from '#catalog/identity/compare.ts';
import { accountOf } from '#catalog/identity/normalize.ts';
import type { Traits } from '#catalog/identity/traits.ts';

/** Whether a listing is what was taken down, listed again. Pure. */

export interface Relisting {
  /** False where it only looks so: a stranger may have named what is somebody else's, and people have to look. */
  is_same: boolean;
  evidence: Evidence[];
}

/** Where it comes from; what a listing is called and said to be anybody can copy. */
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
const KINDS = new Set(['package', 'remote', 'gateway', 'place', 'repository']);

/** By which it can be found again. */
export const originKeys = (it: Traits): string[] => keysOf(it).filter((key) => KINDS.has(kindOf(key)));

/** Null where they share nothing of where they come from. */
export function relistingOf(down: Traits, it: Traits, crowd: Crowd): Relisting | null {
  if (down.listing_type !== it.listing_type) return null;
  const verdict = judge(down, it, crowd);
  const evidence = verdict.evidence.filter(({ kind }) => ORIGINS.has(kind));
  if (!evidence.some(({ weight }) => weight >= LEAST)) return null;
  const is_sure = verdict.confidence >= ENOUGH;
  if (isOneAccount(down, it)) {
    // One account that lists its thing again under another package has not made it another thing.
    const is_place = evidence.some(({ weight }) => weight >= STRONG) && !verdict.against.some(isOtherFolder);
    return is_sure || is_place ? { is_same: true, evidence } : null;
  }
  // Others' repositories anybody can name; what is run or called has nobody's name on it.
  const is_theirs = hasOwnRepository(down) || evidence.some(({ kind }) => kind === 'package' || kind === 'remote');
  return { is_same: is_sure && is_theirs && !hasBetterClaim(it, down), evidence };
}

/** Weaker evidence, such as a repository of several things, is none. */
const LEAST = 0.8;
const STRONG = 0.9;
const isOtherFolder = ({ kind }: Evidence): boolean => kind === 'other_folder';

const isOneAccount = (a: Traits, b: Traits): boolean => {
  const account = accountOf(a.provider_id, a.external_id);
  return account !== null && account === accountOf(b.provider_id, b.external_id);
};

/** Whoever shows that it is theirs is not hidden for what a stranger did under their name. */
export const hasBetterClaim = (it: Traits, other: Traits): boolean => hasClaim(it) && !hasClaim(other);

/** Its account is its repository's, or the official registry has checked that its package is its account's. */
const hasClaim = (it: Traits): boolean =>
  hasOwnRepository(it) || (it.provider_id === 'mcp-registry' && it.packages.length > 0);

const hasOwnRepository = ({ provider_id, external_id, repository }: Traits): boolean =>
  repository !== null && accountOf(provider_id, external_id) === repository.owner;
