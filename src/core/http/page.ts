import type { TSchema } from 'typebox';
import { Type } from '#core/json-schema/type.ts';

/** Lists answer one page at a time, all in one form. */

/** The query parameters of a page of `things`. */
export const pageQuery = (things: string) => ({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: `${things} on a page.` }),
  offset: Type.Integer({ minimum: 0, default: 0, description: `${things} to skip before the page.` }),
});

/** Of a list, beside one page of it. */
export const Total = Type.Integer({ minimum: 0, description: 'How many match, on all pages.' });

export const pageOf = <const T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    total_count: Total,
    limit: Type.Integer(),
    offset: Type.Integer(),
  });
