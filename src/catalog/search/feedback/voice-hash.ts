import { createHmac } from 'node:crypto';
import { clientBucket } from '#core/limits/client-bucket.ts';

/** Who searched: an account if signed in, and the network address of the client. */
export interface Voice {
  user_id: string | null;
  address: string | null;
}

/** The names under which a voice is known. Nobody counts twice: neither an account with many addresses nor an address with many accounts. */
export const namesOf = ({ user_id, address }: Voice): string[] => [
  ...(user_id === null ? [] : [`account ${user_id}`]),
  ...(address === null ? [] : [`address ${clientBucket(address)}`]),
];

const BYTES = 16;

/** One hash per name and event, so that two events of one voice cannot be recognized as such. */
export const saltedHash = (salt: string, ...parts: readonly string[]): string =>
  createHmac('sha256', salt).update(JSON.stringify(parts)).digest().subarray(0, BYTES).toString('base64url');
