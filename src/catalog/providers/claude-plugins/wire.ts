import type { Static } from 'typebox';
import { maybe, Records } from '#catalog/sync/wire-types.ts';
import { Type } from '#core/json-schema/type.ts';

/** `marketplace.json` of a plugin marketplace, in the forms that the four catalogs use. */

export const Marketplace = Type.Object({
  name: Type.String({ minLength: 1 }),
  owner: maybe(Type.Object({ name: maybe(Type.String()) })),
  /** By former plugin name: the new name. */
  renames: maybe(Type.Record(Type.String(), Type.Unknown())),
  plugins: Records,
});
export type Marketplace = Static<typeof Marketplace>;

/** `url` and `git-subdir` have `url` (a Git address or `owner/repo`), `github` has `repo`, `npm` has `package`, `local` has `path`. */
export const PluginSource = Type.Object({
  source: Type.String(),
  url: maybe(Type.String()),
  repo: maybe(Type.String()),
  package: maybe(Type.String()),
  path: maybe(Type.String()),
  ref: maybe(Type.String()),
  sha: maybe(Type.String()),
  version: maybe(Type.String()),
});
export type PluginSource = Static<typeof PluginSource>;

const texts = maybe(Type.Array(Type.String()));

export const Plugin = Type.Object({
  /** Unique only within its marketplace. */
  name: Type.String({ minLength: 1, pattern: '^[^@\\s]([^@]*[^@\\s])?$' }),
  description: maybe(Type.String()),
  version: maybe(Type.String()),
  author: maybe(Type.Union([Type.String(), Type.Object({ name: maybe(Type.String()) })])),
  homepage: maybe(Type.String()),
  repository: maybe(Type.Union([Type.String(), Type.Object({ url: maybe(Type.String()) })])),
  license: maybe(Type.String()),
  category: maybe(Type.String()),
  keywords: texts,
  tags: texts,
  source: Type.Union([Type.String({ minLength: 1 }), PluginSource]),
  // A path, a list of paths or the content. Only its presence matters here.
  mcpServers: Type.Optional(Type.Unknown()),
  hooks: Type.Optional(Type.Unknown()),
});
export type Plugin = Static<typeof Plugin>;
