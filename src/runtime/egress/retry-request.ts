/** A server may ask for a second ClientHello (RFC 8446, 4.1.4), which could name another host than the first one. */

/** SHA-256 of "HelloRetryRequest", in the place of a ServerHello's random bytes. */
const RETRY_RANDOM = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');
const HANDSHAKE = 22;
const SERVER_HELLO = 2;
/** Header of the record, header of the message, version. */
const RANDOM_AT = 5 + 4 + 2;
/** How many of the server's bytes `isRetryRequest` needs. */
export const RETRY_BYTES = RANDOM_AT + RETRY_RANDOM.length;

/** Null if more bytes are needed. */
export function isRetryRequest(first: Buffer): boolean | null {
  if (first.length > 0 && first[0] !== HANDSHAKE) return false;
  if (first.length > 5 && first[5] !== SERVER_HELLO) return false;
  if (first.length < RETRY_BYTES) return null;
  return first.subarray(RANDOM_AT, RETRY_BYTES).equals(RETRY_RANDOM);
}
