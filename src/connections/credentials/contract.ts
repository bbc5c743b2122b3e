import { AUTH_TYPES, CONNECTION_STATUSES } from '#connections/connections/connection.ts';
import { CREDENTIAL_TYPES } from '#connections/vault/credential-input.ts';
import { jsonContent, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The operations of stored credentials. */

const ID = '0199a2f0-6c1e-7b3a-9f52-6f0a3d1c2b4e';

const secret = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description, writeOnly: true }));
const secrets = (description: string) =>
  Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 8_192, writeOnly: true }), {
      description,
      maxProperties: 32,
    }),
  );

const StoreBody = Type.Object(
  {
    type: Type.Enum([...CREDENTIAL_TYPES], { description: 'Selects the fields to send.' }),
    headers: secrets(
      'With `header`: headers by name, sent unchanged. Connection, content and MCP headers are rejected.',
    ),
    token: secret(8_192, 'With `bearer`: sent as `Authorization: Bearer`.'),
    username: secret(1_024, 'With `basic`.'),
    password: secret(1_024, 'With `basic`.'),
    variables: secrets('With `variables`: values for the variables of the listing’s URL and headers.'),
  },
  { additionalProperties: false },
);

const Stored = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  status: Type.Enum([...CONNECTION_STATUSES]),
  auth: Type.Object({
    type: Type.Enum([...AUTH_TYPES]),
    stored: Type.Array(Type.String(), { description: 'Names of the stored fields, never their values.' }),
    updated_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  }),
});

const EXAMPLE = {
  id: ID,
  name: 'issues',
  status: 'ready',
  auth: { type: 'bearer', stored: ['token'], updated_at: '2026-04-14T00:00:00.000Z' },
};

const EVENTS_EXAMPLE = `: called

event: step
data: {"step":"starting","bytes":0}

event: result
data: ${JSON.stringify(EXAMPLE)}

`;

export const credentialsContract = {
  store: operation({
    id: 'connections.credentials.store',
    method: 'PUT',
    path: '/api/sessions/connections/{id}/credentials',
    summary: 'Store the credentials of a connection',
    description:
      'Replaces all stored credentials, including OAuth tokens. Credentials are sent only to ' +
      "the connection's server and never returned. The server is then contacted once, and the response is the updated connection. " +
      'With `Accept: text/event-stream` the response is an event stream: `step` for each step of starting its package, then one ' +
      '`result` or `error`.',
    access: 'sensitive',
    confirm_window: 'credentials',
    params: Type.Object({ id: Type.String({ format: 'uuid', description: 'Connection id.' }) }),
    examples: { id: ID },
    body: StoreBody,
    body_example: { type: 'bearer', token: 'EXAMPLE-token-of-the-server' },
    answers: {
      200: {
        description: 'The connection, with the names of the stored credentials.',
        content: {
          ...jsonContent(Stored, EXAMPLE),
          'text/event-stream': { schema: Type.String(), example: EVENTS_EXAMPLE },
        },
      },
    },
    problems: ['http.invalid', 'connections.invalid', 'connections.not_found', 'registry.gone'],
  }),
} as const;
