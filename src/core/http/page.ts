import type { TSchema } from 'typebox';
import { Type } from '#core/json-schema/type.ts';

/** The common form of paginated lists. */

/** The query parameters of a page of `things`. */
export const pageQuery = (things: string) => ({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: `Maximum number of ${things} per page.` }),
  offset: Type.Integer({ minimum: 0, default: 0, description: `Number of ${things} to skip.` }),
});

/** The total number of items of a list. */
export const Total = Type.Integer({ minimum: 0, description: 'Total number of matches.' });

export const pageOf = <const T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    total_count: Total,
    limit: Type.Integer(),
    offset: Type.Integer(),
  });
