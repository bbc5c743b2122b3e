import { schemaFault } from '#core/json-schema/fault.ts';
import type { Path } from '#core/yaml/read-yaml-map.ts';
import type { JsonSchema } from './rig.ts';
import { isRecord, nameOf, type RigReader } from './rig-reader.ts';

/** Whether what stands for a JSON Schema is one: the forms of its keywords, and references that lead somewhere. Pure. */

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const SCHEMAS = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];

/** True where nothing was found. */
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
    const fault = keywordFault(key, value);
    if (fault !== null) wrong(at, fault);
    else if (key === '$ref') checkReference(reader, at, value as string, root);
    else if (SCHEMAS.includes(key)) checkForms(reader, at, value, root);
    else if (LISTS.includes(key))
      for (const [index, schema] of (value as unknown[]).entries()) checkForms(reader, [...at, index], schema, root);
    else if (MAPS.includes(key))
      for (const [name, schema] of Object.entries(value as object)) checkForms(reader, [...at, name], schema, root);
  }
}

/** The end of a sentence that begins with the keyword and "must be"; null where its form is right. */
function keywordFault(key: string, value: unknown): string | null {
  if (key === 'type') {
    const types = Array.isArray(value) ? value : [value];
    return types.length > 0 && types.every((type) => TYPES.includes(type)) ? null : `of ${TYPES.join(', ')}`;
  }
  if (key === 'required') return isTexts(value) ? null : 'a list of names';
  if (key === 'enum') return Array.isArray(value) && value.length > 0 ? null : 'a list of values';
  if (key === 'pattern') return isPattern(value) ? null : 'a regular expression';
  if (NUMBERS.includes(key)) return typeof value === 'number' ? null : 'a number';
  if (COUNTS.includes(key))
    return Number.isSafeInteger(value) && (value as number) >= 0 ? null : 'a whole number from 0';
  if (LISTS.includes(key)) return Array.isArray(value) && value.length > 0 ? null : 'a list of schemas';
  if (MAPS.includes(key)) return isRecord(value) ? null : 'a map of schemas';
  if (key === '$ref') return typeof value === 'string' ? null : 'a text';
  return null;
}

/** A pointer into the schema itself has to lead to something, and not round in circles of nothing but references. */
function checkReference(reader: RigReader, at: Path, ref: string, root: JsonSchema): void {
  const seen = new Set<string>();
  for (let next = ref; next.startsWith('#/') || next === '#'; ) {
    if (seen.has(next)) {
      reader.fault('schema-circle', at, `${nameOf(at)} leads round in circles.`);
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

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
