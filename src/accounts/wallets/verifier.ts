import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { MessageParts } from './message.ts';

/** The interface of a wallet type. To add a type, add one file and its test vectors. */
export interface WalletVerifier {
  type: string;
  /** Returns the canonical address, under which it is stored. Throws a 400 if the address is invalid or cannot sign. */
  canonicalAddress(text: string): string;
  /** The address with its chain, by CAIP-10. */
  caip10(address: string): string;
  /** Returns the text to sign. */
  message(parts: MessageParts): string;
  /**
   * Returns whether `address` signed exactly these bytes of `message`. An impossible signature is false. Throws a
   * Problem only if it cannot be determined.
   */
  verify(message: string, signature: string, address: string): Promise<boolean>;
}

export const malformedAddress = (detail: string): Problem =>
  coreProblem('http.invalid', `Invalid wallet address: it ${detail}.`, {
    reason: 'input',
    errors: [{ pointer: '/wallet_address', detail }],
  });
