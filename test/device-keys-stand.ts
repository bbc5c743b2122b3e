import { addWallet, linkEmail } from '#accounts/users/identities.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type AuthStand, authStand } from './auth-stand.ts';
import type { TestDatabase } from './databases.ts';
import { purposeFor } from './purpose.ts';
import { deviceKey, solanaWallet, type TestWallet } from './wallet-keys.ts';

/** Accounts with device keys over HTTP behind the real guard. */

export type TestDevice = ReturnType<typeof deviceKey>;
type Signer = TestDevice | TestWallet;

interface Answered {
  status: number;
  body: Record<string, unknown> & { code?: string; reason?: string; detail?: string };
}

export interface Holder {
  id: string;
  token: string;
  email: string;
}

export interface DeviceKeysStand extends AuthStand {
  database: TestDatabase;
  /** An account that was made by email. */
  newHolder(): Promise<Holder>;
  addWallet(holder: Holder): Promise<TestWallet>;
  /** Signs in again, as by email. */
  signInAgain(holder: Holder): Promise<Holder>;
  register(holder: Holder, device: TestDevice, name?: string): Promise<Answered>;
  /** A request with a signature of this key or wallet. */
  signed(holder: Holder, signer: Signer, request: string, body?: Record<string, unknown>): Promise<Answered>;
  /** A signature that is sent in the body. */
  proof(
    holder: Holder,
    signer: Signer,
    request: string,
    body?: Record<string, unknown>,
  ): Promise<Record<string, string>>;
  /** The device's first key: active at once. */
  withDevice(): Promise<{ holder: Holder; device: TestDevice; id: string }>;
}

export const KEYS = '/api/auth/device-keys';

export async function deviceKeysStand(database: TestDatabase): Promise<DeviceKeysStand> {
  const stand = await authStand(database);
  const { db } = database;
  const challenge = async ({ token }: Holder, signer: Signer, request: string, body?: Record<string, unknown>) => {
    const { wallet_type, address: wallet_address } = signer;
    const asked = { wallet_type, wallet_address, purpose: purposeFor(request, body) };
    const { status, body: made } = await stand.ask<{ challenge_id: string; message: string }>(
      'POST',
      '/api/wallets/challenge',
      { token, body: asked },
    );
    if (status !== 200) throw new Error(`${status} ${made.detail}`);
    return { challenge_id: made.challenge_id, signature: await signer.sign(made.message) };
  };
  const proof: DeviceKeysStand['proof'] = async (holder, signer, request, body) => ({
    ...(await challenge(holder, signer, request, body)),
    wallet_address: signer.address,
  });
  const register: DeviceKeysStand['register'] = async (holder, device, name = 'Laptop') => {
    const fields = { name, wallet_address: device.address };
    const body = { name, ...(await proof(holder, device, `POST ${KEYS}`, fields)) };
    return stand.ask('POST', KEYS, { token: holder.token, body });
  };
  const newHolder = async (): Promise<Holder> => {
    const { user, token } = await stand.signUp();
    const email = `${user.id}@example.org`;
    const linked_at = isoTime(stand.clock.ms);
    await linkEmail(db, { email, user_id: user.id, password_hash: 'x', linked_at, password_changed_at: linked_at });
    return { id: user.id, token, email };
  };
  return {
    ...stand,
    database,
    newHolder,
    proof,
    register,
    addWallet: async ({ id: user_id }) => {
      const wallet = solanaWallet();
      const { wallet_type, address } = wallet;
      await addWallet(db, { wallet_type, address, user_id, linked_at: isoTime(stand.clock.ms) });
      return wallet;
    },
    signInAgain: async (holder) => {
      const user = await db.selectFrom('users').selectAll().where('id', '=', holder.id).executeTakeFirstOrThrow();
      return { ...holder, token: (await stand.signIn(user as never)).access_token };
    },
    signed: async (holder, signer, request, body) => {
      const [method = '', path = ''] = request.split(' ');
      const { challenge_id, signature } = await challenge(holder, signer, request, body);
      const headers = { 'x-challenge-id': challenge_id, 'x-wallet-signature': signature };
      return stand.ask(method, path, { token: holder.token, headers, body });
    },
    withDevice: async () => {
      const [holder, device] = [await newHolder(), deviceKey()];
      const { body } = await register(holder, device);
      return { holder, device, id: `${body.id}` };
    },
  };
}
