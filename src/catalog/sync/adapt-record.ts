import type { Static, TSchema } from 'typebox';
import { type Compiled, compile } from '#core/json-schema/compile.ts';
import { externalId, isWithin, text } from './adapt-fields.ts';
import type { Adapted } from './provider.ts';

/** Validates a record against its provider's documented schema: a valid one is adapted, an invalid one rejected. */

const MAX_RAW_CHARS = 8_192;
const MAX_READ_CHARS = 1_000_000;

/** A rejected record. A large one is truncated. */
export function rejected(raw: unknown, id: unknown, reason: string): Adapted {
  const start = () => (isWithin(raw, { chars: MAX_READ_CHARS }) ? JSON.stringify(raw) : typeof raw);
  const kept = isWithin(raw, { chars: MAX_RAW_CHARS }) ? raw : { truncated: true, start: text(start(), MAX_RAW_CHARS) };
  return { kind: 'rejected', external_id: externalId(id), reason: text(reason, 500), raw: kept };
}

const compiled = new WeakMap<TSchema, Compiled<TSchema>>();

function compiledOf(schema: TSchema): Compiled<TSchema> {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const fresh = compile(schema);
  compiled.set(schema, fresh);
  return fresh;
}

/** The first error as `<pointer>: <message>`, or null if `value` is valid. */
export function mismatch(schema: TSchema, value: unknown): string | null {
  const { check, errors } = compiledOf(schema);
  if (check(value)) return null;
  const first = errors(value)[0];
  return `${first?.instancePath || '/'}: ${first?.message ?? 'is invalid'}`;
}

/** Adapts `raw` if it matches `schema`, or rejects it with the error and `idOf(raw)`, its id if known. */
export function adaptRecord<S extends TSchema>(
  schema: S,
  raw: unknown,
  adapt: (record: Static<S>) => Adapted,
  idOf: (raw: unknown) => unknown = () => null,
): Adapted {
  const wrong = mismatch(schema, raw);
  return wrong === null ? adapt(raw as Static<S>) : rejected(raw, idOf(raw), wrong);
}

/** A property of a value that may not be an object. */
export const member = (raw: unknown, key: string): unknown =>
  typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[key] : undefined;
