import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import type { SignedIn } from '#accounts/auth/signed-in.ts';
import type { TierName } from '#accounts/quotas/tiers.ts';
import { createStartSignIn } from '#accounts/sign-ins/start.ts';
import { openKeyRing } from '#accounts/tokens/key-ring.ts';
import { createTokens, type Tokens } from '#accounts/tokens/tokens.ts';
import { addWallet } from '#accounts/users/identities.ts';
import { changeUser, createUser, type User } from '#accounts/users/users.ts';
import { type Clock, isoTime, systemClock } from '#core/clock/clock.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import type { Scope } from '#core/http/caller.ts';
import { purposeFor } from './purpose.ts';
import { ethereumWallet, type TestWallet } from './wallet-keys.ts';
import type { World } from './world.ts';

/** Accounts of a world that are signed in, and what they prove themselves with. */
interface Accounts {
  tokens(baseUrl: string): Tokens;
  signUp(entry?: { tier?: TierName; wallet?: boolean }): Promise<Account>;
}

export interface Account {
  user: User;
  token: string;
  wallet: TestWallet;
  signIn(): Promise<SignedIn>;
  newApiKey(scopes: readonly Scope[]): Promise<string>;
  /**
   * The headers of a fresh signature for this request, as `DELETE /api/users/…`; for one that need not be named where
   * none is. Of another wallet where one is given. `body` is that of the request; default: the operation's example.
   */
  stepUp(request?: string, wallet?: TestWallet, body?: Record<string, unknown>): Promise<Record<string, string>>;
}

/** What tokens name where PUBLIC_URL is not set and the port is a free one. */
export const WORLD_URL = 'http://127.0.0.1:0';

export async function accountsOf(world: World, clock: Clock = systemClock, url = WORLD_URL): Promise<Accounts> {
  const { db } = world.database;
  const keys = await openSecretKeys({ written: null, may_make: true, data_dir: world.data_dir });
  const ring = openKeyRing({ db, keys, clock, rotation_ms: 90 * 86_400_000 });
  const tokens = (base_url: string) => createTokens({ ring, clock, base_url });
  const startSignIn = createStartSignIn({ db, clock, tokens: tokens(url) });
  const now = () => isoTime(clock.now());
  return {
    tokens,
    signUp: async ({ tier = 'pro', wallet: hasWallet = true } = {}) => {
      const made = await createUser(db, 'Ada', now());
      const user = (await changeUser(db, made.id, { tier }, now())) as User;
      const wallet = ethereumWallet();
      const { wallet_type, address } = wallet;
      if (hasWallet) await addWallet(db, { wallet_type, address, user_id: user.id, linked_at: now() });
      const known = { user, method: 'email', wallet: null, user_agent: 'test' } as const;
      const signIn = () => startSignIn({ ...known, stillLeads: async () => true });
      const { access_token: token } = await signIn();
      return {
        user,
        wallet,
        signIn,
        token,
        newApiKey: async (scopes) =>
          (await createApiKey(db, { user_id: user.id, name: 'key', scopes, expires_at: null }, now())).key,
        stepUp: (request, signer = wallet, body = undefined) => signChallenge(world, signer, token, { request, body }),
      };
    },
  };
}

async function signChallenge(
  world: World,
  wallet: TestWallet,
  token: string,
  { request, body }: { request: string | undefined; body: Record<string, unknown> | undefined },
): Promise<Record<string, string>> {
  const purpose = request === undefined ? {} : { purpose: purposeFor(request, body) };
  const answer = await world.fetch('/api/wallets/challenge', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ wallet_address: wallet.address, wallet_type: wallet.wallet_type, ...purpose }),
  });
  if (answer.status !== 200) throw new Error(`no challenge: ${await answer.text()}`);
  const { challenge_id, message } = (await answer.json()) as { challenge_id: string; message: string };
  return { 'x-challenge-id': challenge_id, 'x-wallet-signature': await wallet.sign(message) };
}
