/**
 * Schemas whose checks are certain to be cheap. Without references, each part of a schema meets each part of a value at most once,
 * and each of these keywords takes time that is linear in what it meets. References to definitions of the schema are put in place,
 * so that none are left; what is recursive or grows too large by that is not cheap. Pure.
 */
export interface CheapSchema {
  schema: Record<string, unknown>;
  /** Number of its parts. */
  size: number;
  /** How many of them read a text with a format. */
  formats: number;
}

const LINEAR: ReadonlySet<string> = new Set([
  ...(['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated'] as const),
  ...(['readOnly', 'writeOnly', 'type', 'enum', 'const', 'properties', 'required', 'additionalProperties'] as const),
  ...(['items', 'prefixItems', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'] as const),
  ...(['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'format'] as const),
]);

/** Formats that are read in linear time, and names that assert nothing. */
const LINEAR_FORMATS: ReadonlySet<unknown> = new Set([
  ...(['date-time', 'date', 'time', 'duration', 'email', 'uri', 'url', 'uuid', 'ipv4', 'ipv6'] as const),
  ...(['int32', 'int64', 'float', 'double', 'password', 'byte', 'binary'] as const),
]);

/** Keywords whose values are not schemas. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'type']);
const DEFINITIONS = ['$defs', 'definitions'];

const MOST_SIZE = 1_000;

/** What a part of a schema is: a schema, a group of them such as the value of `properties`, or data such as an `enum`. */
type Kind = 'schema' | 'group' | 'data';

interface Reading {
  root: Record<string, unknown>;
  /** Parts that may still follow; negative once the schema is known not to be cheap. */
  left: number;
  formats: number;
  has_reference: boolean;
  /** Whether a part within it has an id, which references are resolved against. */
  has_inner_id: boolean;
}

/** Null for a schema that is not certain to be cheap. Takes time for as many parts as a cheap one may have. */
export function cheapSchema(root: Record<string, unknown>): CheapSchema | null {
  const reading: Reading = { root, left: MOST_SIZE, formats: 0, has_reference: false, has_inner_id: false };
  const schema = inlined(reading, root, 'schema') as Record<string, unknown>;
  const { left, formats, has_reference, has_inner_id } = reading;
  if (left < 0 || (has_reference && has_inner_id)) return null;
  return { schema: has_reference ? schema : root, size: MOST_SIZE - left, formats };
}

/** The part with every reference put in place. It means nothing once `left` is negative. */
function inlined(reading: Reading, value: unknown, kind: Kind): unknown {
  reading.left -= 1;
  if (reading.left < 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inlined(reading, item, kindOf(kind, '', item)));
  const entries: [string, unknown][] = [];
  let target: unknown;
  for (const [key, member] of Object.entries(value)) {
    if (reading.left < 0) break;
    if (kind === 'schema' && DEFINITIONS.includes(key)) continue;
    if (kind === 'schema' && key === '$ref') {
      target = targetOf(reading, member);
      continue;
    }
    if (kind === 'schema') readKeyword(reading, value, key, member);
    entries.push([key, inlined(reading, member, kindOf(kind, key, member))]);
  }
  const own = Object.fromEntries(entries);
  if (target === undefined) return own;
  if (entries.length === 0) return target;
  return Object.fromEntries([...entries, ['allOf', [...((own.allOf as unknown[] | undefined) ?? []), target]]]);
}

function readKeyword(reading: Reading, schema: object, key: string, value: unknown): void {
  if (!LINEAR.has(key)) reading.left = -1;
  if (key === '$id' && schema !== reading.root) reading.has_inner_id = true;
  if (key !== 'format') return;
  reading.formats += 1;
  if (!LINEAR_FORMATS.has(value)) reading.left = -1;
}

/** A definition at the root of the schema, by a name that needs no decoding. */
function targetOf(reading: Reading, ref: unknown): unknown {
  reading.has_reference = true;
  const [, place = '', name = ''] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(String(ref)) ?? [];
  const { [place]: definitions } = reading.root;
  const isThere = typeof definitions === 'object' && definitions !== null && Object.hasOwn(definitions, name);
  const found = isThere ? (definitions as Record<string, unknown>)[name] : undefined;
  if (found !== undefined) return inlined(reading, found, 'schema');
  reading.left = -1;
  return undefined;
}

function kindOf(parent: Kind, key: string, member: unknown): Kind {
  if (parent === 'data') return 'data';
  if (parent === 'group') return 'schema';
  if (DATA.has(key)) return 'data';
  return key === 'properties' || Array.isArray(member) ? 'group' : 'schema';
}
