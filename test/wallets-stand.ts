import { createChallenge } from '../src/features/auth/create-challenge.ts';
import { linkWallet } from '../src/features/auth/link-wallet.ts';
import type { NewSignIn, StartSignIn } from '../src/features/auth/signed-in.ts';
import { unlinkWallet } from '../src/features/auth/unlink-wallet.ts';
import { verifyWallet } from '../src/features/auth/verify-wallet.ts';
import type { ProofDeps } from '../src/features/auth/wallets/prove-wallet.ts';
import { createWallets } from '../src/features/auth/wallets/wallets.ts';
import type { Caller } from '../src/platform/http/caller.ts';
import type { Reply } from '../src/platform/http/operation.ts';
import type { TestDatabase } from './databases.ts';
import type { TestWallet } from './wallet-keys.ts';

/** The operations of wallets on a database, without HTTP and without tokens: a sign-in answers whose it is. */
export interface WalletsStand {
  deps: ProofDeps;
  clock: { ms: number };
  /** What the tokens would have been made of. */
  started: NewSignIn[];
  challenge(wallet: Pick<TestWallet, 'address' | 'wallet_type'>): Promise<Challenge>;
  /** A challenge of this wallet, signed by it. */
  proof(wallet: TestWallet): Promise<Proof>;
  /** The id of the user who is signed in. */
  verify(proof: Proof): Promise<string>;
  link(user_id: string, proof: Proof): Promise<unknown>;
  unlink(user_id: string, wallet: Pick<TestWallet, 'address' | 'wallet_type'>): Promise<unknown>;
}

export interface Challenge {
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
  const startSignIn: StartSignIn = async (it) => {
    started.push(it);
    return { access_token: 't', token_type: 'Bearer', expires_in: 1, expires_at: STAND_TIME, user: it.user };
  };
  const deps = { database, clock, wallets };
  const operations = {
    challenge: createChallenge({ ...deps, base_url: 'https://capstan.example' }),
    verify: verifyWallet({ ...deps, startSignIn }),
    link: linkWallet(deps),
    unlink: unlinkWallet(deps),
  };
  const ask = async <T>(name: keyof typeof operations, input: object): Promise<T> => {
    const handler = operations[name] as (input: object) => Promise<Reply>;
    return JSON.parse((await handler({ headers: { 'user-agent': 'a test' }, ...input })).body as string) as T;
  };
  const as = (user_id: string): { caller: Pick<Caller, 'user_id'> } => ({ caller: { user_id } });
  const challenge = ({ address, wallet_type }: Pick<TestWallet, 'address' | 'wallet_type'>) =>
    ask<Challenge>('challenge', { body: { wallet_address: address, wallet_type } });
  return {
    ...{ deps, clock, started, challenge },
    proof: async (wallet) => {
      const { challenge_id, message } = await challenge(wallet);
      return { challenge_id, signature: await wallet.sign(message), wallet_address: wallet.address };
    },
    verify: async (body) => (await ask<{ user: { id: string } }>('verify', { body })).user.id,
    link: (user_id, body) => ask('link', { body, ...as(user_id) }),
    unlink: (user_id, { wallet_type, address }) =>
      ask('unlink', { params: { wallet_type, wallet_address: address }, ...as(user_id) }),
  };
}

export async function countRows(database: TestDatabase, table: 'users' | 'wallets' | 'challenges'): Promise<number> {
  const { n } = await database.db
    .selectFrom(table)
    .select((it) => it.fn.countAll().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}
