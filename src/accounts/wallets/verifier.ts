import { Problem } from '#core/problem/problem.ts';
import type { MessageParts } from './message.ts';

/** The seam between wallets and the rest: what one type of wallet knows. A further type is one file and its vectors. */
export interface WalletVerifier {
  type: string;
  /** The one form of an address, under which it is stored. 400 where the text is no address that can sign. */
  canonicalAddress(text: string): string;
  /** The address with its chain, by CAIP-10. */
  caip10(address: string): string;
  /** The text to sign. */
  message(parts: MessageParts): string;
  /**
   * Whether `signature` is `address`'s on exactly these bytes of `message`. A signature that cannot be one, is false.
   * Throws a Problem only where it cannot be told.
   */
  verify(message: string, signature: string, address: string): Promise<boolean>;
}

export const malformedAddress = (detail: string): Problem =>
  new Problem('invalid_request', 'auth.wallet_address_malformed', `Invalid wallet address: it ${detail}.`, {
    errors: [{ pointer: '/wallet_address', detail }],
  });
