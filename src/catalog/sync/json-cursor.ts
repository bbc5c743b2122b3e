import type { Static, TSchema } from 'typebox';
import { mismatch } from './adapt-record.ts';

/** A cursor kept as JSON. One that another version of the program wrote starts from the beginning. */
export const parseJsonCursor = <S extends TSchema>(schema: S, text: string | null, start: Static<S>): Static<S> => {
  if (text === null) return start;
  try {
    const cursor: unknown = JSON.parse(text);
    return mismatch(schema, cursor) === null ? (cursor as Static<S>) : start;
  } catch {
    return start;
  }
};
