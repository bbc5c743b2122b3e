import type { TSchema } from 'typebox';
import { type Compiled, compile } from '#core/json-schema/compile.ts';
import { listNames } from '#core/problem/field-errors.ts';
import { type FieldError, pointerTo } from '#core/problem/problem.ts';

/** A compiled schema that returns errors with pointers, or an empty list if the value is valid. */
export type Validate = (value: unknown) => FieldError[];

const MAX_ERRORS = 20;

export function compileSchema(schema: TSchema): Validate {
  const compiled = compile(schema);
  return (value) => (compiled.check(value) ? [] : errorsOf(schema, value).take(MAX_ERRORS).toArray());
}

/** The part of JSON Schema that this file walks. */
interface Walked {
  properties?: Record<string, TSchema>;
  required?: string[];
  additionalProperties?: boolean | TSchema;
  patternProperties?: Record<string, TSchema>;
  items?: TSchema;
  minItems?: number;
  maxItems?: number;
}

/**
 * The library's error list examines everything and keeps the first few, which takes long for a large value full of
 * errors. This walks down to the errors and stops after as many as needed.
 */
function* errorsOf(schema: TSchema, value: unknown, pointer = ''): Generator<FieldError> {
  if (compiledOf(schema).check(value)) return;
  let isTold = false;
  for (const error of partErrors(schema as Walked, value, pointer)) {
    isTold = true;
    yield error;
  }
  if (!isTold) yield* ownErrors(schema, value, pointer);
}

function* partErrors(schema: Walked, value: unknown, pointer: string): Generator<FieldError> {
  if (Array.isArray(value)) {
    const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    // The library would also compare each item with all others, in quadratic time.
    if (value.length > maxItems) yield { pointer, detail: `must not have more than ${maxItems} items` };
    if (items === undefined || value.length < minItems || value.length > maxItems) return;
    for (const [at, item] of value.entries()) yield* errorsOf(items, item, `${pointer}/${at}`);
  } else if (typeof value === 'object' && value !== null) {
    yield* memberErrors(schema, value as Record<string, unknown>, pointer);
  }
}

function* memberErrors(schema: Walked, value: Record<string, unknown>, pointer: string): Generator<FieldError> {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  for (const name of missing) yield { pointer: `${pointer}${pointerTo(name)}`, detail: 'is missing' };
  const patterns = Object.entries(schema.patternProperties ?? {}).map(
    ([pattern, part]) => [new RegExp(pattern, 'u'), part] as const,
  );
  const names = Object.keys(value);
  const isKnown = (name: string) => Object.hasOwn(properties, name) || patterns.some(([pattern]) => pattern.test(name));
  if (additionalProperties === false) {
    const unknown = names.filter((name) => !isKnown(name));
    if (unknown.length > 0) yield { pointer, detail: `has unknown fields: ${listNames(unknown)}` };
  }
  for (const name of names) {
    const parts: TSchema[] = [];
    if (Object.hasOwn(properties, name)) parts.push(properties[name] as TSchema);
    for (const [pattern, part] of patterns) if (pattern.test(name)) parts.push(part);
    if (typeof additionalProperties === 'object' && parts.length === 0) parts.push(additionalProperties);
    for (const part of parts) yield* errorsOf(part, value[name], `${pointer}${pointerTo(name)}`);
  }
}

/** Errors of the value itself, in the library's words. */
function* ownErrors(schema: TSchema, value: unknown, pointer: string): Generator<FieldError> {
  const faults = compiledOf(schema)
    .errors(value)
    .filter((fault) => fault.keyword !== 'boolean' && fault.keyword !== 'anyOf');
  // A value that fails the check is rejected, even if the library reports no specific error.
  if (faults.length === 0) yield { pointer, detail: 'does not match its schema' };
  for (const fault of faults) yield { pointer: `${pointer}${fault.instancePath}`, detail: describe(fault) };
}

const compiledSchemas = new WeakMap<TSchema, Compiled<TSchema>>();

/** Schemas of the contract and of tools live as long as the process. Only parts that had errors are compiled. */
function compiledOf(schema: TSchema): Compiled<TSchema> {
  const known = compiledSchemas.get(schema);
  if (known !== undefined) return known;
  const compiled = compile(schema);
  compiledSchemas.set(schema, compiled);
  return compiled;
}

function describe(fault: { keyword: string; message: string; params: unknown }): string {
  const params = fault.params as Record<string, unknown>;
  if (fault.keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
  if (fault.keyword === 'required') return `is missing ${listNames(params.requiredProperties as string[])}`;
  if (fault.keyword === 'additionalProperties')
    return `has unknown fields: ${listNames(params.additionalProperties as string[])}`;
  return fault.message;
}
