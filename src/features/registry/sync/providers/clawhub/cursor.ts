import Type, { type Static } from 'typebox';
import { mismatch } from '../../adapt-fields.ts';

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

export const START: Cursor = { part: 'catalog', after: null };

/** A cursor of another version of this program starts again. */
export const readCursor = (cursor: string | null): Cursor => {
  try {
    const value: unknown = JSON.parse(cursor ?? 'null');
    return mismatch(Cursor, value) === null ? (value as Cursor) : START;
  } catch {
    return START;
  }
};
