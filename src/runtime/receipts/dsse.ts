import { type KeyObject, sign, verify } from 'node:crypto';

/** DSSE v1 envelopes: a payload, what it is, and Ed25519 signatures over both. */

export interface Envelope {
  payloadType: string;
  /** Standard base64, canonical. */
  payload: string;
  signatures: { keyid: string; sig: string }[];
}

/** The bytes that are signed: `DSSEv1 <length> <type> <length> <payload>`, lengths in bytes. */
export function preAuthEncoding(payload_type: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payload_type);
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${payload.length} `),
    Buffer.from(payload),
  ]);
}

export function signEnvelope(payload_type: string, payload: Uint8Array, key: KeyObject, keyid: string): Envelope {
  const sig = sign(null, preAuthEncoding(payload_type, payload), key).toString('base64');
  return { payloadType: payload_type, payload: Buffer.from(payload).toString('base64'), signatures: [{ keyid, sig }] };
}

/** The payload if its only signature is from `key`; null if it is not, or if a field is not in canonical form. */
export function openEnvelope({ payloadType, payload, signatures }: Envelope, key: KeyObject): Buffer | null {
  const [signature, ...more] = signatures;
  const bytes = strictBase64(payload);
  const sig = signature === undefined ? null : strictBase64(signature.sig);
  if (bytes === null || sig === null || more.length > 0) return null;
  return verify(null, preAuthEncoding(payloadType, bytes), key, sig) ? bytes : null;
}

/** The bytes of canonical base64 (padded, standard alphabet, no stray bits); otherwise null. */
export function strictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
