import { readQuota } from '#accounts/quotas/quota.ts';
import type { UsersDeps } from './deps.ts';
import { listIdentities } from './identities.ts';
import { onlyWallet, type PublicProfile, publicProfile, type WholeProfile, wholeProfile } from './profile.ts';
import type { User } from './users.ts';

export async function readWholeProfile(deps: UsersDeps, user: User): Promise<WholeProfile> {
  const { db } = deps.database;
  const holder = { user_id: user.id, tier: user.tier };
  const [identities, quota, storage, publisher] = await Promise.all([
    listIdentities(db, user.id),
    readQuota(db, holder, deps.clock.now()),
    deps.storage.read(db, holder),
    deps.findPublisher(user.id),
  ]);
  return wholeProfile(user, { identities, quota, storage, publisher });
}

export async function readPublicProfile(deps: UsersDeps, user: User): Promise<PublicProfile> {
  const [identities, publisher] = await Promise.all([
    listIdentities(deps.database.db, user.id),
    deps.findPublisher(user.id),
  ]);
  return publicProfile(user, onlyWallet(identities), publisher);
}
