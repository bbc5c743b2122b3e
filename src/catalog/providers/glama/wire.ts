import type { Static } from 'typebox';
import { maybe, Records } from '#catalog/sync/wire-types.ts';
import { Type } from '#core/json-schema/type.ts';

/** `GET /v1/servers` of the Glama MCP API 1.0.0, and the later `GET /v1/connectors`. */

const repository = maybe(Type.Object({ url: maybe(Type.String()) }));
const address = {
  namespace: maybe(Type.String()),
  slug: maybe(Type.String()),
  name: maybe(Type.String()),
  description: maybe(Type.String()),
  repository,
};

const Environment = Type.Object({
  properties: maybe(
    Type.Record(
      Type.String(),
      Type.Object({ description: maybe(Type.String()), default: Type.Optional(Type.Unknown()) }),
    ),
  ),
  required: maybe(Type.Array(Type.String())),
});
export type Environment = Static<typeof Environment>;

export const ServerRecord = Type.Object({
  ...address,
  id: Type.String(),
  attributes: maybe(Type.Array(Type.String())),
  environmentVariablesJsonSchema: maybe(Environment),
  spdxLicense: maybe(Type.Object({ name: maybe(Type.String()) })),
  url: maybe(Type.String()),
});
export type ServerRecord = Static<typeof ServerRecord>;

export const ConnectorRecord = Type.Object({
  ...address,
  namespace: Type.String({ minLength: 1 }),
  slug: Type.String({ minLength: 1 }),
  displayName: maybe(Type.String()),
  documentationUrl: maybe(Type.String()),
  deprecatedAt: maybe(Type.String()),
  connection: maybe(
    Type.Object({
      authType: maybe(Type.String()),
      transport: maybe(Type.String()),
      url: maybe(Type.String()),
    }),
  ),
});
export type ConnectorRecord = Static<typeof ConnectorRecord>;

const pageInfo = Type.Object({ endCursor: maybe(Type.String()), hasNextPage: Type.Boolean() });

export const ServersPage = Type.Object({ servers: Records, pageInfo });
export const ConnectorsPage = Type.Object({ connectors: Records, pageInfo });
