import type { Call, CallOptions } from './client.ts';
import { pause } from './pause.ts';
import { sha256 } from './sha256.ts';

/** The proof of work of a new account: a nonce with which the hash of `<challenge>:<nonce>` begins with so many zero bits. */

/** So many nonces are tried before others get their turn: a few milliseconds. */
const AT_ONCE = 4_000;

/** @returns The nonce, in decimal digits. */
export async function solve(
  challenge: string,
  difficulty_bits: number,
  signal?: AbortSignal | undefined,
): Promise<string> {
  const encoder = new TextEncoder();
  for (let nonce = 0; ; nonce++) {
    if (leadingZeroBits(sha256(encoder.encode(`${challenge}:${nonce}`))) >= difficulty_bits) return `${nonce}`;
    if (nonce % AT_ONCE === 0) await pause(0, signal);
  }
}

/** Proves the account of the token. Nothing is wrong with doing so again. */
export async function proveAccount(call: Call, options: Pick<CallOptions, 'signal' | 'token'> = {}): Promise<void> {
  const { challenge, difficulty_bits } = (await call('accounts.proofOfWork.create', {}, options)).body;
  const nonce = await solve(challenge, difficulty_bits, options.signal);
  await call('accounts.proofOfWork.answer', { body: { challenge, nonce } }, options);
}

function leadingZeroBits(words: Uint32Array): number {
  let bits = 0;
  for (const word of words) {
    bits += Math.clz32(word);
    if (word !== 0) break;
  }
  return bits;
}
