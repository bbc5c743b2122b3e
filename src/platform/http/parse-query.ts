import type { TObject, TSchema } from 'typebox';
import { type FieldError, pointerTo } from '../problem.ts';

/** Query strings read strictly: unknown names, repeated names and loose numbers are errors, never guesses. */

export interface ParsedQuery {
  values: Record<string, unknown>;
  errors: FieldError[];
}

export function parseQuery(raw: string, schema: TObject | undefined): ParsedQuery {
  const properties = (schema?.properties ?? {}) as Record<string, TSchema>;
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [name, text] of raw === '' ? [] : new URLSearchParams(raw)) {
    // Names such as `constructor` stand on every object.
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) errors.push({ pointer: pointerTo(name), detail: unknownName(Object.keys(properties)) });
    else if (Object.hasOwn(values, name)) errors.push({ pointer: pointerTo(name), detail: 'is given more than once' });
    else readInto(values, errors, name, text, property);
  }
  for (const [name, property] of Object.entries(properties))
    if (!Object.hasOwn(values, name) && 'default' in property) values[name] = property.default;
  return { values, errors };
}

function readInto(
  values: Record<string, unknown>,
  errors: FieldError[],
  name: string,
  text: string,
  property: TSchema,
): void {
  const type = 'type' in property ? property.type : undefined;
  if (type === 'integer' && !/^-?\d{1,15}$/.test(text)) {
    errors.push({ pointer: pointerTo(name), detail: 'must be a whole number' });
    values[name] = undefined;
  } else if (type === 'boolean' && text !== 'true' && text !== 'false') {
    errors.push({ pointer: pointerTo(name), detail: 'must be true or false' });
    values[name] = undefined;
  } else values[name] = type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text;
}

const unknownName = (allowed: string[]): string =>
  allowed.length === 0
    ? 'is unknown; no query parameter is allowed here'
    : `is unknown; allowed are ${allowed.join(', ')}`;
