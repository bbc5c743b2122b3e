import type { Static } from 'typebox';
import { parseJsonCursor } from '#catalog/sync/json-cursor.ts';
import { Type } from '#core/json-schema/type.ts';

/** The cursor of a sync: the part of the catalog, and ClawHub's own cursors in it. */

const own = Type.Union([Type.String(), Type.Null()]);

export const Cursor = Type.Object({
  /** `catalog`: skills from the packages list. `skills`: skills from the skills list, whose owners are looked up. */
  part: Type.Enum(['catalog', 'skills', 'plugins', 'claws']),
  after: own,
  /** For `skills`: the cursor in the packages list, null for its start; undefined if that list cannot be used. */
  owners_after: Type.Optional(own),
});
export type Cursor = Static<typeof Cursor>;

export const readCursor = (cursor: string | null): Cursor =>
  parseJsonCursor(Cursor, cursor, { part: 'catalog', after: null });
