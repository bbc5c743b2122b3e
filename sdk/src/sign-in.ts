import type { Call, CallOptions, SignedIn, Signer, StepUp } from './client.ts';

/** Signing in, and the further signature that sensitive operations ask for. */

async function signedChallenge(call: Call, signer: Signer, options: Pick<CallOptions, 'signal'> = {}) {
  const { address, wallet_type } = signer;
  const { body } = await call('auth.createChallenge', { body: { wallet_address: address, wallet_type } }, options);
  return { challenge_id: body.challenge_id, signature: await signer.sign(body.message), wallet_address: address };
}

export async function signInWithWallet(call: Call, signer: Signer): Promise<SignedIn> {
  return (await call('auth.verifyWallet', { body: await signedChallenge(call, signer) })).body;
}

/** A challenge is good for one request. */
export async function stepUp(call: Call, signer: Signer, options?: Pick<CallOptions, 'signal'>): Promise<StepUp> {
  const { challenge_id, signature } = await signedChallenge(call, signer, options);
  return { 'x-challenge-id': challenge_id, 'x-wallet-signature': signature };
}
