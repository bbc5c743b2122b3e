import { deleted } from '#accounts/users/deleted.ts';
import { visibleName } from '#accounts/users/display-name.ts';
import { SCOPES } from '#core/http/caller.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';

/** The operations of API keys. */

const scopes = Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true });
const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  hint: Type.String({ description: 'First characters of the key.' }),
  scopes,
  created_at: Type.String({ format: 'date-time' }),
  expires_at: timeOrNull('Null if the key does not expire.'),
  last_used_at: timeOrNull('When the key was last used, to the minute.'),
};
const ApiKey = Type.Object(keyFields);
const NewApiKey = Type.Object({ ...keyFields, key: Type.String({ description: 'The API key. Shown only once.' }) });

const ID = '0197a000-0000-7000-8000-000000000001';
const KEY_ID = '0197a000-0000-7000-8000-0000000000f1';
const KEY_EXAMPLE = {
  id: KEY_ID,
  name: 'nightly build',
  hint: 'cap_Xo4d…',
  scopes: ['read'],
  created_at: '2026-04-14T00:00:00.000Z',
  expires_at: '2027-04-14T00:00:00.000Z',
  last_used_at: null,
};

const OwnParams = Type.Object({ id: Type.String({ format: 'uuid', description: 'Your user id.' }) });

export const apiKeysContract = {
  list: operation({
    id: 'accounts.apiKeys.list',
    method: 'GET',
    path: '/api/users/{id}/api-keys',
    summary: 'List your API keys',
    description: 'Newest first, including expired keys. Secrets are shown only at creation.',
    access: 'sensitive',
    confirm_window: 'api_keys',
    own: 'id',
    params: OwnParams,
    query: Type.Object(pageQuery('Keys')),
    examples: { id: ID, limit: 50 },
    answers: {
      200: jsonAnswer('A page of keys. `Link` contains the next and previous pages.', pageOf(ApiKey), {
        items: [KEY_EXAMPLE],
        total_count: 1,
        limit: 50,
        offset: 0,
      }),
    },
    problems: [],
  }),
  create: operation({
    id: 'accounts.apiKeys.create',
    method: 'POST',
    path: '/api/users/{id}/api-keys',
    summary: 'Create an API key',
    description:
      'Returns the key once; it cannot be retrieved later. Send it as `Authorization: Bearer <key>`. A key ' +
      'is limited to its scopes and to those of your current tier. An account can have 50 keys.',
    access: 'sensitive',
    signs: ['name', 'scopes', 'expires_at'],
    confirm_window: 'api_keys',
    own: 'id',
    creates: true,
    params: OwnParams,
    examples: { id: ID },
    body: Type.Object(
      {
        name: visibleName('Name of the key.'),
        scopes,
        expires_at: Type.Optional(
          Type.Union([Type.String({ format: 'date-time', maxLength: 40 }), Type.Null()], {
            description: 'Expiry time, in the future. Null or omitted: the key does not expire.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    body_example: { name: 'nightly build', scopes: ['read'], expires_at: '2027-04-14T00:00:00.000Z' },
    answers: {
      201: jsonAnswer('The new key.', NewApiKey, {
        ...KEY_EXAMPLE,
        key: 'cap_Xo4dEXAMPLEnotakeyEXAMPLEnotakey00000000',
      }),
    },
    problems: ['users.api_key_invalid', 'users.not_found', 'auth.insufficient_scope', 'users.limit_exceeded'],
  }),
  delete: operation({
    id: 'accounts.apiKeys.delete',
    method: 'DELETE',
    path: '/api/users/{id}/api-keys/{key_id}',
    summary: 'Revoke an API key',
    description: 'Revokes the key immediately. If a key leaks, revoke it and create a new one.',
    access: 'sensitive',
    confirm_window: 'api_keys',
    own: 'id',
    params: Type.Object({
      ...OwnParams.properties,
      key_id: Type.String({ format: 'uuid', description: 'API key id.' }),
    }),
    examples: { id: ID, key_id: KEY_ID },
    answers: { 200: deleted('API key revoked.') },
    problems: ['auth.not_found'],
  }),
};
