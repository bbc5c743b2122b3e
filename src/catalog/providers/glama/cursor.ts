import type { Static } from 'typebox';
import { parseJsonCursor } from '#catalog/sync/json-cursor.ts';
import { Type } from '#core/json-schema/type.ts';

/** The cursor of a sync in the two collections; `after` is Glama's own cursor. */
const Cursor = Type.Object({
  collection: Type.Union([Type.Literal('servers'), Type.Literal('connectors')]),
  after: Type.Union([Type.String(), Type.Null()]),
});
export type Cursor = Static<typeof Cursor>;

export const parseCursor = (text: string | null): Cursor =>
  parseJsonCursor(Cursor, text, { collection: 'servers', after: null });
