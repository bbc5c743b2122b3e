import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';

/**
 * The end of a page: the kind of list and the sort key of its last entry. It is a position between entries rather than
 * an offset, so that changes in between do not shift it. Relevance has no such key, so a search has the last entry and its place.
 */
export type Position =
  | { kind: 'key'; provider_id: string; external_id: string }
  | { kind: 'changed'; changed_at: string; provider_id: string; external_id: string }
  /** `number` is the entry's place among the results, from 1. */
  | { kind: 'found'; number: number; provider_id: string; external_id: string; search: string };

export type PageKind = Position['kind'];

/** Longer than the longest id and name produce. */
const MOST_CURSOR = 8_192;
/** Characters of a search. A cursor may bring its own, so the limit is checked there, too. */
export const MOST_SEARCH = 400;

export function writeCursor(position: Position): string {
  const values = FIELDS[position.kind].map((name) => (position as Record<string, unknown>)[name]);
  return Buffer.from(JSON.stringify([position.kind, ...values])).toString('base64url');
}

/** Throws `http.invalid` (`input`) for a cursor that was not issued, or was for another kind of list. */
export function readCursor(cursor: string, kind: PageKind): Position {
  const values = decode(cursor);
  const fields = FIELDS[kind];
  const fits =
    Array.isArray(values) &&
    values[0] === kind &&
    values.length === fields.length + 1 &&
    fields.every((name, i) => (name === 'number' ? isPlace(values[i + 1]) : typeof values[i + 1] === 'string')) &&
    // No id contains NUL, and PostgreSQL rejects it in a query.
    !values.some((value) => typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()));
  if (!fits) throw invalid();
  const position = { kind, ...Object.fromEntries(fields.map((name, i) => [name, values[i + 1]])) } as Position;
  if (position.kind === 'found' && position.search.length > MOST_SEARCH) throw invalid();
  // Accepts the canonical encoding only.
  if (writeCursor(position) !== cursor) throw invalid();
  return position;
}

const isPlace = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

const FIELDS = {
  key: ['provider_id', 'external_id'],
  changed: ['changed_at', 'provider_id', 'external_id'],
  found: ['number', 'provider_id', 'external_id', 'search'],
} as const;

/** The search of the page: VS Code sends the cursor of a search without the search. */
export function searchOf(cursor: string): string {
  const values = decode(cursor);
  return Array.isArray(values) && values[0] === 'found' ? (readCursor(cursor, 'found') as Found).search : '';
}

type Found = Extract<Position, { kind: 'found' }>;

function decode(cursor: string): unknown {
  if (cursor.length > MOST_CURSOR || !/^[\w-]+$/.test(cursor)) throw invalid();
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw invalid();
  }
}

const invalid = (): Problem =>
  coreProblem('http.invalid', 'Invalid cursor. Send metadata.nextCursor unchanged, with the same parameters.', {
    reason: 'input',
  });
