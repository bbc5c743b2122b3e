import type { TSchema } from 'typebox';
import { deleted } from '#accounts/users/deleted.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { MCP_TRANSPORTS } from '#core/mcp/target.ts';
import { AUTH_TYPES, CONNECTION_STATUSES } from './connection.ts';
import { CONNECTION_EXAMPLE, CONNECTION_ID } from './examples.ts';

/** Connections themselves, as data. */

const closed = { additionalProperties: false };
const text = Type.String();
const time = Type.String({ format: 'date-time' });
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const json = (schema: TSchema, example: unknown) => ({ 'application/json': { schema, example } });

export const Field = Type.Object({
  name: text,
  in: Type.Enum(['header', 'variable']),
  description: text,
  required: Type.Boolean(),
  secret: Type.Boolean({ description: 'Stored with PUT …/credentials, and never shown again.' }),
  default: text,
});

export const ConnectionShown = Type.Object({
  id: text,
  name: text,
  url: Type.String({ description: 'As it was given; places such as `{region}` are filled in when it is used.' }),
  transport: Type.Enum([...MCP_TRANSPORTS]),
  status: Type.Enum([...CONNECTION_STATUSES], {
    description: '`auth_required`: something has to be stored or signed in to. `error`: see `last_error`.',
  }),
  server_info: nullable(Type.Object({ name: text, version: text }), 'What the server says it is.'),
  protocol_version: nullable(text, 'Of MCP, such as `2026-07-28`.'),
  last_error: nullable(Type.Object({ code: text, detail: text }), 'Why it is not `ready`.'),
  tools_read_at: nullable(time, 'When the server was last asked for its tools.'),
  created_at: time,
  last_used_at: nullable(time, 'To about a minute.'),
  listing: nullable(Type.Object({ provider: text, external_id: text }), 'What it was made from.'),
  auth: Type.Object({
    type: Type.Enum([...AUTH_TYPES], { description: 'How it signs in now.' }),
    oauth: nullable(Type.Boolean(), 'Whether the server offers to sign in by OAuth; null where it was not asked yet.'),
    required: Type.Array(Field, { description: 'Headers and variables that the listing says the server needs.' }),
    optional: Type.Array(Field),
    values: Type.Record(text, text, { description: 'The plain ones that were given.' }),
    stored: Type.Array(text, { description: 'Names of the secrets that are stored.' }),
  }),
});

const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const examples = { id: CONNECTION_ID };

/** What connecting may come to. */
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
      'To a listing of the registry, or to an address. The server is asked at once: the connection is `ready`, ' +
      '`auth_required` or in `error`, with the reason. An address that is refused, or where nobody speaks MCP, is a ' +
      '422 and no connection is made. Secrets are stored afterwards, with PUT …/credentials or by OAuth.',
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
            description: 'One of its own among your connections; the listing’s or the host’s where left out.',
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
                  description:
                    'Which of its addresses, in the listing’s order; those of unknown transports do not count.',
                }),
              ),
            },
            closed,
          ),
        ),
        transport: Type.Optional(
          Type.Enum([...MCP_TRANSPORTS], {
            description: 'With `url`: what is tried first; the other one is the fallback.',
          }),
        ),
        variables: Type.Optional(
          Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 1_000 }), {
            maxProperties: 50,
            description: 'Plain values by the name of the header or variable. Secrets are refused here.',
          }),
        ),
      },
      closed,
    ),
    body_example: {
      listing: { provider: 'mcp-registry', external_id: 'com.example/tides' },
      variables: { region: 'south' },
    },
    answers: { 201: { description: 'The connection.', content: json(ConnectionShown, CONNECTION_EXAMPLE) } },
    problems: CREATING,
  }),
  list: operation({
    id: 'connections.connections.list',
    method: 'GET',
    path: '/api/sessions/connections',
    summary: 'List your connections',
    description: 'The newest first. `Link` names the next and the previous page.',
    access: 'jwt',
    query: Type.Object({ ...pageQuery('Connections') }),
    examples: { limit: 50, offset: 0 },
    answers: {
      200: {
        description: 'One page of connections.',
        content: json(pageOf(ConnectionShown), { items: [CONNECTION_EXAMPLE], total_count: 1, limit: 50, offset: 0 }),
      },
    },
    problems: [],
  }),
  get: operation({
    id: 'connections.connections.get',
    method: 'GET',
    path: '/api/sessions/connections/{id}',
    summary: 'Get a connection',
    description: 'The connection as it was left by its last use. Its server is not asked.',
    access: 'jwt',
    params: Params,
    examples,
    answers: { 200: { description: 'The connection.', content: json(ConnectionShown, CONNECTION_EXAMPLE) } },
    problems: ['sessions.not_found'],
  }),
  delete: operation({
    id: 'connections.connections.delete',
    method: 'DELETE',
    path: '/api/sessions/connections/{id}',
    summary: 'Delete a connection',
    description:
      'With all that is stored for it. Tokens of an OAuth sign-in are revoked at their issuer first, where it can be reached.',
    access: 'jwt',
    params: Params,
    examples,
    answers: { 200: deleted('It is gone.') },
    problems: ['sessions.not_found'],
  }),
} as const;
