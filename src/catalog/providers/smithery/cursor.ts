import type { Static } from 'typebox';
import { parseJsonCursor } from '#catalog/sync/json-cursor.ts';
import { Type } from '#core/json-schema/type.ts';

/** The cursor of a sync in the two collections. */
const Cursor = Type.Object({
  collection: Type.Union([Type.Literal('servers'), Type.Literal('skills')]),
  page: Type.Integer({ minimum: 1 }),
  /** Known after the servers were read. */
  servers_total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
});
export type Cursor = Static<typeof Cursor>;

export const parseCursor = (text: string | null): Cursor =>
  parseJsonCursor(Cursor, text, { collection: 'servers', page: 1, servers_total: null });
