import { clientBucket } from '#core/limits/client-bucket.ts';

/** The user or network that queued work counts against. */
export interface Share {
  /** Null for an anonymous request. */
  user_id: string | null;
  /** The client's IP address, or the network that a new account was created from. Null for the service's own work. */
  address: string | null;
  /** True for an unproven account: all new accounts of one network form one share. */
  is_new?: boolean;
}

/** Highest first. `user` includes work of the service itself, which it does for users. */
export const RANKS = ['user', 'new', 'anonymous'] as const;
export type Rank = (typeof RANKS)[number];

export interface Identity {
  key: string;
  rank: Rank;
}

/** The service's own background work, which clients cannot increase. */
export const OWN_SHARE: Share = { user_id: null, address: null };

/** For an account of which only the id is known. */
export const userShare = (user_id: string): Share => ({ user_id, address: null });

const known = new WeakMap<Share, Identity>();

/** Cached with the share, because requests need it for each statement. Shares are immutable. */
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

/** Maps an address to its network. A network, or any other text, stays unchanged. */
function networkOfShare(address: string): string {
  const bucket = clientBucket(address);
  return bucket === 'unknown' ? address : bucket;
}
