import type { Static } from 'typebox';
import { parseJsonCursor } from '#catalog/sync/json-cursor.ts';
import type { Validators } from '#catalog/sync/provider.ts';
import { Type } from '#core/json-schema/type.ts';

/** The cursor over several files, with the validators of each. */

const Known = Type.Record(
  Type.String(),
  Type.Object({ etag: Type.Optional(Type.String()), last_modified: Type.Optional(Type.String()) }),
);
/** By catalog: the validators of its file. */
type Known = Record<string, Validators>;

const Cursor = Type.Object({ file: Type.Integer({ minimum: 0 }), known: Known });
export type Cursor = Static<typeof Cursor>;

/** `files` is their number. A cursor beyond the last file restarts. */
export function readCursor(text: string | null, files: number): Cursor {
  const start = { file: 0, known: {} };
  const cursor = parseJsonCursor(Cursor, text, start);
  return cursor.file < files ? cursor : start;
}

/** All validators are stored as a JSON map in the field of the ETag. */
export const writeMap = (known: Known): Validators => ({ etag: JSON.stringify(known) });

export const readMap = ({ etag }: Validators): Known => parseJsonCursor(Known, etag ?? null, {}) as Known;
