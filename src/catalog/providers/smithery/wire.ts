import type { Static } from 'typebox';
import { maybe, Records } from '#catalog/sync/wire-types.ts';
import { Type } from '#core/json-schema/type.ts';

/** `GET /servers` and `GET /skills` of the Smithery Platform API (OpenAPI description of 2026-08). */

export const ServerRecord = Type.Object({
  qualifiedName: Type.String(),
  namespace: maybe(Type.String()),
  displayName: maybe(Type.String()),
  description: maybe(Type.String()),
  useCount: maybe(Type.Number()),
  homepage: maybe(Type.String()),
});
export type ServerRecord = Static<typeof ServerRecord>;

export const SkillRecord = Type.Object({
  namespace: Type.String({ minLength: 1 }),
  slug: Type.String({ minLength: 1 }),
  displayName: maybe(Type.String()),
  description: maybe(Type.String()),
  externalStars: maybe(Type.Number()),
  totalActivations: maybe(Type.Number()),
  categories: maybe(Type.Array(Type.String())),
  servers: maybe(Type.Array(Type.String())),
  gitUrl: maybe(Type.String()),
  listed: maybe(Type.Boolean()),
});
export type SkillRecord = Static<typeof SkillRecord>;

const total = Type.Integer({ minimum: 0 });
const pagination = Type.Object({ totalPages: total, totalCount: maybe(total) });

export const ServersPage = Type.Object({ servers: Records, pagination });
export const SkillsPage = Type.Object({ skills: Records, pagination });

/** JSON Schema of the server's configuration. */
const ConfigSchema = maybe(
  Type.Object({
    properties: maybe(Type.Record(Type.String(), Type.Unknown())),
    required: maybe(Type.Array(Type.String())),
  }),
);

/** `GET /servers/{qualifiedName}`, limited to what describes how to reach the server. */
export const ServerDetail = Type.Object({
  qualifiedName: Type.String(),
  remote: maybe(Type.Boolean()),
  deploymentUrl: maybe(Type.String()),
  connections: maybe(
    Type.Array(
      Type.Object({
        type: Type.String(),
        deploymentUrl: maybe(Type.String()),
        bundleUrl: maybe(Type.String()),
        runtime: maybe(Type.String()),
        configSchema: ConfigSchema,
      }),
    ),
  ),
});
export type ServerDetail = Static<typeof ServerDetail>;
