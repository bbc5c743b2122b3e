import { deleted } from '#accounts/users/deleted.ts';
import { visibleName } from '#accounts/users/display-name.ts';
import { SCOPES } from '#core/http/caller.ts';
import { operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';

/** The part of the contract that is about API keys. */

const scopes = Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true });
const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  hint: Type.String({ description: 'Its first characters.' }),
  scopes,
  created_at: Type.String({ format: 'date-time' }),
  expires_at: timeOrNull('Null: it does not expire.'),
  last_used_at: timeOrNull('To the minute.'),
};
const ApiKey = Type.Object(keyFields);
const NewApiKey = Type.Object({ ...keyFields, key: Type.String({ description: 'The key itself. Shown this once.' }) });

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

const OwnParams = Type.Object({ id: Type.String({ format: 'uuid', description: 'Your own user id.' }) });

export const apiKeysContract = {
  list: operation({
    id: 'accounts.apiKeys.list',
    method: 'GET',
    path: '/api/users/{id}/api-keys',
    summary: "List one's own API keys",
    description: 'Newest first, expired ones too. The keys themselves are shown only when they are made.',
    access: 'sensitive',
    own: 'id',
    params: OwnParams,
    query: Type.Object(pageQuery('Keys')),
    examples: { id: ID, limit: 50 },
    answers: {
      200: {
        description: 'A page of keys. `Link` names the next and the previous page.',
        content: {
          'application/json': {
            schema: pageOf(ApiKey),
            example: { items: [KEY_EXAMPLE], total_count: 1, limit: 50, offset: 0 },
          },
        },
      },
    },
    problems: [],
  }),
  create: operation({
    id: 'accounts.apiKeys.create',
    method: 'POST',
    path: '/api/users/{id}/api-keys',
    summary: 'Make an API key',
    description:
      'The key stands in this answer and nowhere else; it is sent as `Authorization: Bearer <key>`. It allows what its ' +
      'scopes allow and the tier still gives. An account has at most 50 keys.',
    access: 'sensitive',
    own: 'id',
    creates: true,
    params: OwnParams,
    examples: { id: ID },
    body: Type.Object(
      {
        name: visibleName('What it is for.'),
        scopes,
        expires_at: Type.Optional(
          Type.Union([Type.String({ format: 'date-time', maxLength: 40 }), Type.Null()], {
            description: 'In the future. Null, or left out: it does not expire.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    body_example: { name: 'nightly build', scopes: ['read'], expires_at: '2027-04-14T00:00:00.000Z' },
    answers: {
      201: {
        description: 'The new key.',
        content: {
          'application/json': {
            schema: NewApiKey,
            example: { ...KEY_EXAMPLE, key: 'cap_Xo4dEXAMPLEnotakeyEXAMPLEnotakey00000000' },
          },
        },
      },
    },
    problems: ['users.expiry_past', 'users.not_found', 'users.scope_too_wide', 'users.too_many_keys'],
  }),
  delete: operation({
    id: 'accounts.apiKeys.delete',
    method: 'DELETE',
    path: '/api/users/{id}/api-keys/{key_id}',
    summary: "Delete one of one's own API keys",
    description: 'The key stops at once. One that was shown to somebody by mistake is replaced in this way.',
    access: 'sensitive',
    own: 'id',
    params: Type.Object({
      ...OwnParams.properties,
      key_id: Type.String({ format: 'uuid', description: 'Id of the key.' }),
    }),
    examples: { id: ID, key_id: KEY_ID },
    answers: { 200: deleted('The key is gone.') },
    problems: ['users.key_not_found'],
  }),
};
