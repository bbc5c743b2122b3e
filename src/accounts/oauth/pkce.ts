import { createHash, timingSafeEqual } from 'node:crypto';

/** RFC 7636, S256 only: the client that fetches the tokens must be the one that started. */
export function verifierFits(code_verifier: string | undefined, code_challenge: string): boolean {
  if (code_verifier === undefined || !/^[\w.~-]{43,128}$/.test(code_verifier)) return false;
  const made = Buffer.from(createHash('sha256').update(code_verifier).digest('base64url'));
  return made.length === code_challenge.length && timingSafeEqual(made, Buffer.from(code_challenge));
}
