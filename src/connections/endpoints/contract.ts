import type { TSchema } from 'typebox';
import { deleted } from '#accounts/users/deleted.ts';
import { visibleName } from '#accounts/users/display-name.ts';
import { ClientInstall } from '#catalog/install/client-installs.ts';
import { CONNECTION_STATUSES } from '#connections/connections/connection.ts';
import { CONNECTION_ID } from '#connections/connections/examples.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { MOST_CHOICES } from './endpoints.ts';

/** The operations of endpoints: chosen tools of a user's connections as one MCP server. */

const closed = { additionalProperties: false };
const text = Type.String();
const time = Type.String({ format: 'date-time' });
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const fields = {
  id: text,
  name: text,
  url: Type.String({ description: 'Address of the MCP server. The token decides which endpoint it is.' }),
  hint: Type.String({ description: 'First characters of the token.' }),
  created_at: time,
  expires_at: nullable(time, 'Null if the token does not expire.'),
  last_used_at: nullable(time, 'When the token was last used, to the minute.'),
  connections: Type.Array(
    Type.Object({
      id: text,
      name: text,
      status: Type.Enum([...CONNECTION_STATUSES]),
      prefix: Type.String({
        description: 'Tools are called `<prefix>__<tool>`. It stays, whatever the connection is called.',
      }),
      tools: nullable(Type.Array(text), 'Names of the chosen tools. Null for all that are accepted.'),
      ask_except: nullable(
        Type.Array(text),
        'You are asked before each call of a tool that is not among these. Null: you are not asked.',
      ),
      accepted: Type.Integer({ description: 'Number of accepted tools of the connection. 0 until it was listed.' }),
    }),
  ),
};
const EndpointShown = Type.Object(fields);
const NewEndpoint = Type.Object({
  ...fields,
  token: Type.String({ description: 'Shown only once.' }),
  installs: Type.Object(
    { name: text, clients: Type.Array(ClientInstall) },
    { description: 'Entries for clients, with the token.' },
  ),
});

const ENDPOINT_ID = '01a209a3-6091-7020-9bcb-1d2d03ca9450';
const EXAMPLE = {
  id: ENDPOINT_ID,
  name: 'claude-code on my laptop',
  url: 'https://capstan.example/mcp/mine',
  hint: 'cap_Xo4d…',
  created_at: '2026-04-14T00:00:00.000Z',
  expires_at: null,
  last_used_at: null,
  connections: [
    { id: CONNECTION_ID, name: 'Tides', status: 'ready', prefix: 'tides', tools: null, ask_except: null, accepted: 3 },
  ],
};

const ConnectionId = Type.String({ minLength: 1, maxLength: 100, description: 'Id of a connection.' });
const ToolNames = Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { maxItems: 1_000, uniqueItems: true });
const chosenTools = {
  tools: Type.Optional(nullable(ToolNames, 'Names of the tools to offer. Null or omitted: all.')),
  ask_except: Type.Optional(
    nullable(
      ToolNames,
      'Ask you before each call of a tool that is not among these: the MCP client shows the question (elicitation), and a call ' +
        'that nobody confirms is refused. Null: never ask. Omitted: as before.',
    ),
  ),
};
const Choices = Type.Array(Type.Object({ id: ConnectionId, ...chosenTools }, closed), { maxItems: MOST_CHOICES });

const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const examples = { id: ENDPOINT_ID };
const CHOOSING = ['connections.not_found', 'connections.conflict', 'http.invalid', 'users.quota_exceeded'];

export const endpointsContract = {
  create: operation({
    id: 'connections.endpoints.create',
    method: 'POST',
    path: '/api/sessions/endpoints',
    summary: 'Create an endpoint for your connections',
    description:
      'One MCP server with the tools of your connections, and a token that can call these tools and nothing else. The token ' +
      'is returned once. Without `connections`, all of your connections are included. The tools that their servers have now ' +
      'are accepted; tools that are added or changed later wait for you. An account can have 50 endpoints. A token that was ' +
      'made with an API key ends with that key.',
    access: 'jwt',
    limit: 'connect',
    creates: true,
    body: Type.Object(
      {
        name: visibleName('Name of the endpoint, unique among yours.'),
        connections: Type.Optional(Choices),
        expires_at: Type.Optional(
          nullable(Type.String({ format: 'date-time', maxLength: 40 }), 'Null or omitted: the token does not expire.'),
        ),
      },
      closed,
    ),
    body_example: { name: 'claude-code on my laptop', connections: [{ id: CONNECTION_ID }] },
    answers: {
      201: jsonAnswer('The endpoint with its token.', NewEndpoint, {
        ...EXAMPLE,
        token: 'cap_Xo4dEXAMPLEnotakeyEXAMPLEnotakey00000000',
        installs: { name: 'capstan', clients: [] },
      }),
    },
    problems: [...CHOOSING, 'users.limit_exceeded'],
  }),
  list: operation({
    id: 'connections.endpoints.list',
    method: 'GET',
    path: '/api/sessions/endpoints',
    summary: 'List your endpoints',
    description: 'Newest first, including expired ones.',
    access: 'jwt',
    answers: {
      200: jsonAnswer(
        'All endpoints.',
        Type.Object({ items: Type.Array(EndpointShown), total_count: Type.Integer() }),
        {
          items: [EXAMPLE],
          total_count: 1,
        },
      ),
    },
    problems: [],
  }),
  get: operation({
    id: 'connections.endpoints.get',
    method: 'GET',
    path: '/api/sessions/endpoints/{id}',
    summary: 'Get an endpoint',
    description: 'Its connections and the chosen tools.',
    access: 'jwt',
    params: Params,
    examples,
    answers: { 200: jsonAnswer('The endpoint.', EndpointShown, EXAMPLE) },
    problems: ['connections.not_found'],
  }),
  update: operation({
    id: 'connections.endpoints.update',
    method: 'PUT',
    path: '/api/sessions/endpoints/{id}',
    summary: 'Choose connections and tools of an endpoint',
    description: 'Replaces the whole choice, and takes effect with the next request. The token stays.',
    access: 'jwt',
    params: Params,
    examples,
    body: Type.Object({ connections: Choices }, closed),
    body_example: { connections: [{ id: CONNECTION_ID, tools: ['tide_at'] }] },
    answers: { 200: jsonAnswer('The endpoint.', EndpointShown, EXAMPLE) },
    problems: CHOOSING,
  }),
  offer: operation({
    id: 'connections.endpoints.offer',
    method: 'PUT',
    path: '/api/sessions/endpoints/{id}/connections/{connection_id}',
    summary: 'Offer a connection at an endpoint',
    description:
      'Adds one connection, or changes its tools. The others stay, also if several are added at once. Takes effect with the next request.',
    access: 'jwt',
    params: Type.Object({ id: Params.properties.id, connection_id: ConnectionId }),
    examples: { ...examples, connection_id: CONNECTION_ID },
    body: Type.Object(chosenTools, closed),
    body_example: { tools: ['tide_at'] },
    answers: { 200: jsonAnswer('The endpoint.', EndpointShown, EXAMPLE) },
    problems: [...CHOOSING, 'users.limit_exceeded'],
  }),
  delete: operation({
    id: 'connections.endpoints.delete',
    method: 'DELETE',
    path: '/api/sessions/endpoints/{id}',
    summary: 'Delete an endpoint and revoke its token',
    description: 'Takes effect immediately. The connections stay.',
    access: 'jwt',
    params: Params,
    examples,
    answers: { 200: deleted('Deleted.') },
    problems: ['connections.not_found'],
  }),
} as const;
