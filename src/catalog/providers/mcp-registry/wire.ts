import type { Static } from 'typebox';
import { maybe, Records } from '#catalog/sync/wire-types.ts';
import { Type } from '#core/json-schema/type.ts';

/** `GET /v0.1/servers` of the official MCP Registry (OpenAPI description of 2025-10-17). */

const inputFields = {
  description: maybe(Type.String()),
  isRequired: maybe(Type.Boolean()),
  isSecret: maybe(Type.Boolean()),
  value: maybe(Type.String()),
  default: maybe(Type.String()),
  // Sanitized where they are used, so that an invalid value does not reject the record.
  format: Type.Optional(Type.Unknown()),
  choices: Type.Optional(Type.Unknown()),
  placeholder: Type.Optional(Type.Unknown()),
};

const Input = Type.Object(inputFields);
export type Input = Static<typeof Input>;

/** Named (`name`) or positional (`valueHint`); headers and variables of the environment are always named. */
const NamedInput = Type.Object({
  name: maybe(Type.String()),
  valueHint: maybe(Type.String()),
  type: Type.Optional(Type.Unknown()),
  isRepeated: Type.Optional(Type.Unknown()),
  ...inputFields,
  variables: maybe(Type.Record(Type.String(), Input)),
});
export type NamedInput = Static<typeof NamedInput>;
export const NamedInputs = Type.Array(NamedInput);
const Inputs = maybe(NamedInputs);

const Package = Type.Object({
  registryType: Type.String(),
  identifier: Type.String(),
  version: maybe(Type.String()),
  runtimeHint: maybe(Type.String()),
  transport: maybe(
    Type.Object({
      type: Type.String(),
      url: Type.Optional(Type.Unknown()),
      headers: Type.Optional(Type.Unknown()),
    }),
  ),
  fileSha256: Type.Optional(Type.Unknown()),
  registryBaseUrl: Type.Optional(Type.Unknown()),
  runtimeArguments: Inputs,
  packageArguments: Inputs,
  environmentVariables: Inputs,
});
export type Package = Static<typeof Package>;

const Remote = Type.Object({
  type: Type.String(),
  url: Type.String(),
  headers: Inputs,
  variables: maybe(Type.Record(Type.String(), Input)),
});
export type Remote = Static<typeof Remote>;

export const OFFICIAL = 'io.modelcontextprotocol.registry/official';

export const ServerRecord = Type.Object({
  server: Type.Object({
    name: Type.String(),
    description: maybe(Type.String()),
    title: maybe(Type.String()),
    version: maybe(Type.String()),
    websiteUrl: maybe(Type.String()),
    // Records without a repository have an empty object.
    repository: maybe(Type.Object({ url: maybe(Type.String()) })),
    packages: maybe(Type.Array(Package)),
    remotes: maybe(Type.Array(Remote)),
  }),
  _meta: maybe(
    Type.Object({
      [OFFICIAL]: maybe(
        Type.Object({
          status: maybe(Type.String()),
          updatedAt: maybe(Type.String()),
          isLatest: maybe(Type.Boolean()),
        }),
      ),
    }),
  ),
});
export type ServerRecord = Static<typeof ServerRecord>;

export const ServersPage = Type.Object({
  servers: Records,
  metadata: maybe(Type.Object({ nextCursor: maybe(Type.String()) })),
});
