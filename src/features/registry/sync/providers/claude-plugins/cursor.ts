import Type, { type Static } from 'typebox';
import { mismatch } from '../../adapt-fields.ts';
import type { Validators } from '../../provider.ts';

/** What several files need where one was foreseen: the place among them, and the validators of each. */

const Known = Type.Record(
  Type.String(),
  Type.Object({ etag: Type.Optional(Type.String()), last_modified: Type.Optional(Type.String()) }),
);
/** Catalogue → the validators of its file. */
export type Known = Record<string, Validators>;

const Cursor = Type.Object({ file: Type.Integer({ minimum: 0 }), known: Known });
export type Cursor = Static<typeof Cursor>;

/** A cursor of another version of this program starts from the first file. */
export const readCursor = (cursor: string | null, files: number): Cursor => {
  const value = parsed(cursor);
  const fits = mismatch(Cursor, value) === null && (value as Cursor).file < files;
  return fits ? (value as Cursor) : { file: 0, known: {} };
};

/** All validators travel as one JSON map in the place of the ETag. */
export const writeMap = (known: Known): Validators => ({ etag: JSON.stringify(known) });

export const readMap = ({ etag }: Validators): Known => {
  const value = parsed(etag ?? null);
  return mismatch(Known, value) === null ? (value as Known) : {};
};

const parsed = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
};
