import { TIER_NAMES } from '#accounts/quotas/tiers.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { ACCOUNT_EXAMPLE, AccountRow } from './account-row.ts';

/** Operations of operators on accounts. */

const closed = { additionalProperties: false };
const params = Type.Object({ id: Type.String({ format: 'uuid', description: 'User id.' }) });
const examples = { id: ACCOUNT_EXAMPLE.id };
const Reason = (description: string) => Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description });
const account = (description: string) => ({ 200: jsonAnswer(description, AccountRow, ACCOUNT_EXAMPLE) });
const CHANGING = ['users.not_found', 'users.conflict', 'users.forbidden'];

export const operatingContract = {
  list: operation({
    id: 'accounts.users.list',
    method: 'GET',
    path: '/api/operator/users',
    summary: 'List accounts (operators)',
    description:
      'Newest first, without addresses: `GET /api/users/{id}` has them. Recorded in the audit log. 404 for other users.',
    access: 'jwt',
    for_operators: true,
    query: Type.Object({
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 256,
          pattern: '^[^\\u0000]+$',
          description: 'A part of the name, or a whole id, email address or wallet address.',
        }),
      ),
      status: Type.Optional(Type.Enum(['suspended', 'operator'], { description: 'Only such accounts.' })),
      ...pageQuery('accounts'),
    }),
    examples: { search: 'ada' },
    answers: {
      200: jsonAnswer('One page.', pageOf(AccountRow), {
        items: [ACCOUNT_EXAMPLE],
        total_count: 1,
        limit: 50,
        offset: 0,
      }),
    },
    problems: [],
  }),
  suspend: operation({
    id: 'accounts.users.suspend',
    method: 'PUT',
    path: '/api/operator/users/{id}/suspension',
    summary: 'Suspend an account or end its suspension (operators)',
    description:
      'A suspended account can only read the reason, export its data and delete itself; its tokens, keys and endpoints are ' +
      'refused. What it published stays listed. Operators cannot be suspended. 404 for other users.',
    access: 'fresh',
    signs: ['suspended'],
    for_operators: true,
    params,
    examples,
    body: Type.Object(
      { suspended: Type.Boolean(), reason: Reason('The owner reads it. Also in the audit log.') },
      closed,
    ),
    body_example: { suspended: true, reason: 'It sends spam.' },
    answers: account('The account.'),
    problems: CHANGING,
  }),
  setTier: operation({
    id: 'accounts.users.setTier',
    method: 'PUT',
    path: '/api/operator/users/{id}/tier',
    summary: 'Set the tier of an account (operators)',
    description:
      'The tier determines scopes, requests per day and storage. `from` must be the current one. 404 for other users.',
    access: 'fresh',
    signs: ['tier'],
    for_operators: true,
    params,
    examples,
    body: Type.Object(
      {
        tier: Type.Enum([...TIER_NAMES]),
        from: Type.Enum([...TIER_NAMES], { description: 'The tier that you saw.' }),
        reason: Reason('For the audit log.'),
      },
      closed,
    ),
    body_example: { tier: 'pro', from: 'free', reason: 'It maintains the catalog.' },
    answers: account('The account.'),
    problems: CHANGING,
  }),
  revoke: operation({
    id: 'accounts.users.revoke',
    method: 'POST',
    path: '/api/operator/users/{id}/revocation',
    summary: 'End all sessions and keys of an account (operators)',
    description: 'For an account that may have been taken over. Its owner can sign in again. 404 for other users.',
    access: 'fresh',
    for_operators: true,
    params,
    examples,
    body: Type.Object({ reason: Reason('For the audit log.') }, closed),
    body_example: { reason: 'Its token leaked.' },
    answers: {
      200: jsonAnswer(
        'What ended.',
        Type.Object({ sessions: Type.Integer({ minimum: 0 }), api_keys: Type.Integer({ minimum: 0 }) }),
        { sessions: 2, api_keys: 1 },
      ),
    },
    problems: CHANGING,
  }),
} as const;
