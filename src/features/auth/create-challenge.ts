import { randomBytes } from 'node:crypto';
import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import { newId } from '../../platform/ids.ts';
import type { walletOperations } from './contract-wallet.ts';
import { addChallenge, CHALLENGE_MS } from './wallets/challenges.ts';
import type { ProofDeps } from './wallets/prove-wallet.ts';

export interface ChallengeDeps extends ProofDeps {
  base_url: string;
}

const STATEMENT = 'Sign in, or confirm a sensitive request. This costs nothing and sends no transaction.';
const NONCE_BYTES = 16;

/** POST /api/wallets/challenge */
export const createChallenge =
  ({ database, clock, wallets, base_url }: ChallengeDeps): Handler<typeof walletOperations.createChallenge> =>
  async ({ body: { wallet_type, wallet_address } }) => {
    const verifier = await wallets.verifier(wallet_type);
    const address = verifier.canonicalAddress(wallet_address);
    const now_ms = clock.now();
    const [id, created_at, expires_at] = [newId(), isoTime(now_ms), isoTime(now_ms + CHALLENGE_MS)];
    const message = verifier.message({
      domain: new URL(base_url).host,
      address,
      statement: STATEMENT,
      uri: base_url,
      nonce: randomBytes(NONCE_BYTES).toString('hex'),
      issued_at: created_at,
      expiration_time: expires_at,
      request_id: id,
    });
    await addChallenge(database, { id, wallet_type, address, message, created_at, expires_at }, now_ms);
    return json({ challenge_id: id, message, expires_at }, { cache_control: 'no-store' });
  };
