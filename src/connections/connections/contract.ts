import type { TSchema } from 'typebox';
import { deleted } from '#accounts/users/deleted.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { MCP_TRANSPORTS } from '#core/mcp/target.ts';
import { AUTH_TYPES, CONNECTION_STATUSES } from './connection.ts';
import { CONNECTION_EXAMPLE, CONNECTION_ID } from './examples.ts';

/** The operations of connections. */

const closed = { additionalProperties: false };
const text = Type.String();
const time = Type.String({ format: 'date-time' });
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const Field = Type.Object({
  name: text,
  in: Type.Enum(['header', 'variable']),
  description: text,
  required: Type.Boolean(),
  secret: Type.Boolean({ description: 'Stored with PUT …/credentials and never returned.' }),
  default: text,
});

export const ConnectionShown = Type.Object({
  id: text,
  name: text,
  url: Type.String({ description: 'As given. Variables such as `{region}` are filled in on use.' }),
  transport: Type.Enum([...MCP_TRANSPORTS]),
  status: Type.Enum([...CONNECTION_STATUSES], {
    description: '`auth_required`: store credentials or authorize the connection. `error`: see `last_error`.',
  }),
  server_info: nullable(Type.Object({ name: text, version: text }), 'Name and version that the server reports.'),
  protocol_version: nullable(text, 'MCP protocol version, such as `2026-07-28`.'),
  last_error: nullable(Type.Object({ code: text, detail: text }), 'Why it is not `ready`.'),
  tools_read_at: nullable(time, 'When the tool list was last fetched.'),
  created_at: time,
  last_used_at: nullable(time, 'Accurate to about a minute.'),
  listing: nullable(
    Type.Object({ provider: text, external_id: text }),
    'The listing that the connection was created from.',
  ),
  auth: Type.Object({
    type: Type.Enum([...AUTH_TYPES], { description: 'Current authentication method.' }),
    oauth: nullable(Type.Boolean(), 'Whether the server offers OAuth. Null if unknown.'),
    required: Type.Array(Field, {
      description: 'Headers and variables that the server requires, according to its listing.',
    }),
    optional: Type.Array(Field),
    values: Type.Record(text, text, { description: 'Values that are not secret, as given.' }),
    stored: Type.Array(text, { description: 'Names of the stored secrets.' }),
  }),
});

const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const examples = { id: CONNECTION_ID };

/** Problems of creating a connection. */
const CREATING: string[] = [
  'users.storage_full',
  'sessions.place_unclear',
  'sessions.address_refused',
  'sessions.not_mcp',
  'sessions.name_taken',
  'sessions.too_many',
  'sessions.variable_unfit',
  'sessions.listing_without_address',
  'registry.listing_not_found',
  'registry.listing_removed',
  'registry.listing_taken_down',
];

export const connectionsContract = {
  create: operation({
    id: 'connections.connections.create',
    method: 'POST',
    path: '/api/sessions/connections',
    summary: 'Connect to an MCP server',
    description:
      'By listing or by URL. The server is contacted immediately: the connection is `ready`, ' +
      '`auth_required` or `error`, with the reason. A blocked URL, or one that does not speak MCP, fails with ' +
      '422 and creates no connection. Then store secrets with PUT …/credentials, or authorize with OAuth.',
    access: 'jwt',
    limit: 'connect',
    creates: true,
    body: Type.Object(
      {
        name: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            pattern: '^[^\\u0000-\\u001f\\u007f]*$',
            description: 'Unique among your connections. Defaults to the name of the listing or host.',
          }),
        ),
        url: Type.Optional(
          Type.String({ minLength: 1, maxLength: 2_000, description: 'https, on the public internet.' }),
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
                  default: 0,
                  description: 'Index of the remote URL in the listing. URLs with unknown transports are not counted.',
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
            description: 'Non-secret values by name of the header or variable. Secrets are rejected.',
          }),
        ),
      },
      closed,
    ),
    body_example: {
      listing: { provider: 'mcp-registry', external_id: 'com.example/tides' },
      variables: { region: 'south' },
    },
    answers: { 201: jsonAnswer('The connection.', ConnectionShown, CONNECTION_EXAMPLE) },
    problems: CREATING,
  }),
  list: operation({
    id: 'connections.connections.list',
    method: 'GET',
    path: '/api/sessions/connections',
    summary: 'List your connections',
    description: 'Newest first. `Link` points to the next and previous page.',
    access: 'jwt',
    query: Type.Object({ ...pageQuery('Connections') }),
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
    problems: ['sessions.not_found'],
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
    problems: ['sessions.not_found'],
  }),
} as const;
