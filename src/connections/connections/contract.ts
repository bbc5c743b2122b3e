import type { TSchema } from 'typebox';
import { deleted } from '#accounts/users/deleted.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { jsonAnswer, jsonContent, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { MCP_TRANSPORTS } from '#core/mcp/target.ts';
import { ProblemBriefShape } from '#core/problem/brief-shape.ts';
import { AUTH_TYPES, CONNECTION_STATUSES } from './connection.ts';
import { CONNECTION_EXAMPLE, CONNECTION_ID } from './examples.ts';
import { PACKAGED_PROBLEMS } from './packaged-problems.ts';

/** The operations of connections. */

const closed = { additionalProperties: false };
const text = Type.String();
const time = Type.String({ format: 'date-time' });
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const Field = Type.Object({
  name: text,
  in: Type.Enum(['header', 'variable', 'env', 'argument'], {
    description: 'Of a package: `env` is an environment variable, `variable` a part of one or of an argument.',
  }),
  description: text,
  required: Type.Boolean(),
  secret: Type.Boolean({ description: 'Stored with PUT …/credentials and never returned.' }),
  default: text,
  format: Type.Optional(
    Type.Enum(['text', 'number', 'boolean', 'filepath', 'directory', 'file'], {
      description: 'A `directory` or `file` is one in the box: `/tmp` or below it.',
    }),
  ),
  choices: Type.Optional(Type.Array(text, { description: 'The only values allowed; empty for any.' })),
  repeated: Type.Optional(Type.Boolean({ description: 'Several values are sent as one, each on its own line.' })),
  hint: Type.Optional(Type.String({ description: 'An example of the value.' })),
  min: Type.Optional(Type.Number({ description: 'Of a number: the lowest allowed.' })),
  max: Type.Optional(Type.Number({ description: 'Of a number: the highest allowed.' })),
});

const digest = nullable(text, 'SHA-256 in hexadecimal. Null until the package ran.');

const PackageShown = Type.Object({
  ecosystem: Type.String({ description: '`npm`, `pypi`, `mcpb` or `oci`.' }),
  name: text,
  version: Type.String({ description: 'Exact. Empty for images and bundles, whose name or hash has it.' }),
  purl: Type.String({ description: 'Package URL.' }),
  hosts: Type.Array(text, { description: 'Hosts that it may reach. Change them with PUT …/hosts.' }),
  proposed_hosts: Type.Array(text, {
    description: 'Hosts that its listing names, or that it asked for, and that are not granted.',
  }),
  wanted_hosts: Type.Array(text, { description: 'Hosts that it asked for and was refused.' }),
  isolation: nullable(text, 'What held it when it last ran, such as `bwrap+seccomp+cgroup`.'),
  lock_sha256: digest,
  tree_sha256: digest,
  size_bytes: nullable(Type.Integer(), 'Of its files with all dependencies.'),
});

export const ConnectionShown = Type.Object({
  id: text,
  name: text,
  url: Type.String({
    description: 'As given. Variables such as `{region}` are filled in on use. Of a package: its package URL.',
  }),
  transport: Type.Enum([...MCP_TRANSPORTS, 'stdio'], { description: '`stdio`: started from a package.' }),
  status: Type.Enum([...CONNECTION_STATUSES], {
    description: '`auth_required`: store credentials or authorize the connection. `error`: see `last_error`.',
  }),
  server_info: nullable(Type.Object({ name: text, version: text }), 'Name and version that the server reports.'),
  protocol_version: nullable(text, 'MCP protocol version, such as `2026-07-28`.'),
  last_error: nullable(ProblemBriefShape, 'Why it is not `ready`.'),
  tools_read_at: nullable(time, 'When the tool list was last fetched.'),
  created_at: time,
  last_used_at: nullable(time, 'Accurate to about a minute.'),
  listing: nullable(
    Type.Object({ provider: text, external_id: text }),
    'The listing that the connection was created from.',
  ),
  package: nullable(PackageShown, 'Of a server that is started from a package.'),
  auth: Type.Object({
    type: Type.Enum([...AUTH_TYPES], { description: 'Current authentication method.' }),
    oauth: nullable(Type.Boolean(), 'Whether the server offers OAuth. Null if unknown.'),
    account: nullable(
      text,
      'The account that is signed in, as its issuer names it in an ID token: an email address or a user name. Untrusted text. ' +
        'Null if the issuer does not say.',
    ),
    previous_account: nullable(text, 'Who was signed in before, if that was another account. Untrusted text.'),
    required: Type.Array(Field, {
      description:
        'Headers, variables, environment variables and arguments that the server requires, according to its listing.',
    }),
    optional: Type.Array(Field),
    values: Type.Record(text, text, { description: 'Values that are not secret, as given.' }),
    stored: Type.Array(text, { description: 'Names of the stored secrets.' }),
  }),
});

const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const examples = { id: CONNECTION_ID };

export const Hosts = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  maxItems: 100,
  description:
    'Hosts that the package may reach: `api.example.com`, `*.example.com`, or with a port such as `:8443`. None by default.',
});

const NAME = { minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]*$' };

/** Problems of creating a connection. */
const CREATING: string[] = [
  'users.quota_exceeded',
  'http.invalid',
  'connections.invalid',
  'connections.conflict',
  'users.limit_exceeded',
  'registry.not_found',
  'registry.gone',
  ...PACKAGED_PROBLEMS,
];

const EVENTS_EXAMPLE = `: called

event: step
data: {"step":"fetching","bytes":1843200}

event: result
data: ${JSON.stringify(CONNECTION_EXAMPLE)}

`;

export const connectionsContract = {
  create: operation({
    id: 'connections.connections.create',
    method: 'POST',
    path: '/api/sessions/connections',
    summary: 'Connect to an MCP server',
    description:
      'By URL, by any name of a listing (`ref`), or by one source of it (`listing`). The server is contacted immediately: the connection is `ready`, ' +
      '`auth_required` or `error`, with the reason. A blocked URL, or one that does not speak MCP, fails with ' +
      '422 and creates no connection. Then store secrets with PUT …/credentials, or authorize with OAuth. ' +
      'A listing without a URL is started from its package, in a box without network: the first time takes up to two ' +
      'minutes. With `Accept: text/event-stream` the response is an event stream: `step` with `step` and `bytes`, then one ' +
      '`result` or `error`. Disconnecting cancels it.',
    access: 'jwt',
    limit: 'connect',
    creates: true,
    body: Type.Object(
      {
        name: Type.Optional(
          Type.String({
            ...NAME,
            description:
              'Unique among your connections, to tell several accounts at one server apart. Defaults to the name of the ' +
              'listing or host.',
          }),
        ),
        url: Type.Optional(
          Type.String({ minLength: 1, maxLength: 2_000, description: 'https, on the public internet.' }),
        ),
        ref: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1_000,
            description:
              'A server by any name from a list, search or page: the id of a listing, `publisher/name` or ' +
              '`provider/external_id`. Of several sources, the first that can be connected is used.',
          }),
        ),
        listing: Type.Optional(
          Type.Object(
            {
              provider: Type.Enum([...PROVIDERS]),
              external_id: Type.String({ minLength: 1, maxLength: 1_000 }),
              remote: Type.Optional(
                Type.Integer({
                  minimum: 0,
                  maximum: 100,
                  description: 'Index of the remote URL in the listing. URLs with unknown transports are not counted.',
                }),
              ),
              package: Type.Optional(
                Type.Integer({
                  minimum: 0,
                  maximum: 100,
                  description: 'Index of the package in the listing, to start it although there is a URL.',
                }),
              ),
            },
            closed,
          ),
        ),
        transport: Type.Optional(
          Type.Enum([...MCP_TRANSPORTS], {
            description: 'With `url`: the transport to try first. The other one is the fallback.',
          }),
        ),
        variables: Type.Optional(
          Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 1_000 }), {
            maxProperties: 50,
            description:
              'Non-secret values by name of the header, variable, environment variable or argument. Secrets are rejected.',
          }),
        ),
        hosts: Type.Optional(Hosts),
      },
      closed,
    ),
    body_example: {
      listing: { provider: 'mcp-registry', external_id: 'com.example/tides' },
      variables: { region: 'south' },
    },
    answers: {
      201: {
        description: 'The connection.',
        content: {
          ...jsonContent(ConnectionShown, CONNECTION_EXAMPLE),
          'text/event-stream': { schema: Type.String(), example: EVENTS_EXAMPLE },
        },
      },
    },
    problems: CREATING,
  }),
  list: operation({
    id: 'connections.connections.list',
    method: 'GET',
    path: '/api/sessions/connections',
    summary: 'List your connections',
    description: 'Newest first. `Link` points to the next and previous page.',
    access: 'jwt',
    query: Type.Object({
      ...pageQuery('Connections'),
      listing: Type.Optional(
        Type.String({
          minLength: 3,
          maxLength: 1_100,
          pattern: '^[^/]+/.+$',
          description: 'Only those that were created from this listing: `provider/external_id`.',
        }),
      ),
    }),
    examples: { limit: 50, offset: 0 },
    answers: {
      200: jsonAnswer('One page of connections.', pageOf(ConnectionShown), {
        items: [CONNECTION_EXAMPLE],
        total_count: 1,
        limit: 50,
        offset: 0,
      }),
    },
    problems: [],
  }),
  get: operation({
    id: 'connections.connections.get',
    method: 'GET',
    path: '/api/sessions/connections/{id}',
    summary: 'Get a connection',
    description: 'Returns the stored state. The server is not contacted.',
    access: 'jwt',
    params: Params,
    examples,
    answers: { 200: jsonAnswer('The connection.', ConnectionShown, CONNECTION_EXAMPLE) },
    problems: ['connections.not_found'],
  }),
  update: operation({
    id: 'connections.connections.update',
    method: 'PATCH',
    path: '/api/sessions/connections/{id}',
    summary: 'Rename a connection',
    description:
      'Its id, sign-in, accepted tools and the tool names in endpoints stay the same. Use names to tell several accounts at ' +
      'one server apart.',
    access: 'jwt',
    params: Params,
    examples,
    body: Type.Object({ name: Type.String({ ...NAME, description: 'Unique among your connections.' }) }, closed),
    body_example: { name: 'Tides, harbour office' },
    answers: {
      200: jsonAnswer('The connection.', ConnectionShown, { ...CONNECTION_EXAMPLE, name: 'Tides, harbour office' }),
    },
    problems: ['connections.not_found', 'connections.conflict'],
  }),
  delete: operation({
    id: 'connections.connections.delete',
    method: 'DELETE',
    path: '/api/sessions/connections/{id}',
    summary: 'Delete a connection',
    description: 'Also deletes its credentials. OAuth tokens are revoked at the issuer first, if it can be reached.',
    access: 'jwt',
    params: Params,
    examples,
    answers: { 200: deleted('Deleted.') },
    problems: ['connections.not_found'],
  }),
} as const;
