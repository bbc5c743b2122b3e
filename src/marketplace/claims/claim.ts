import type { Kysely } from 'kysely';
import { findWallet } from '#accounts/users/identities.ts';
import { canonicalAddress, type Wallets, type WalletType } from '#accounts/wallets/wallets.ts';
import type { Schema } from '#core/db/schema.ts';
import { claimOtherWallet, claimRefused } from '#marketplace/listings/refusals.ts';

/**
 * A claim of a version by the owner of a wallet. The signed text contains everything that it is about, so it needs no challenge:
 * replaying it changes nothing, and anyone can verify it later.
 */

interface Claimed {
  publisher: string;
  /** `publisher/name`. */
  name: string;
  version: string;
  digest: string;
}

/** The exact text to sign, without a final line feed. */
export const claimText = (base_url: string, { publisher, name, version, digest }: Claimed): string =>
  [
    'I publish this capability. This costs nothing and sends no transaction.',
    '',
    `Service: ${base_url}`,
    `Publisher: ${publisher}`,
    `Name: ${name}`,
    `Version: ${version}`,
    `Digest: ${digest}`,
  ].join('\n');

export interface GivenClaim {
  wallet_type: string;
  wallet_address: string;
  /** 0x-prefixed hex for ethereum, base58 for solana. */
  signature: string;
}

export interface Claim extends GivenClaim {
  text: string;
}

/** Throws 403 if the wallet is not linked to the account, and 422 if the signature is not on this text. */
export async function verifyClaim(
  { db, wallets }: { db: Kysely<Schema>; wallets: Wallets },
  user_id: string,
  text: string,
  { wallet_type, wallet_address: written, signature }: GivenClaim,
): Promise<Claim> {
  const wallet_address = await canonicalAddress(wallets)(wallet_type, written);
  if ((await findWallet(db, wallet_type, wallet_address))?.user_id !== user_id) throw claimOtherWallet();
  const verifier = await wallets.verifier(wallet_type as WalletType);
  if (!(await verifier.verify(text, signature, wallet_address))) throw claimRefused();
  return { wallet_type, wallet_address, signature, text };
}
