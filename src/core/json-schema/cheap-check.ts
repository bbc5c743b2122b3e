import type { XSchema } from 'typebox/schema';
import { type Checked, checkAgainst } from './check.ts';
import { validation } from './compile.ts';

/**
 * Checks against untrusted schemas that are certain to be cheap, so that they need no thread. Without references, each part
 * of a schema meets each part of a value at most once, and each of these keywords takes time that is linear in what it meets.
 */
const LINEAR: ReadonlySet<string> = new Set([
  ...(['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated'] as const),
  ...(['readOnly', 'writeOnly', 'type', 'enum', 'const', 'properties', 'required', 'additionalProperties'] as const),
  ...(['items', 'prefixItems', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'] as const),
  ...(['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else'] as const),
]);

/** Keywords whose values are not schemas. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'type']);

/** Parts of the schema, and parts of it times parts of the value. A pair takes less than a microsecond. */
const MOST_SCHEMA = 1_000;
const MOST_PAIRS = 20_000;
const MOST_CHARACTERS = 20_000;

const sizes = new WeakMap<object, number | null>();

/** Null if the check is not certain to be cheap. The schema is acceptable (`schemaFault`), and must not change later. */
export function cheapCheck(schema: Record<string, unknown>, input: unknown): Checked | null {
  let size = sizes.get(schema);
  if (size === undefined) {
    size = sizeOfSchema(schema);
    sizes.set(schema, size);
  }
  if (size === null || !isSmall(input, Math.floor(MOST_PAIRS / size))) return null;
  try {
    return validation().Check(schema as XSchema, input) ? { errors: [] } : checkAgainst(schema, input);
  } catch {
    // A keyword with a value that it cannot have.
    return null;
  }
}

/** What a part of a schema is: a schema, a group of them such as the value of `properties`, or data such as an `enum`. */
type Kind = 'schema' | 'group' | 'data';

/** The number of its parts; null where one is not among those that are certain. */
function sizeOfSchema(schema: unknown): number | null {
  const open: { value: unknown; kind: Kind }[] = [{ value: schema, kind: 'schema' }];
  let size = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (++size > MOST_SCHEMA) return null;
    const { value, kind } = at;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (kind === 'schema' && !LINEAR.has(key)) return null;
      open.push({ value: member, kind: kindOf(kind, key, member) });
    }
  }
  return size;
}

function kindOf(parent: Kind, key: string, member: unknown): Kind {
  if (parent === 'data') return 'data';
  if (parent === 'group') return 'schema';
  if (DATA.has(key)) return 'data';
  return key === 'properties' || Array.isArray(member) ? 'group' : 'schema';
}

function isSmall(input: unknown, mostParts: number): boolean {
  const open: unknown[] = [input];
  let parts = 0;
  let characters = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') characters += value.length;
    if (++parts > mostParts || characters > MOST_CHARACTERS) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      characters += key.length;
      open.push(member);
    }
  }
  return true;
}
