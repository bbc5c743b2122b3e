import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** An Ed25519 key of a receipt's issuer as a JWK (RFC 8037) of exactly three members. */
export interface ReceiptJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  /** 32 bytes, base64url. */
  x: string;
}

export interface SigningPair {
  private_key: KeyObject;
  public_key: KeyObject;
  /** RFC 7638 thumbprint of the public key. */
  id: string;
}

export function jwkOf(public_key: KeyObject): ReceiptJwk {
  const { x } = public_key.export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', x: x as string };
}

/** Key id: JWK thumbprint (RFC 7638). */
export const keyIdOf = ({ x }: ReceiptJwk): string =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');

/** Null if it is not a key in canonical form. */
export function keyOfJwk({ x }: ReceiptJwk): KeyObject | null {
  const bytes = Buffer.from(x, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== x) return null;
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

export const rawPublicKey = (public_key: KeyObject): Buffer => Buffer.from(jwkOf(public_key).x, 'base64url');
