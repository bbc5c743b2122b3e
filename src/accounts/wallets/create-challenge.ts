import { randomBytes } from 'node:crypto';
import { tokenMissing } from '#accounts/auth/refusals.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json, type OperationBase } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import { addChallenge } from './challenges.ts';
import type { walletsContract } from './contract.ts';
import { deviceCannotSignIn, type ProofDeps } from './prove-wallet.ts';
import { columnsOf, lifeMsOf, purposeOf, resourcesOf, statementOf } from './purpose.ts';
import { DEVICE } from './wallets.ts';

interface ChallengeDeps extends ProofDeps {
  base_url: string;
  /** Every operation of the contract. A purpose names one of them. */
  operations: readonly OperationBase[];
}

const NONCE_BYTES = 16;

/** POST /api/wallets/challenge */
export const createChallenge =
  ({
    database,
    clock,
    wallets,
    base_url,
    operations,
  }: ChallengeDeps): Handler<typeof walletsContract.createChallenge> =>
  async ({ body: { wallet_type, wallet_address, purpose: asked }, caller }) => {
    const verifier = await wallets.verifier(wallet_type);
    const address = verifier.canonicalAddress(wallet_address);
    const purpose = purposeOf(operations, asked, caller, tokenMissing);
    if (wallet_type === DEVICE && purpose.kind === 'sign_in') throw deviceCannotSignIn();
    const nowMs = clock.now();
    const [id, created_at, expires_at] = [newId(), isoTime(nowMs), isoTime(nowMs + lifeMsOf(purpose))];
    const message = verifier.message({
      domain: new URL(base_url).host,
      address,
      statement: statementOf(purpose, operations),
      uri: base_url,
      nonce: randomBytes(NONCE_BYTES).toString('hex'),
      issued_at: created_at,
      expiration_time: expires_at,
      request_id: id,
      resources: resourcesOf(purpose, base_url),
    });
    const row = { id, wallet_type, address, message, created_at, expires_at, ...columnsOf(purpose) };
    await addChallenge(database, row, nowMs);
    return json({ challenge_id: id, message, expires_at }, { cache_control: 'no-store' });
  };
