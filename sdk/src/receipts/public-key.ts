import { CapstanError } from '../capstan-error.ts';
import { type Bytes, base64url, sha256, strictBase64url, utf8 } from './bytes.ts';

/** The Ed25519 keys that sign receipts, as JWKs of RFC 8037. */

export interface ReceiptJwk {
  kty: string;
  crv: string;
  /** 32 bytes, base64url. */
  x: string;
}

export interface PublicKey {
  raw: Bytes;
  key: CryptoKey;
}

const KEY_BYTES = 32;

/** Key id: JWK thumbprint (RFC 7638). */
export const keyIdOf = async ({ x }: ReceiptJwk): Promise<string> =>
  base64url(await sha256(utf8(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)));

/** Null if it is not a key in canonical form. */
export async function openKey({ x }: ReceiptJwk): Promise<PublicKey | null> {
  const raw = strictBase64url(x);
  if (raw === null || raw.length !== KEY_BYTES) return null;
  try {
    return { raw, key: await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']) };
  } catch (cause) {
    if ((cause as Error).name === 'NotSupportedError') throw cannotVerify(cause);
    return null;
  }
}

export const isSignedBy = ({ key }: PublicKey, bytes: Bytes, signature: Bytes): Promise<boolean> =>
  crypto.subtle.verify('Ed25519', key, signature, bytes);

/** Pages that came over plain http have no `crypto.subtle`, and browsers before 2025 no Ed25519. */
export function needCrypto(): void {
  if (globalThis.crypto?.subtle === undefined) throw cannotVerify();
}

const cannotVerify = (cause?: unknown): CapstanError =>
  new CapstanError({
    kind: 'invalid_call',
    code: 'sdk.no_ed25519',
    detail:
      'This runtime cannot check Ed25519 signatures: it needs https (or localhost) and a browser of 2025 or newer, or Node 20. ' +
      '`runtime.receipts.verify` has the service check instead.',
    cause,
  });
