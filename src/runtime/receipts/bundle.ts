import canonicalize from 'canonicalize';
import type { Static } from 'typebox';
import { compile } from '#core/json-schema/compile.ts';
import { Type } from '#core/json-schema/type.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import { type Envelope, openEnvelope, strictBase64 } from './dsse.ts';
import { leafHash, rootFromInclusion } from './merkle.ts';
import { keyIdOf, keyOfJwk } from './receipt-key.ts';
import { PAYLOAD_TYPE, RunStatement } from './statement.ts';

/** A receipt with all that is needed to check it offline. Every member is in its one form: no byte is free. */

const closed = { additionalProperties: false };
const Base64 = Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });

export const Bundle = Type.Object(
  {
    dsse: Type.Object(
      {
        payloadType: Type.Literal(PAYLOAD_TYPE),
        payload: Base64,
        signatures: Type.Array(Type.Object({ keyid: Type.String(), sig: Base64 }, closed), {
          minItems: 1,
          maxItems: 1,
        }),
      },
      closed,
    ),
    log_entry: Type.Object(
      {
        index: Type.Integer({ minimum: 0 }),
        size: Type.Integer({ minimum: 1 }),
        proof: Type.Array(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' }), { maxItems: 64 }),
      },
      closed,
    ),
    checkpoint: Type.String({ maxLength: 2_000, description: 'A signed note (C2SP tlog-checkpoint).' }),
    jwk: Type.Object(
      { kty: Type.Literal('OKP'), crv: Type.Literal('Ed25519'), x: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) },
      { ...closed, description: 'The key that signed both. Trust it only where you know it from its issuer.' },
    ),
  },
  closed,
);
export type Bundle = Static<typeof Bundle>;

const bundleShape = compile(Bundle);
const memberShapes = Object.entries(Bundle.properties).map(([name, schema]) => [name, compile(schema)] as const);
const statementShape = compile(RunStatement);

export type Verification =
  | { consistent: true; statement: RunStatement; checkpoint: Checkpoint; index: number; key_id: string }
  | { consistent: false; failed: Check; detail: string };

/** The checks in their order. */
export const CHECKS = ['form', 'key', 'signature', 'statement', 'checkpoint', 'inclusion'] as const;
type Check = (typeof CHECKS)[number];

/** The entry of the log: the canonical JSON of the envelope. */
export const logEntry = (dsse: Envelope): Buffer => Buffer.from(canonicalize(dsse) as string);

/** Whether a bundle is consistent. Does not check the issuer: compare `key_id` for that. Never throws. */
export function verifyBundle(value: unknown): Verification {
  if (!bundleShape.check(value)) return no('form', `Not a receipt bundle: ${faultOf(value)}.`);
  const { dsse, log_entry, checkpoint: note, jwk } = value;
  const key = keyOfJwk(jwk);
  const key_id = keyIdOf(jwk);
  if (key === null || dsse.signatures[0]?.keyid !== key_id)
    return no('key', 'The signature names another key than the one in the bundle.');
  const payload = openEnvelope(dsse, key);
  if (payload === null) return no('signature', 'The signature does not match this payload and key.');
  const statement = readStatement(payload);
  if (statement === null) return no('statement', 'The signed payload is not a run statement in canonical form.');
  const checkpoint = openCheckpoint(note, key);
  if (checkpoint === null) return no('checkpoint', 'The checkpoint is malformed, or not signed by this key.');
  const { index, size, proof } = log_entry;
  const hashes = proof.map(strictBase64);
  if (size !== checkpoint.size || hashes.some((hash) => hash === null))
    return no('inclusion', 'The log entry does not belong to this checkpoint.');
  const root = rootFromInclusion(leafHash(logEntry(dsse)), index, size, hashes as Buffer[]);
  if (root === null || !root.equals(checkpoint.root))
    return no('inclusion', 'The proof does not lead from this receipt to the checkpoint’s root.');
  return { consistent: true, statement, checkpoint, index, key_id };
}

const no = (failed: Check, detail: string): Verification => ({ consistent: false, failed, detail });

/** Hand-written errors, because those of a schema are slow for large values and quote their names. */
function faultOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'it is not an object';
  const [name] = memberShapes.find(([key, member]) => !member.check((value as Record<string, unknown>)[key])) ?? [];
  return name === undefined ? 'it has an unexpected member' : `${name} is missing or malformed`;
}

function readStatement(payload: Buffer): RunStatement | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
    const value: unknown = JSON.parse(text);
    return statementShape.check(value) && canonicalize(value) === text ? value : null;
  } catch {
    return null;
  }
}
