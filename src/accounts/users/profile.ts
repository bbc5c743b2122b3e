import type { Quota } from '#accounts/quotas/quota.ts';
import type { StorageShown } from '#core/storage/gate.ts';
import type { Identities } from './identities.ts';
import type { User } from './users.ts';

/** Profiles as others and their owner see them. Pure. */

interface PublicWallet {
  address: string;
  type: string;
}
export interface Publisher {
  id: string;
  name: string;
}

export interface PublicProfile {
  id: string;
  display_name: string;
  wallet: PublicWallet | null;
  publisher: Publisher | null;
  created_at: string;
}

export function publicProfile(user: User, wallet: PublicWallet | null, publisher: Publisher | null): PublicProfile {
  const { id, display_name, created_at } = user;
  return { id, display_name, wallet, publisher, created_at };
}

/** Knowing one wallet of several must not reveal the others, so the id is shown only with a single wallet. */
export function onlyWallet({ wallets }: Identities): PublicWallet | null {
  const [wallet, ...more] = wallets;
  return wallet === undefined || more.length > 0 ? null : { address: wallet.address, type: wallet.wallet_type };
}

export interface WholeProfile extends PublicProfile {
  email: string | null;
  wallets: (PublicWallet & { linked_at: string })[];
  google: { email: string; linked_at: string } | null;
  identities: { method: 'wallet' | 'email' | 'google'; name: string; linked_at: string }[];
  tier: string;
  quota: Quota;
  storage: StorageShown;
  is_operator: boolean;
  updated_at: string;
}

interface ProfileParts {
  identities: Identities;
  quota: Quota;
  storage: StorageShown;
  publisher: Publisher | null;
}

export function wholeProfile(user: User, { identities, quota, storage, publisher }: ProfileParts): WholeProfile {
  const { wallets, email, google } = identities;
  return {
    ...publicProfile(user, onlyWallet(identities), publisher),
    email: email?.email ?? null,
    wallets: wallets.map(({ address, wallet_type, linked_at }) => ({ address, type: wallet_type, linked_at })),
    google: google === null ? null : { email: google.email, linked_at: google.linked_at },
    identities: [
      ...wallets.map(({ address, linked_at }) => ({ method: 'wallet' as const, name: address, linked_at })),
      ...(email === null ? [] : [{ method: 'email' as const, name: email.email, linked_at: email.linked_at }]),
      ...(google === null ? [] : [{ method: 'google' as const, name: google.email, linked_at: google.linked_at }]),
    ],
    tier: user.tier,
    quota,
    storage,
    is_operator: user.is_operator === 1,
    updated_at: user.updated_at,
  };
}
