import type { TSchema } from 'typebox';
import { SIGNED_IN_EXAMPLE, SignedInSchema, signedInAnswer } from '#accounts/auth/signed-in-answer.ts';
import { TIER_NAMES } from '#accounts/quotas/tiers.ts';
import { STORAGE_EXAMPLE, StorageUsed } from '#accounts/users/contract.ts';
import { defined } from '#core/defined.ts';
import { SCOPES } from '#core/http/caller.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';

/** The operations of tokens and sessions. */

const time = (description?: string) => Type.String({ format: 'date-time', ...defined({ description }) });

export const Session = Type.Object({
  id: Type.String({ format: 'uuid' }),
  method: Type.Enum(['wallet', 'email', 'google']),
  wallet: Type.Union([Type.String(), Type.Null()], { description: 'The wallet used to sign in, as CAIP-10.' }),
  user_agent: Type.String({ description: 'User-Agent of the client.' }),
  client: Type.Union(
    [
      Type.Object({
        id: Type.String(),
        name: Type.String({ description: 'Name that the client registered.' }),
        scopes: Type.Array(Type.String(), { description: 'Scopes that the user granted.' }),
      }),
      Type.Null(),
    ],
    { description: 'The authorized OAuth client that owns this session, if any.' },
  ),
  signed_in_at: time(),
  refreshed_at: time('When the latest token was issued.'),
  expires_at: time('Maximum lifetime of the session, regardless of refreshes.'),
  current: Type.Boolean({ description: 'Whether this is the session of the current request.' }),
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

const params = Type.Object({ id: Type.String({ format: 'uuid', description: 'Session id.' }) });
const ENDED = Type.Object({ status: Type.Literal('ended') });

const answer = (description: string, schema: TSchema, example: unknown) => ({
  200: jsonAnswer(description, schema, example),
});

export const signInsContract = {
  refresh: operation({
    id: 'accounts.signIns.refresh',
    method: 'POST',
    path: '/api/auth/refresh',
    summary: 'Refresh the token',
    description:
      'Returns a new token for the same session, with the current tier. The old token stays valid for one ' +
      'minute so that requests in flight can finish. Refreshing with it later revokes the session. A ' +
      'session lasts 30 days at most.',
    access: 'jwt',
    scope: 'read',
    answers: { 200: signedInAnswer('The new token.') },
    problems: ['auth.sign_in_required'],
  }),
  getCurrent: operation({
    id: 'accounts.signIns.getCurrent',
    method: 'GET',
    path: '/api/auth/session',
    summary: 'Get the current session',
    description:
      'Returns the user of the token or API key, its current scopes, and the LLM request quota for the ' +
      'current UTC day.',
    access: 'jwt',
    for_suspended: true,
    answers: answer(
      'User, tier, scopes and quota.',
      Type.Object({
        user: SignedInSchema.properties.user,
        tier: Type.Enum([...TIER_NAMES]),
        scopes: Type.Array(Type.Enum([...SCOPES])),
        is_operator: Type.Boolean({ description: 'Whether the user is an operator of the service.' }),
        proof_required: Type.Boolean({
          description:
            'Whether the account must complete `POST /api/auth/proof-of-work` before it can use language ' + 'models.',
        }),
        quota: Type.Object({
          limit: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
            description: 'Requests per day; null means unlimited.',
          }),
          used: Type.Integer({ minimum: 0 }),
          resets_at: time(),
        }),
        storage: StorageUsed,
      }),
      {
        user: SIGNED_IN_EXAMPLE.user,
        tier: 'free',
        scopes: ['read', 'write'],
        is_operator: false,
        proof_required: false,
        quota: { limit: 100, used: 12, resets_at: '2026-04-15T00:00:00.000Z' },
        storage: STORAGE_EXAMPLE,
      },
    ),
    problems: [],
  }),
  logOut: operation({
    id: 'accounts.signIns.logOut',
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out',
    description: 'Ends the session of the token. Its tokens stop working immediately.',
    access: 'jwt',
    for_suspended: true,
    scope: 'read',
    answers: answer('Session ended.', ENDED, { status: 'ended' }),
    problems: ['auth.sign_in_required'],
  }),
  list: operation({
    id: 'accounts.signIns.list',
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'List your sessions',
    description: 'Lists active sessions, newest first. Each sign-in starts one session.',
    access: 'jwt',
    query: Type.Object(pageQuery('Sessions')),
    examples: { limit: 50 },
    answers: answer('A page of sessions. `Link` contains the next and previous pages.', pageOf(Session), {
      items: [SESSION_EXAMPLE],
      total_count: 1,
      limit: 50,
      offset: 0,
    }),
    problems: [],
  }),
  get: operation({
    id: 'accounts.signIns.get',
    method: 'GET',
    path: '/api/auth/sessions/{id}',
    summary: 'Get a session',
    description: 'Returns one of your active sessions. Sessions of other users return 404.',
    access: 'jwt',
    params,
    examples: { id: ID },
    answers: answer('The session.', Session, SESSION_EXAMPLE),
    problems: ['auth.not_found'],
  }),
  delete: operation({
    id: 'accounts.signIns.delete',
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    summary: 'End a session',
    description: 'Ends one of your sessions. Its tokens stop working immediately.',
    access: 'jwt',
    params,
    examples: { id: ID },
    answers: answer('Session ended.', ENDED, { status: 'ended' }),
    problems: ['auth.not_found'],
  }),
  deleteOthers: operation({
    id: 'accounts.signIns.deleteOthers',
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'End all other sessions',
    description: 'Ends all sessions of the account except the current one. With an API key, ends all sessions.',
    access: 'jwt',
    answers: answer('Sessions ended.', Type.Object({ ended: Type.Integer({ minimum: 0 }) }), { ended: 2 }),
    problems: [],
  }),
};
