import type { UsersDeps } from './deps.ts';
import { listIdentities } from './identities.ts';
import { onlyWallet, type PublicProfile, publicProfile, type WholeProfile, wholeProfile } from './profile.ts';
import { readQuota } from './quota.ts';
import type { User } from './users.ts';

export async function readWholeProfile(deps: UsersDeps, user: User): Promise<WholeProfile> {
  const [identities, quota, publisher] = await Promise.all([
    listIdentities(deps.database.db, user.id),
    readQuota(deps.database.db, { user_id: user.id, tier: user.tier }, deps.clock.now()),
    deps.findPublisher(user.id),
  ]);
  return wholeProfile(user, identities, quota, publisher);
}

export async function readPublicProfile(deps: UsersDeps, user: User): Promise<PublicProfile> {
  const [identities, publisher] = await Promise.all([
    listIdentities(deps.database.db, user.id),
    deps.findPublisher(user.id),
  ]);
  return publicProfile(user, onlyWallet(identities), publisher);
}
