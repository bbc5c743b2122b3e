import { accountsProblem } from '#accounts/errors.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import type { ChallengeRow } from '#core/db/schema-identity.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { burnChallenge, consumeChallenge } from './challenges.ts';
import type { PurposeColumns } from './purpose.ts';
import { DEVICE, type Wallets, type WalletType } from './wallets.ts';

/** Verifies a challenge signed by the wallet it was created for. */

export interface ProofDeps {
  database: Database;
  clock: Clock;
  wallets: Wallets;
}

export interface WalletProof {
  challenge_id: string;
  signature: string;
  /** If the request names a wallet, it must be that of the challenge. */
  wallet_address?: string;
}

interface ProvenWallet {
  wallet_type: string;
  /** In canonical form. */
  address: string;
  caip10: string;
}

interface ProofChecks {
  /** Throws if the challenge has another purpose. */
  checkPurpose(kept: PurposeColumns): void;
  /** Called before the signature is verified. Throws if the wallet is not allowed. */
  mayUse?(walletType: string, address: string): Promise<void>;
}

/** The challenge is consumed before any check, so a failure consumes it too. */
export async function proveWallet(deps: ProofDeps, proof: WalletProof, checks: ProofChecks): Promise<ProvenWallet> {
  const { database, clock } = deps;
  const challenge = await consumeChallenge(database, proof.challenge_id, clock.now());
  try {
    return await checkProof(deps, challenge, proof, checks);
  } catch (error) {
    if (challenge.used_at === null) await burnChallenge(database, challenge.id, clock.now());
    throw error;
  }
}

async function checkProof(
  { wallets }: ProofDeps,
  challenge: ChallengeRow,
  { signature, wallet_address }: WalletProof,
  { checkPurpose, mayUse }: ProofChecks,
): Promise<ProvenWallet> {
  checkPurpose(challenge);
  const { wallet_type, address, message } = challenge;
  const verifier = await wallets.verifier(wallet_type as WalletType);
  if (wallet_address !== undefined && verifier.canonicalAddress(wallet_address) !== address) throw wrongWallet();
  await mayUse?.(wallet_type, address);
  if (!(await verifier.verify(message, signature, address))) throw signatureInvalid();
  return { wallet_type, address, caip10: verifier.caip10(address) };
}

/** For uses that need a wallet proper: signing in, and linking. */
export async function refuseDeviceKey(walletType: string): Promise<void> {
  if (walletType === DEVICE) throw deviceCannotSignIn();
}

export const deviceCannotSignIn = (): Problem =>
  coreProblem('http.invalid', 'Device keys confirm requests. They cannot sign in or be linked as a wallet.', {
    reason: 'input',
    errors: [{ pointer: '/wallet_type', detail: 'must be a wallet' }],
  });

const wrongWallet = (): Problem =>
  accountsProblem('auth.signature_invalid', 'The challenge was issued for another wallet address. Request a new one.', {
    reason: 'wallet',
  });

const signatureInvalid = (): Problem =>
  accountsProblem(
    'auth.signature_invalid',
    'Invalid wallet signature. Request a new challenge and sign its exact message.',
    { reason: 'signature' },
  );
