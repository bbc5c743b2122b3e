import { schemaFault } from '#core/json-schema/fault.ts';
import { isRecord } from '#core/record.ts';
import type { Path } from '#core/yaml/read-yaml-map.ts';
import type { JsonSchema } from './rig.ts';
import { nameOf, type RigReader } from './rig-reader.ts';

/** Checks that a value is a JSON Schema: the types of its keywords, and its references. Pure. */

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const SCHEMAS = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];

/** The form of a keyword's value. */
interface Form {
  fits(value: unknown): boolean;
  /** The end of a sentence that begins with the keyword and "must be". */
  expected: string;
}

const FORMS: ReadonlyMap<string, Form> = new Map([
  ['type', { fits: isTypes, expected: `of ${TYPES.join(', ')}` }],
  ['required', { fits: isTexts, expected: 'a list of names' }],
  ['enum', { fits: isFilledList, expected: 'a list of values' }],
  ['pattern', { fits: isPattern, expected: 'a regular expression' }],
  ['$ref', { fits: isText, expected: 'a text' }],
  ...allOf(NUMBERS, { fits: isNumber, expected: 'a number' }),
  ...allOf(COUNTS, { fits: isCount, expected: 'a whole number from 0' }),
  ...allOf(LISTS, { fits: isFilledList, expected: 'a list of schemas' }),
  ...allOf(MAPS, { fits: isRecord, expected: 'a map of schemas' }),
]);

function allOf(keywords: readonly string[], form: Form): [string, Form][] {
  return keywords.map((keyword) => [keyword, form]);
}

/** True if no error was found. */
export function checkSchema(reader: RigReader, path: Path, schema: JsonSchema): boolean {
  const before = reader.faults.length;
  const fault = schemaFault(schema);
  if (fault !== null) reader.fault('schema-unusable', path, `The schema ${fault}.`);
  else checkForms(reader, path, schema, schema);
  return reader.faults.length === before;
}

function checkForms(reader: RigReader, path: Path, schema: unknown, root: JsonSchema): void {
  if (typeof schema === 'boolean' && path.length > 2) return;
  const wrong = (at: Path, what: string): void => reader.fault('schema-unusable', at, `${nameOf(at)} must be ${what}.`);
  if (!isRecord(schema)) {
    wrong(path, 'a JSON Schema');
    return;
  }
  for (const [key, value] of Object.entries(schema)) {
    const at = [...path, key];
    const expected = expectedOf(key, value);
    if (expected !== null) wrong(at, expected);
    else if (key === '$ref') checkReference(reader, at, value as string, root);
    else for (const [steps, inner] of schemasOf(key, value)) checkForms(reader, [...at, ...steps], inner, root);
  }
}

/** What the value must be; null where it is. */
function expectedOf(key: string, value: unknown): string | null {
  const form = FORMS.get(key);
  return form === undefined || form.fits(value) ? null : form.expected;
}

/** The schemas in a keyword's value of the right form, with their paths in it. */
function schemasOf(key: string, value: unknown): [steps: Path, schema: unknown][] {
  if (SCHEMAS.includes(key)) return [[[], value]];
  if (LISTS.includes(key)) return (value as unknown[]).map((schema, index) => [[index], schema]);
  if (MAPS.includes(key)) return Object.entries(value as object).map(([name, schema]) => [[name], schema]);
  return [];
}

/** A pointer within the schema must exist, and must not lead to a cycle of references. */
function checkReference(reader: RigReader, at: Path, ref: string, root: JsonSchema): void {
  const seen = new Set<string>();
  for (let next = ref; next.startsWith('#/') || next === '#'; ) {
    if (seen.has(next)) {
      reader.fault('schema-circle', at, `${nameOf(at)} is circular.`);
      return;
    }
    seen.add(next);
    const found = pointed(root, next);
    if (!isRecord(found) && typeof found !== 'boolean')
      reader.fault('schema-unusable', at, `${nameOf(at)} leads to nothing.`);
    if (!isRecord(found) || typeof found.$ref !== 'string') return;
    next = found.$ref;
  }
}

function pointed(root: JsonSchema, ref: string): unknown {
  const steps = ref === '#' ? [] : ref.slice(2).split('/');
  return steps.reduce<unknown>((at, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, key)
      ? (at as Record<string, unknown>)[key]
      : undefined;
  }, root);
}

function isTypes(value: unknown): boolean {
  const types = Array.isArray(value) ? value : [value];
  return types.length > 0 && types.every((type) => TYPES.includes(type));
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
