import type { Static } from 'typebox';
import { maybe, Records } from '#catalog/sync/wire-types.ts';
import { Type } from '#core/json-schema/type.ts';

/** Two sources of one catalog: the official API (with a key) and the daily public mirror (without). */

// `owner/repo/slug`, or `domain/slug` for skills outside GitHub. A slug may contain slashes.
const id = Type.String({ pattern: '^[^/\\s]+(/[^/\\s]+)+$' });

/** An element of `data[]` of `GET /api/v1/skills`. */
export const ApiSkill = Type.Object({
  id,
  slug: maybe(Type.String()),
  name: maybe(Type.String()),
  /** `owner/repo`, or the domain. */
  source: maybe(Type.String()),
  sourceType: maybe(Type.String()),
  installs: maybe(Type.Number()),
  installUrl: maybe(Type.String()),
  url: maybe(Type.String()),
});
export type ApiSkill = Static<typeof ApiSkill>;

export const ApiPage = Type.Object({
  data: Records,
  pagination: Type.Object({
    page: Type.Integer({ minimum: 0 }),
    perPage: maybe(Type.Integer({ minimum: 1 })),
    total: maybe(Type.Integer({ minimum: 0 })),
    hasMore: Type.Boolean(),
  }),
});
export type ApiPage = Static<typeof ApiPage>;

/** One line of the mirror's `skills.jsonl`. */
export const MirrorSkill = Type.Object({
  id,
  description: maybe(Type.String()),
  installs: maybe(Type.Number()),
  /** Stars of the repository; null if it was removed. */
  stars: maybe(Type.Number()),
  url: maybe(Type.String()),
  /** sha256 of the skill's files. */
  hash: maybe(Type.String()),
  /** When this hash was first seen. */
  fetchedAt: maybe(Type.String()),
});
export type MirrorSkill = Static<typeof MirrorSkill>;
