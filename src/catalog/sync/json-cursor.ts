import type { Static, TSchema } from 'typebox';
import { mismatch } from './adapt-record.ts';

/** Parses a cursor stored as JSON. A cursor of another version of the program restarts from the beginning. */
export function parseJsonCursor<S extends TSchema>(schema: S, text: string | null, start: Static<S>): Static<S> {
  if (text === null) return start;
  try {
    const cursor: unknown = JSON.parse(text);
    return mismatch(schema, cursor) === null ? (cursor as Static<S>) : start;
  } catch {
    return start;
  }
}
