import type { Clock } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import { Problem } from '#core/problem/problem.ts';
import { consumeChallenge } from './challenges.ts';
import type { PurposeColumns } from './purpose.ts';
import type { Wallets, WalletType } from './wallets.ts';

/** A challenge answered by the wallet it was made for. */

export interface ProofDeps {
  database: Database;
  clock: Clock;
  wallets: Wallets;
}

export interface WalletProof {
  challenge_id: string;
  signature: string;
  /** Where the request names the wallet, it must be the challenge's. */
  wallet_address?: string;
}

export interface ProvenWallet {
  wallet_type: string;
  /** In the one form of its type. */
  address: string;
  caip10: string;
}

export interface ProofChecks {
  /** Throws where the challenge was made for something else. */
  checkPurpose(kept: PurposeColumns): void;
  /** Asked before the signature is checked; throws where the wallet will not do. */
  mayUse?(wallet_type: string, address: string): Promise<void>;
}

/** The challenge is used up before anything else is looked at, so a failure uses it up too. */
export async function proveWallet(
  { database, clock, wallets }: ProofDeps,
  { challenge_id, signature, wallet_address }: WalletProof,
  { checkPurpose, mayUse }: ProofChecks,
): Promise<ProvenWallet> {
  const challenge = await consumeChallenge(database, challenge_id, clock.now());
  checkPurpose(challenge);
  const { wallet_type, address, message } = challenge;
  const verifier = await wallets.verifier(wallet_type as WalletType);
  if (wallet_address !== undefined && verifier.canonicalAddress(wallet_address) !== address) throw wrongWallet();
  await mayUse?.(wallet_type, address);
  if (!(await verifier.verify(message, signature, address))) throw signatureInvalid();
  return { wallet_type, address, caip10: verifier.caip10(address) };
}

const wrongWallet = (): Problem =>
  new Problem(
    'unauthenticated',
    'auth.challenge_wrong_wallet',
    'The challenge was issued for another wallet address. Request a new one.',
  );

const signatureInvalid = (): Problem =>
  new Problem(
    'unauthenticated',
    'auth.wallet_signature_invalid',
    'Invalid wallet signature. Request a new challenge and sign its exact message.',
  );
