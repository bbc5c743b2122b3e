import type { TSchema } from 'typebox';
import { SCOPES } from '#core/http/caller.ts';
import { operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { STORAGE_EXAMPLE, StorageUsed } from '#accounts/users/contract.ts';
import { deleted } from '#accounts/users/deleted.ts';
import { TIER_NAMES } from '#accounts/quotas/tiers.ts';
import { SIGNED_IN_EXAMPLE, SignedInSchema, signedInAnswer } from '#accounts/auth/signed-in-answer.ts';

/** The part of the contract that is about tokens and the sessions they belong to. */

const time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) });

export const Session = Type.Object({
  id: Type.String({ format: 'uuid' }),
  method: Type.Enum(['wallet', 'email', 'google']),
  wallet: Type.Union([Type.String(), Type.Null()], { description: 'The wallet that signed, as CAIP-10.' }),
  user_agent: Type.String({ description: 'What the client called itself.' }),
  client: Type.Union(
    [
      Type.Object({
        id: Type.String(),
        name: Type.String({ description: 'As it names itself.' }),
        scopes: Type.Array(Type.String(), { description: 'What the user agreed to.' }),
      }),
      Type.Null(),
    ],
    { description: 'The client that the user let in by OAuth, whose session this is.' },
  ),
  signed_in_at: time(),
  refreshed_at: time('When its latest token was made.'),
  expires_at: time('However often it is refreshed.'),
  current: Type.Boolean({ description: 'Whether this request belongs to it.' }),
});

const ID = '0197a000-0000-7000-8000-0000000000c1';
const SESSION_EXAMPLE = {
  id: ID,
  method: 'wallet',
  wallet: 'eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  user_agent: 'curl/8.17.0',
  client: null,
  signed_in_at: '2026-04-14T10:00:00.000Z',
  refreshed_at: '2026-04-15T09:00:00.000Z',
  expires_at: '2026-05-14T10:00:00.000Z',
  current: true,
};

const params = Type.Object({ id: Type.String({ format: 'uuid', description: 'Id of the session.' }) });
const ENDED = Type.Object({ status: Type.Literal('ended') });

const answer = (description: string, schema: TSchema, example: unknown) => ({
  200: { description, content: { 'application/json': { schema, example } } },
});

const listOperations = {
  listSignIns: operation({
    id: 'auth.listSignIns',
    method: 'GET',
    path: '/api/auth/sessions',
    summary: "List one's own sessions",
    description: 'Those that stand, the newest first. Each began with one sign-in.',
    access: 'jwt',
    query: Type.Object(pageQuery('Sessions')),
    examples: { limit: 50 },
    answers: answer('A page of sessions. `Link` names the next and the previous page.', pageOf(Session), {
      items: [SESSION_EXAMPLE],
      total_count: 1,
      limit: 50,
      offset: 0,
    }),
    problems: [],
  }),
  getSignIn: operation({
    id: 'auth.getSignIn',
    method: 'GET',
    path: '/api/auth/sessions/{id}',
    summary: "Get one of one's own sessions",
    description: 'A session that stands. Those of other users are not found.',
    access: 'jwt',
    params,
    examples: { id: ID },
    answers: answer('The session.', Session, SESSION_EXAMPLE),
    problems: ['auth.sign_in_not_found'],
  }),
  deleteSignIn: operation({
    id: 'auth.deleteSignIn',
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    summary: "End one of one's own sessions",
    description: 'Its tokens are refused from the next request on.',
    access: 'jwt',
    params,
    examples: { id: ID },
    answers: answer('It has ended.', ENDED, { status: 'ended' }),
    problems: ['auth.sign_in_not_found'],
  }),
  deleteOtherSignIns: operation({
    id: 'auth.deleteOtherSignIns',
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'End all other sessions',
    description: 'All sessions of the account but the one that asks. Asked with an API key, all of them.',
    access: 'jwt',
    answers: answer('They have ended.', Type.Object({ ended: Type.Integer({ minimum: 0 }) }), { ended: 2 }),
    problems: [],
  }),
};

export const Device = Type.Object({
  id: Type.String({ format: 'uuid' }),
  user_agent: Type.String({ description: 'What the client called itself.' }),
  created_at: time(),
  last_used_at: time(),
  expires_at: time('180 days after its last use.'),
});

const DEVICE_EXAMPLE = {
  id: '0197a000-0000-7000-8000-0000000000d2',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  created_at: '2026-04-14T10:00:00.000Z',
  last_used_at: '2026-04-15T09:00:00.000Z',
  expires_at: '2026-10-12T09:00:00.000Z',
};

const deviceOperations = {
  listDevices: operation({
    id: 'auth.listDevices',
    method: 'GET',
    path: '/api/auth/devices',
    summary: 'List the devices that signed in before',
    description:
      'Browsers and programs that signed in by email and were remembered, the one used last first; 20 at most. A device ' +
      'signs nobody in: wrong passwords of others do not keep it out. All are forgotten when the password changes.',
    access: 'jwt',
    answers: answer(
      'Every device.',
      Type.Object({ items: Type.Array(Device), total_count: Type.Integer({ minimum: 0 }) }),
      { items: [DEVICE_EXAMPLE], total_count: 1 },
    ),
    problems: [],
  }),
  deleteDevice: operation({
    id: 'auth.deleteDevice',
    method: 'DELETE',
    path: '/api/auth/devices/{id}',
    summary: 'Forget a device',
    description: 'Its sessions stay; end them with `DELETE /api/auth/sessions/{id}`.',
    access: 'jwt',
    params: Type.Object({ id: Type.String({ format: 'uuid', description: 'Id of the device.' }) }),
    examples: { id: DEVICE_EXAMPLE.id },
    answers: { 200: deleted('The device is forgotten.') },
    problems: ['auth.device_not_found'],
  }),
};

const JWK_EXAMPLE = {
  kty: 'EC',
  crv: 'P-256',
  x: 'RQWDAGIG2siDBBgHmLwp-MB7GK7wI7DgK1LrU_EAZns',
  y: 'jT_psIIeNSzej94784ssF92Av7MBcVNWIR9pjBSeST0',
  kid: '0197a000-0000-7000-8000-0000000000d1',
  use: 'sig',
  alg: 'ES256',
};
const text = Type.String();

export const signInOperations = {
  refreshToken: operation({
    id: 'auth.refreshToken',
    method: 'POST',
    path: '/api/auth/refresh',
    summary: 'Renew the token before it expires',
    description:
      'A new token of the same session, with the tier as it is now. The old token is taken for another minute, so that ' +
      'requests under way are answered; whoever refreshes with it after that ends the session. A session lasts 30 days ' +
      'at most.',
    access: 'jwt',
    scope: 'read',
    answers: { 200: signedInAnswer('The new token.') },
    problems: ['auth.refresh_elsewhere', 'auth.sign_in_needed'],
  }),
  getSession: operation({
    id: 'auth.getSession',
    method: 'GET',
    path: '/api/auth/session',
    summary: 'Who is signed in, and what they may do',
    description: 'The user of the token or API key, the scopes that it has now, and the LLM requests of this UTC day.',
    access: 'jwt',
    answers: answer(
      'The user, the tier, the scopes and the quota.',
      Type.Object({
        user: SignedInSchema.properties.user,
        tier: Type.Enum([...TIER_NAMES]),
        scopes: Type.Array(Type.Enum([...SCOPES])),
        proof_required: Type.Boolean({
          description:
            'Whether the account has to prove something before it uses models: `POST /api/auth/proof-of-work`.',
        }),
        quota: Type.Object({
          limit: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'A day; null is unlimited.' }),
          used: Type.Integer({ minimum: 0 }),
          resets_at: time(),
        }),
        storage: StorageUsed,
      }),
      {
        user: SIGNED_IN_EXAMPLE.user,
        tier: 'free',
        scopes: ['read', 'write'],
        proof_required: false,
        quota: { limit: 100, used: 12, resets_at: '2026-04-15T00:00:00.000Z' },
        storage: STORAGE_EXAMPLE,
      },
    ),
    problems: [],
  }),
  logOut: operation({
    id: 'auth.logOut',
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End the session',
    description: 'Ends the session that the token belongs to. Its tokens are refused from the next request on.',
    access: 'jwt',
    scope: 'read',
    answers: answer('It has ended.', ENDED, { status: 'ended' }),
    problems: ['auth.sign_in_needed'],
  }),
  ...listOperations,
  ...deviceOperations,
  getJwks: operation({
    id: 'auth.getJwks',
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys that tokens are signed with',
    description:
      'A JSON Web Key Set (RFC 7517). A key is here an hour before it signs, and until no token of it can be left.',
    access: 'public',
    answers: answer(
      'The keys.',
      Type.Object({
        keys: Type.Array(Type.Object({ kty: text, crv: text, x: text, y: text, kid: text, use: text, alg: text })),
      }),
      { keys: [JWK_EXAMPLE] },
    ),
    problems: [],
  }),
};
