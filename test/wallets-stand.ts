import type { NewSignIn, StartSignIn } from '#accounts/auth/signed-in.ts';
import { createChallenge } from '#accounts/wallets/create-challenge.ts';
import { linkWallet } from '#accounts/wallets/link.ts';
import type { ProofDeps } from '#accounts/wallets/prove-wallet.ts';
import { type AskedPurpose, LINK } from '#accounts/wallets/purpose.ts';
import { unlinkWallet } from '#accounts/wallets/unlink.ts';
import { verifyWallet } from '#accounts/wallets/verify.ts';
import { createWallets } from '#accounts/wallets/wallets.ts';
import { OPERATIONS } from '#app/contract.ts';
import { defined } from '#core/defined.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Reply } from '#core/http/operation.ts';
import type { TestDatabase } from './databases.ts';
import type { TestWallet } from './wallet-keys.ts';

/** The operations of wallets on a database, without HTTP and without tokens: a sign-in answers whose it is. */
export interface WalletsStand {
  deps: ProofDeps;
  clock: { ms: number };
  /** What the tokens would have been made of. */
  started: NewSignIn[];
  /** To sign in, unless a user is named who asks for another purpose. */
  challenge(wallet: Pick<TestWallet, 'address' | 'wallet_type'>, of?: Asker): Promise<Challenge>;
  /** A challenge of this wallet, signed by it. */
  proof(wallet: TestWallet, of?: Asker): Promise<Proof>;
  /** The id of the user who is signed in. */
  verify(proof: Proof): Promise<string>;
  link(userId: string, proof: Proof): Promise<unknown>;
  unlink(userId: string, wallet: Pick<TestWallet, 'address' | 'wallet_type'>): Promise<unknown>;
}

interface Asker {
  user_id?: string;
  purpose?: AskedPurpose;
}

/** What a wallet that is to be linked to the account signs. */
export const toLink = (user_id: string): Asker => ({ user_id, purpose: { operation: LINK } });

interface Challenge {
  challenge_id: string;
  message: string;
  expires_at: string;
}
export interface Proof {
  challenge_id: string;
  signature: string;
  wallet_address: string;
}

export const STAND_TIME = '2026-03-01T00:00:00.000Z';

export function walletsStand(database: TestDatabase): WalletsStand {
  const clock = { ms: Date.parse(STAND_TIME), now: () => clock.ms };
  const wallets = createWallets({ config: { ethereum_rpc_url: null } });
  const started: NewSignIn[] = [];
  const startSignIn: StartSignIn = async (newSignIn) => {
    started.push(newSignIn);
    return { access_token: 't', token_type: 'Bearer', expires_in: 1, expires_at: STAND_TIME, user: newSignIn.user };
  };
  const deps = { database, clock, wallets };
  const operations = {
    challenge: createChallenge({ ...deps, base_url: 'https://capstan.example', operations: OPERATIONS }),
    verify: verifyWallet({
      ...deps,
      startSignIn,
      newAccounts: { bits: 0, count: async () => {}, networkFor: () => null },
    }),
    link: linkWallet(deps),
    unlink: unlinkWallet(deps),
  };
  const ask = async <T>(name: keyof typeof operations, input: object): Promise<T> => {
    const handler = operations[name] as (input: object) => Promise<Reply>;
    return JSON.parse((await handler({ headers: { 'user-agent': 'a test' }, ...input })).body as string) as T;
  };
  const as = (user_id: string, sign_in_id = 's'): { caller: Pick<Caller, 'user_id' | 'sign_in_id'> } => ({
    caller: { user_id, sign_in_id },
  });
  const challenge: WalletsStand['challenge'] = ({ address, wallet_type }, { user_id, purpose } = {}) => {
    const body = { wallet_address: address, wallet_type, ...defined({ purpose }) };
    return ask('challenge', { body, ...(user_id === undefined ? { caller: null } : as(user_id)) });
  };
  return {
    deps,
    clock,
    started,
    challenge,
    proof: async (wallet, of) => {
      const { challenge_id, message } = await challenge(wallet, of);
      return { challenge_id, signature: await wallet.sign(message), wallet_address: wallet.address };
    },
    verify: async (body) => (await ask<{ user: { id: string } }>('verify', { body })).user.id,
    link: (userId, body) => ask('link', { body, raw_path: '/api/auth/wallets', ...as(userId) }),
    unlink: (userId, { wallet_type, address }) =>
      ask('unlink', { params: { wallet_type, wallet_address: address }, ...as(userId) }),
  };
}

export async function countRows(database: TestDatabase, table: 'users' | 'wallets' | 'challenges'): Promise<number> {
  const { n } = await database.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}
