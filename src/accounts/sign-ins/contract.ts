import type { TSchema } from 'typebox';
import { SIGNED_IN_EXAMPLE, SignedInSchema, signedInAnswer } from '#accounts/auth/signed-in-answer.ts';
import { TIER_NAMES } from '#accounts/quotas/tiers.ts';
import { STORAGE_EXAMPLE, StorageUsed } from '#accounts/users/contract.ts';
import { SCOPES } from '#core/http/caller.ts';
import { operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';

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

export const signInsContract = {
  refresh: operation({
    id: 'accounts.signIns.refresh',
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
  getCurrent: operation({
    id: 'accounts.signIns.getCurrent',
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
    id: 'accounts.signIns.logOut',
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End the session',
    description: 'Ends the session that the token belongs to. Its tokens are refused from the next request on.',
    access: 'jwt',
    scope: 'read',
    answers: answer('It has ended.', ENDED, { status: 'ended' }),
    problems: ['auth.sign_in_needed'],
  }),
  list: operation({
    id: 'accounts.signIns.list',
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
  get: operation({
    id: 'accounts.signIns.get',
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
  delete: operation({
    id: 'accounts.signIns.delete',
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
  deleteOthers: operation({
    id: 'accounts.signIns.deleteOthers',
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'End all other sessions',
    description: 'All sessions of the account but the one that asks. Asked with an API key, all of them.',
    access: 'jwt',
    answers: answer('They have ended.', Type.Object({ ended: Type.Integer({ minimum: 0 }) }), { ended: 2 }),
    problems: [],
  }),
};
