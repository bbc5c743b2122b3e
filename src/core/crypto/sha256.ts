import { createHash } from 'node:crypto';

/** SHA-256 in hexadecimal. Text is hashed as UTF-8. */
export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
