import type { Static } from 'typebox';
import { parseJsonCursor } from '#catalog/sync/json-cursor.ts';
import { Type } from '#core/json-schema/type.ts';

/** Where a sync stands: the part of the catalogue, and ClawHub's own cursors in it. JSON, so that it survives a restart. */

const own = Type.Union([Type.String(), Type.Null()]);

export const Cursor = Type.Object({
  /** `catalog` = skills out of the packages list; `skills` = out of the skills list, with owners looked up. */
  part: Type.Enum(['catalog', 'skills', 'plugins', 'claws']),
  after: own,
  /** In `skills`: where the packages list stands, or null from its start; undefined where it cannot be used. */
  owners_after: Type.Optional(own),
});
export type Cursor = Static<typeof Cursor>;

export const readCursor = (cursor: string | null): Cursor =>
  parseJsonCursor(Cursor, cursor, { part: 'catalog', after: null });
