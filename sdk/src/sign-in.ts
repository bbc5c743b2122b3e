import type { Call, CallOptions, SignedIn, Signer, StepUp } from './client.ts';
import type { Operations } from './generated/contract.ts';

/** Signing in, and the further signature that sensitive operations ask for. */

/** The purpose of a signature: the operation, and the path of the request. */
export type Purpose = NonNullable<Operations['wallets']['createChallenge']['input']['body']['purpose']>;

type Options = Pick<CallOptions, 'signal' | 'token'>;

async function signedChallenge(call: Call, signer: Signer, purpose: Purpose, options: Options) {
  const { address, wallet_type } = signer;
  const asked = { wallet_address: address, wallet_type, purpose };
  const { body } = await call('accounts.wallets.createChallenge', { body: asked }, options);
  return { challenge_id: body.challenge_id, signature: await signer.sign(body.message), wallet_address: address };
}

export async function signInWithWallet(call: Call, signer: Signer): Promise<SignedIn> {
  // An old token would be refused before anything is signed.
  const body = await signedChallenge(call, signer, { operation: 'accounts.wallets.verify' }, { token: null });
  return (await call('accounts.wallets.verify', { body })).body;
}

/** A challenge is valid for the one request that its text names. */
export async function stepUp(call: Call, signer: Signer, purpose: Purpose, options: Options = {}): Promise<StepUp> {
  const { challenge_id, signature } = await signedChallenge(call, signer, purpose, options);
  return { 'x-challenge-id': challenge_id, 'x-wallet-signature': signature };
}

/** The wallet's own signature that links it to the account of the token. */
export const linkProof = (call: Call, signer: Signer, options: Options = {}) =>
  signedChallenge(call, signer, { operation: 'accounts.wallets.link' }, options);
