import type { TObject, TSchema } from 'typebox';
import { type FieldError, pointerTo } from '../problem.ts';

/** Query strings read strictly: unknown names, repeated names and loose numbers are errors, never guesses. */

export interface ParsedQuery {
  values: Record<string, unknown>;
  errors: FieldError[];
}

export type QueryParser = (raw: string) => ParsedQuery;

/** Prepared once per operation. */
export function queryParser(schema: TObject | undefined): QueryParser {
  const properties = new Map(Object.entries((schema?.properties ?? {}) as Record<string, TSchema>));
  const defaults = [...properties].filter(([, it]) => 'default' in it);
  return (raw) => {
    const values: Record<string, unknown> = {};
    const errors: FieldError[] = [];
    for (const [name, text] of pairsOf(raw)) {
      const property = properties.get(name);
      if (property === undefined)
        errors.push({ pointer: pointerTo(name), detail: unknownName([...properties.keys()]) });
      else if (Object.hasOwn(values, name))
        errors.push({ pointer: pointerTo(name), detail: 'is given more than once' });
      else readInto(values, errors, name, text, property);
    }
    for (const [name, property] of defaults)
      if (!Object.hasOwn(values, name)) values[name] = (property as { default?: unknown }).default;
    return { values, errors };
  };
}

/** As URLSearchParams reads them; the plain ones, which are most, without its cost. */
function pairsOf(raw: string): [name: string, text: string][] {
  if (raw === '') return [];
  if (raw.includes('%')) return [...new URLSearchParams(raw)];
  return raw
    .replaceAll('+', ' ')
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return at === -1 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    });
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
