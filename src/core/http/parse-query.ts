import type { TObject, TSchema } from 'typebox';
import { coreProblem } from '#core/errors.ts';
import { type FieldError, pointerTo } from '#core/problem/problem.ts';
import { countUpTo } from './body-bounds.ts';

/** Parses query strings strictly: unknown names, repeated names and malformed numbers are errors. */

interface ParsedQuery {
  values: Record<string, unknown>;
  errors: FieldError[];
}

/** Throws `http.invalid` (`parameters`). */
export type QueryParser = (raw: string) => ParsedQuery;

const MAX_QUERY_PARAMETERS = 100;

/** Prepared once per operation. With `open`, unknown names are ignored. */
export function queryParser(schema: TObject | undefined, open = false): QueryParser {
  const entries = Object.entries((schema?.properties ?? {}) as Record<string, TSchema>);
  const properties = entries.map(([name, property]) => ({ name, property }));
  const defaults = entries.filter(([, entry]) => 'default' in entry);
  return (raw) => {
    const values: Record<string, unknown> = {};
    const errors: FieldError[] = [];
    let unknown = 0;
    const refuse = (name: string, detail: string) => errors.push({ pointer: pointerTo(name), detail });
    for (const [given, text] of pairsOf(raw)) {
      // Compared one by one: looking up a substring of the request in a Map would add it to V8's string table.
      const known = properties.find(({ name }) => name === given);
      if (known === undefined) {
        if (open) continue;
        unknown += 1;
        // The list of allowed names is long, so only a single error contains it.
        refuse(given, unknown === 1 ? unknownName(properties.map(({ name }) => name)) : 'is unknown');
      } else if (Object.hasOwn(values, known.name)) refuse(known.name, 'is given more than once');
      else readInto(values, errors, known.name, text, known.property);
    }
    for (const [name, property] of defaults)
      if (!Object.hasOwn(values, name)) values[name] = (property as { default?: unknown }).default;
    return { values, errors };
  };
}

/** Parses as URLSearchParams does. Plain queries, which are most, skip its cost. */
function pairsOf(raw: string): [name: string, text: string][] {
  if (raw === '') return [];
  if (countUpTo(raw, '&', MAX_QUERY_PARAMETERS) >= MAX_QUERY_PARAMETERS)
    throw coreProblem('http.invalid', `Too many query parameters (limit: ${MAX_QUERY_PARAMETERS}).`, {
      reason: 'parameters',
    });
  if (raw.includes('%')) return [...new URLSearchParams(raw)];
  const pairs: [string, string][] = [];
  const plain = raw.includes('+') ? raw.replaceAll('+', ' ') : raw;
  for (let from = 0; from < plain.length; ) {
    const next = plain.indexOf('&', from);
    const end = next === -1 ? plain.length : next;
    const equals = plain.indexOf('=', from);
    const at = equals === -1 || equals > end ? end : equals;
    if (end > from) pairs.push([plain.slice(from, at), plain.slice(at + 1, end)]);
    from = end + 1;
  }
  return pairs;
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
    errors.push({ pointer: pointerTo(name), detail: 'must be an integer' });
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
