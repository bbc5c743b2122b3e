import type { Operations } from '../generated/contract.ts';
import { type Bytes, isSame, joined, strictBase64, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical-json.ts';
import { openCheckpoint } from './checkpoint.ts';
import { leafHash, rootFromInclusion } from './merkle.ts';
import { isSignedBy, keyIdOf, needCrypto, openKey, type PublicKey, type ReceiptJwk } from './public-key.ts';
import { closed, isObject, list, oneOf, text, whole } from './shape.ts';
import { isLocal, isRunStatement, PAYLOAD_TYPE, type RunStatement } from './statement.ts';

/** Verifies a receipt bundle offline. Only the issuer's keys may be requested from a service. */

export type Bundle = Operations['receipts']['get']['answer'];

/** The checks in their order. */
export type BundleCheck = 'form' | 'key' | 'signature' | 'statement' | 'checkpoint' | 'inclusion' | 'issuer';

export type BundleVerdict = TrustedBundle | UnknownBundle | RefusedBundle;

interface BundleFacts {
  detail: string;
  key_id: string;
  log: { origin: string; index: number; size: number };
  statement: RunStatement;
}

/** Every check passed, and a key of the issuer that was named signed. */
interface TrustedBundle extends BundleFacts {
  verdict: 'valid';
  valid: true;
  consistent: true;
  issuer: 'pinned';
  failed: null;
}

/** Signature and log proof agree, and no issuer was named. Anyone can create such a bundle with their own key. */
interface UnknownBundle extends BundleFacts {
  verdict: 'internally consistent, issuer unknown';
  valid: false;
  consistent: true;
  issuer: 'unknown';
  failed: 'issuer';
}

interface RefusedBundle {
  verdict: 'refused';
  valid: false;
  /** True if only the issuer differs from the expected one. */
  consistent: boolean;
  failed: BundleCheck;
  detail: string;
}

export interface KeySource {
  receipts: { listKeys(): Promise<{ keys: readonly ReceiptJwk[] }> };
}

/** Whose signature is wanted. A bundle carries its key, so that without one of these it proves only that it is consistent. */
export interface Pin {
  /** A JWK, or a JWK set, that you know from its issuer. */
  issuer_key?: ReceiptJwk | { keys: readonly ReceiptJwk[] };
  /** A client of the service whose keys are trusted; they are requested from it. */
  issuer?: KeySource;
}

/** Never throws for invalid bundles. Throws a CapstanError if the runtime lacks Ed25519 or the issuer does not respond. */
export async function verifyBundle(bundle: unknown, pin: Pin = {}): Promise<BundleVerdict> {
  needCrypto();
  const found = await check(bundle);
  if ('failed' in found) return { verdict: 'refused', valid: false, consistent: false, ...found };
  const trusted = await keyIdsOf(pin);
  if (trusted === null)
    return {
      verdict: 'internally consistent, issuer unknown',
      valid: false,
      consistent: true,
      issuer: 'unknown',
      failed: 'issuer',
      detail: isLocal(found.statement)
        ? 'Internally consistent. Signed by a local key, not by a service: name that key to trust it.'
        : 'Internally consistent, issuer unknown: name the issuer or its key.',
      ...found,
    };
  if (trusted.includes(found.key_id))
    return {
      verdict: 'valid',
      valid: true,
      consistent: true,
      issuer: 'pinned',
      failed: null,
      detail: isLocal(found.statement)
        ? 'Signed by the local key that you trust, not by a service, and in its log.'
        : 'Signed by a key of the issuer, and in its log.',
      ...found,
    };
  const detail = `Signed with key ${found.key_id}, which does not belong to the issuer.`;
  return { verdict: 'refused', valid: false, consistent: true, failed: 'issuer', detail };
}

async function keyIdsOf({ issuer_key, issuer }: Pin): Promise<string[] | null> {
  const given = issuer_key ?? (await issuer?.receipts.listKeys());
  if (given === undefined) return null;
  return Promise.all(('keys' in given ? given.keys : [given]).map(keyIdOf));
}

const base64 = text(/^[A-Za-z0-9+/]*={0,2}$/);
const MEMBERS = {
  dsse: closed({
    payloadType: oneOf(PAYLOAD_TYPE),
    payload: base64,
    signatures: list(closed({ keyid: text(/^/), sig: base64 }), 1, 1),
  }),
  log_entry: closed({ index: whole(0), size: whole(1), proof: list(text(/^[A-Za-z0-9+/]{43}=$/), 0, 64) }),
  checkpoint: text(/^/, 2_000),
  jwk: closed({ kty: oneOf('OKP'), crv: oneOf('Ed25519'), x: text(/^[A-Za-z0-9_-]{43}$/) }),
};
const isBundle = closed(MEMBERS);

type Found =
  | { key_id: string; log: { origin: string; index: number; size: number }; statement: RunStatement }
  | { failed: BundleCheck; detail: string };

const no = (failed: BundleCheck, detail: string): Found => ({ failed, detail });

async function check(value: unknown): Promise<Found> {
  if (!isBundle(value)) return no('form', `Not a receipt bundle: ${faultOf(value)}.`);
  const { dsse, log_entry, checkpoint: note, jwk } = value as Bundle;
  const key = await openKey(jwk);
  const key_id = await keyIdOf(jwk);
  if (key === null || dsse.signatures[0]?.keyid !== key_id)
    return no('key', 'The signature names another key than the one in the bundle.');
  const payload = await openEnvelope(dsse, key);
  if (payload === null) return no('signature', 'The signature does not match this payload and key.');
  const statement = readStatement(payload);
  if (statement === null) return no('statement', 'The signed payload is not a run statement in canonical form.');
  const checkpoint = await openCheckpoint(note, key);
  if (checkpoint === null) return no('checkpoint', 'The checkpoint is malformed, or not signed by this key.');
  const { index, size, proof } = log_entry;
  const hashes = proof.map(strictBase64);
  if (size !== checkpoint.size || hashes.some((hash) => hash === null))
    return no('inclusion', 'The log entry does not belong to this checkpoint.');
  const leaf = await leafHash(utf8(canonicalJson(dsse)));
  const root = await rootFromInclusion(leaf, index, size, hashes as Bytes[]);
  if (root === null || !isSame(root, checkpoint.root))
    return no('inclusion', 'The proof does not lead from this receipt to the checkpoint’s root.');
  return { key_id, log: { origin: checkpoint.origin, index, size }, statement };
}

function faultOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'it is not an object';
  const of = isObject(value) ? value : {};
  const [name] = Object.entries(MEMBERS).find(([key, shape]) => !shape(of[key])) ?? [];
  return name === undefined ? 'it has an unexpected member' : `${name} is missing or malformed`;
}

/** The payload of a DSSE v1 envelope if it is signed with the key; otherwise null. */
async function openEnvelope({ payloadType, payload, signatures }: Bundle['dsse'], key: PublicKey) {
  const bytes = strictBase64(payload);
  const signature = strictBase64(signatures[0]?.sig ?? '');
  if (bytes === null || signature === null) return null;
  const begin = utf8(`DSSEv1 ${utf8(payloadType).length} ${payloadType} ${bytes.length} `);
  return (await isSignedBy(key, joined(begin, bytes), signature)) ? bytes : null;
}

function readStatement(payload: Bytes): RunStatement | null {
  try {
    const written = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
    const value: unknown = JSON.parse(written);
    return isRunStatement(value) && canonicalJson(value) === written ? (value as RunStatement) : null;
  } catch {
    return null;
  }
}
