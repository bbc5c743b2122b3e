import { clientBucket } from '#core/limits/client-bucket.ts';

/** On whose account a piece of work is queued. */
export interface Share {
  /** Null for an anonymous request. */
  user_id: string | null;
  /** The client's IP address, or the network that a new account was created from. Null for the service's own work. */
  address: string | null;
  /** An account that has proven nothing yet: all new accounts of one network have one share together. */
  is_new?: boolean;
}

/** Highest first. `user` covers the work of the service itself too: it runs on behalf of users. */
export const RANKS = ['user', 'new', 'anonymous'] as const;
export type Rank = (typeof RANKS)[number];

export interface Identity {
  key: string;
  rank: Rank;
}

/** The service's own background work, which nobody outside can cause more of. */
export const OWN_SHARE: Share = { user_id: null, address: null };

/** Of an account that is known by its id alone. */
export const userShare = (user_id: string): Share => ({ user_id, address: null });

const known = new WeakMap<Share, Identity>();

/** Kept with the share, which a request asks for with each statement. A share is not changed once it is made. */
export function identityOf(share: Share): Identity {
  const found = known.get(share) ?? makeIdentity(share);
  known.set(share, found);
  return found;
}

function makeIdentity({ user_id, address, is_new = false }: Share): Identity {
  if (user_id === null) {
    return address === null
      ? { key: 'own', rank: 'user' }
      : { key: `address:${networkOfShare(address)}`, rank: 'anonymous' };
  }
  if (!is_new) return { key: `user:${user_id}`, rank: 'user' };
  return { key: address === null ? `new:${user_id}` : `new:${networkOfShare(address)}`, rank: 'new' };
}

/** An address counts as its network; what is a network already, or no address at all, stays as it is. */
function networkOfShare(address: string): string {
  const bucket = clientBucket(address);
  return bucket === 'unknown' ? address : bucket;
}
