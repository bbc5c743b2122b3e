import type { Call, CallOptions, SignedIn, Signer, StepUp } from './client.ts';
import type { Operations } from './generated/contract.ts';

/** Signing in, and the further signature that sensitive operations ask for. */

/** The purpose of a signature: the operation, the path of the request, and the fields of its body that the text states. */
export type Purpose = NonNullable<Operations['wallets']['createChallenge']['input']['body']['purpose']>;

type Options = Pick<CallOptions, 'signal' | 'token'>;

async function signedChallenge(call: Call, signer: Signer, purpose: Purpose, options: Options) {
  const { address, wallet_type } = signer;
  const asked = { wallet_address: address, wallet_type, purpose };
  const { body } = await call('accounts.wallets.createChallenge', { body: asked }, options);
  const { challenge_id, message, expires_at } = body;
  return { proof: { challenge_id, signature: await signer.sign(message), wallet_address: address }, expires_at };
}

export async function signInWithWallet(call: Call, signer: Signer): Promise<SignedIn> {
  // An old token would be refused before anything is signed.
  const signIn = { operation: 'accounts.wallets.verify' };
  const { proof: body } = await signedChallenge(call, signer, signIn, { token: null });
  return (await call('accounts.wallets.verify', { body })).body;
}

/** A challenge is valid for the one request that its text names, or for some minutes. */
export async function stepUp(
  call: Call,
  signer: Signer,
  purpose: Purpose,
  options: Options = {},
): Promise<{ headers: StepUp; expires_at: string }> {
  const { proof, expires_at } = await signedChallenge(call, signer, purpose, options);
  return { headers: { 'x-challenge-id': proof.challenge_id, 'x-wallet-signature': proof.signature }, expires_at };
}

/** The wallet's own signature that links it to the account of the token. */
export const linkProof = async (call: Call, signer: Signer, options: Options = {}) =>
  (await signedChallenge(call, signer, { operation: 'accounts.wallets.link' }, options)).proof;
