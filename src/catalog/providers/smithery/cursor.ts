import type { Static } from 'typebox';
import { parseJsonCursor } from '#catalog/sync/json-cursor.ts';
import { Type } from '#core/json-schema/type.ts';

/** Where in the two collections a sync stands. */
const Cursor = Type.Object({
  collection: Type.Union([Type.Literal('servers'), Type.Literal('skills')]),
  page: Type.Integer({ minimum: 1 }),
  /** Known once the servers are through. */
  servers_total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
});
export type Cursor = Static<typeof Cursor>;

export const parseCursor = (text: string | null): Cursor =>
  parseJsonCursor(Cursor, text, { collection: 'servers', page: 1, servers_total: null });
