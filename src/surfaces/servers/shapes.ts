import type { Static, TSchema } from 'typebox';
import { Type } from '#core/json-schema/type.ts';

/** The MCP registry's types (API version 0.1, as of 2025-12-01), for responses and for its own records. */

export const OFFICIAL = 'io.modelcontextprotocol.registry/official';

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const listOf = <T extends TSchema>(schema: T) => Type.Optional(Type.Array(schema));

const INPUT = {
  description: text,
  isRequired: flag,
  format: Type.Optional(Type.Enum(['string', 'number', 'boolean', 'filepath'])),
  value: text,
  isSecret: flag,
  default: text,
  placeholder: text,
  choices: listOf(Type.String()),
};
/** Only known members are used. */
const closed = <const T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

export const Variable = closed(INPUT);
const Variables = Type.Optional(Type.Record(Type.String(), Variable));

export const KeyValue = closed({ name: Type.String(), ...INPUT, variables: Variables });
export const Argument = Type.Union([
  closed({
    type: Type.Literal('named'),
    name: Type.String(),
    isRepeated: flag,
    ...INPUT,
    variables: Variables,
  }),
  closed({
    type: Type.Literal('positional'),
    valueHint: Type.String(),
    isRepeated: flag,
    ...INPUT,
    variables: Variables,
  }),
  closed({
    type: Type.Literal('positional'),
    ...INPUT,
    value: Type.String(),
    isRepeated: flag,
    variables: Variables,
  }),
]);

const Url = Type.String({ pattern: '^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$' });
const REMOTE = { type: Type.Enum(['streamable-http', 'sse']), url: Url, headers: listOf(KeyValue) };
export const RemoteTransport = closed({ ...REMOTE, variables: Variables });
export type RemoteTransport = Static<typeof RemoteTransport>;

export const Package = closed({
  registryType: Type.String({ description: '`npm`, `pypi`, `oci`, `nuget`, `mcpb` and others.' }),
  registryBaseUrl: Type.Optional(Type.String({ pattern: '^https?://[^\\s]+$' })),
  identifier: Type.String(),
  version: Type.Optional(Type.String({ minLength: 1, not: { const: 'latest' } })),
  fileSha256: Type.Optional(Type.String({ pattern: '^[a-f0-9]{64}$' })),
  runtimeHint: text,
  transport: Type.Union([closed({ type: Type.Literal('stdio') }), closed(REMOTE)]),
  runtimeArguments: listOf(Argument),
  packageArguments: listOf(Argument),
  environmentVariables: listOf(KeyValue),
});
export type Package = Static<typeof Package>;

const ServerIcon = closed({
  src: Type.String({ pattern: '^(https://|data:image/)', description: 'URL, or a data URL of at most 8 KB.' }),
  mimeType: text,
  sizes: listOf(Type.String()),
  theme: Type.Optional(Type.Enum(['light', 'dark'])),
});

export const Server = Type.Object({
  $schema: Type.Optional(Type.String({ format: 'uri' })),
  name: Type.String({ minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }),
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  description: Type.String({ minLength: 1, maxLength: 100 }),
  version: Type.String({ maxLength: 255, description: '`0.0.0` if the provider reports none.' }),
  websiteUrl: Type.Optional(Type.String({ format: 'uri' })),
  repository: Type.Optional(
    Type.Object({ url: Type.String({ format: 'uri' }), source: Type.String(), id: text, subfolder: text }),
  ),
  icons: listOf(ServerIcon),
  packages: listOf(Package),
  remotes: listOf(RemoteTransport),
  _meta: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'What the publisher added. Untrusted data.' }),
  ),
});

const Status = Type.Object(
  {
    status: Type.Enum(['active', 'deprecated', 'deleted']),
    statusMessage: Type.Optional(Type.String({ description: 'Reason of the status, as the provider reports it.' })),
    statusChangedAt: Type.Optional(Type.String({ description: 'As the provider reports it.' })),
    publishedAt: Type.String({
      format: 'date-time',
      description: 'When the listing was first synced; of an earlier version, when it was published, if that is known.',
    }),
    updatedAt: Type.String({
      format: 'date-time',
      description: 'When the listing changed here. Strictly increasing; used by `updated_since`.',
    }),
    isLatest: Type.Boolean({ description: 'Whether it is the latest version. Lists of servers have no others.' }),
  },
  { additionalProperties: false },
);

export const ServerResponse = Type.Object({
  server: Server,
  _meta: Type.Object(
    { [OFFICIAL]: Status },
    {
      additionalProperties: true,
      description: 'Additional fields of the listing under `<our reverse domain>/custom`.',
    },
  ),
});
export type ServerResponse = Omit<Static<typeof ServerResponse>, '_meta'> & {
  _meta: Static<typeof ServerResponse>['_meta'] & Record<string, unknown>;
};

export const ServerList = Type.Object({
  servers: Type.Array(ServerResponse),
  metadata: Type.Object({
    nextCursor: Type.Optional(Type.String({ description: 'Omitted on the last page.' })),
    count: Type.Integer({ minimum: 0, description: 'Servers on this page.' }),
  }),
});
export type ServerList = Omit<Static<typeof ServerList>, 'servers'> & { servers: ServerResponse[] };
