import type { Static } from 'typebox';
import { maybe, Records } from '#catalog/sync/wire-types.ts';
import { Type } from '#core/json-schema/type.ts';

/** ClawHub's public API (OpenAPI description of 2026-08). `tags` is a map of dist-tags and unused; tags come from `topics`. */

const stats = maybe(Type.Object({ downloads: maybe(Type.Number()), stars: maybe(Type.Number()) }));
const name = Type.String({ minLength: 1, pattern: '\\S' });

/** An element of `GET /api/v1/packages` and `/api/v1/plugins`: a skill, plugin or claw. */
export const CatalogItem = Type.Object({
  /** The slug of a skill, unique per owner, or the name of a package, globally unique, possibly `@scope/name`. */
  name,
  family: Type.Enum(['skill', 'code-plugin', 'bundle-plugin', 'claw']),
  displayName: maybe(Type.String()),
  summary: maybe(Type.String()),
  ownerHandle: maybe(Type.String()),
  latestVersion: maybe(Type.String()),
  createdAt: maybe(Type.Number()),
  updatedAt: maybe(Type.Number()),
  // Sent by the service, but undocumented.
  topics: maybe(Type.Array(Type.String())),
  stats,
});
export type CatalogItem = Static<typeof CatalogItem>;

// Sanitized where it is used, so that an invalid value does not reject the record.
const any = Type.Optional(Type.Unknown());
const version = maybe(
  Type.Object({ version: maybe(Type.String()), license: maybe(Type.String()), createdAt: any, changelog: any }),
);

/** An element of `GET /api/v1/skills`. It has no owner, and several owners may have the same slug. */
export const SkillItem = Type.Object({
  slug: name,
  displayName: maybe(Type.String()),
  summary: maybe(Type.String()),
  topics: maybe(Type.Array(Type.String())),
  stats,
  createdAt: maybe(Type.Number()),
  updatedAt: maybe(Type.Number()),
  latestVersion: version,
});
export type SkillItem = Static<typeof SkillItem>;

/** `GET /api/v1/skills/{slug}`. */
export const SkillDetail = Type.Object({
  skill: SkillItem,
  latestVersion: version,
  owner: Type.Object({ handle: Type.String({ minLength: 1 }) }),
  moderation: maybe(Type.Object({ isMalwareBlocked: maybe(Type.Boolean()) })),
});
export type SkillDetail = Static<typeof SkillDetail>;

export const ListPage = Type.Object({ items: Records, nextCursor: maybe(Type.String()) });
export type ListPage = Static<typeof ListPage>;
