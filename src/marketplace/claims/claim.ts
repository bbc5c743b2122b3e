import type { Kysely } from 'kysely';
import { findWallet } from '#accounts/users/identities.ts';
import { canonicalAddress, type Wallets, type WalletType } from '#accounts/wallets/wallets.ts';
import type { Schema } from '#core/db/schema.ts';
import { claimOtherWallet, claimRefused } from '#marketplace/listings/refusals.ts';

/**
 * That the owner of a wallet stands by a version. The text says all it is about and is signed as it is: it needs no
 * challenge, since whoever repeats it only says the same again, and anybody can check it later.
 */

interface Claimed {
  publisher: string;
  /** With its publisher. */
  name: string;
  version: string;
  digest: string;
}

/** What is signed, byte for byte; without a line feed at its end. */
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
  /** 0x-hex for ethereum, base58 for solana. */
  signature: string;
}

export interface Claim extends GivenClaim {
  text: string;
}

/** 403 where the wallet is not the account's, 422 where the signature is not on this text. */
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
