import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** Operations on the audit log, for operators. */

/** Most entries of one export. */
const MOST_EXPORTED = 100_000;

const time = (description: string) => Type.String({ format: 'date-time', description });
const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\x21-\\x7e]+$', description });
const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const FILTER = {
  user_id: Type.Optional(name('Actor or target.')),
  actor: Type.Optional(name('Account id, `operator-cli`, `service` or `nobody`.')),
  action: Type.Optional(name('An action, or the part before its dot: `marketplace` matches `marketplace.flag`.')),
  since: Type.Optional(time('Not before this time.')),
  until: Type.Optional(time('Before this time.')),
};

const Entry = Type.Object({
  seq: Type.Integer({ minimum: 1, description: 'Without gaps, in commit order.' }),
  at: time('When it happened.'),
  actor: Type.String({ description: 'Account id, `operator-cli`, `service` or `nobody`.' }),
  action: Type.String(),
  target: Type.String({ description: 'Id of what was affected.' }),
  detail: Type.Object({}, { additionalProperties: true, description: 'Ids, counts, kinds and scopes.' }),
  outcome: Type.Enum(['done', 'refused']),
  reason: orNull('What the operator gave as the reason. Not part of the chain.'),
  request_id: orNull('Of the request that caused it.'),
  address: orNull('The network of the client.'),
  hash: Type.String({ description: 'SHA-256 over this entry and the previous hash.' }),
});

const AT = '2026-04-14T06:00:00.000Z';
const ENTRY_EXAMPLE = {
  seq: 1_204,
  at: AT,
  actor: '0197a000-0000-7000-8000-000000000001',
  action: 'registry.sync',
  target: 'smithery',
  detail: { full: true, accept_fewer: false },
  outcome: 'done',
  reason: 'Its last run was partial.',
  request_id: '0197a000-0000-7000-8000-00000000000a',
  address: '203.0.113.0/24',
  hash: '5f3c0d6a1f0e4b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e',
};

export const auditContract = {
  list: operation({
    id: 'core.audit.list',
    method: 'GET',
    path: '/api/operator/audit',
    summary: 'Read the audit log (operators)',
    description:
      'Security-relevant actions, newest first. Continue with `before` set to `next_before`. 404 for other users.',
    access: 'jwt',
    for_operators: true,
    query: Type.Object({
      ...FILTER,
      before: Type.Optional(Type.Integer({ minimum: 1, description: 'Only entries before this `seq`.' })),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of entries.' }),
    }),
    examples: { action: 'registry', limit: 50 },
    answers: {
      200: jsonAnswer(
        'Entries.',
        Type.Object({
          items: Type.Array(
            Type.Object({ ...Entry.properties, means: Type.String({ description: 'The action in words.' }) }),
          ),
          next_before: Type.Union([Type.Integer(), Type.Null()], { description: 'Null at the oldest entry.' }),
        }),
        { items: [{ ...ENTRY_EXAMPLE, means: 'sync requested' }], next_before: null },
      ),
    },
    problems: ['http.invalid'],
  }),
  export: operation({
    id: 'core.audit.export',
    method: 'GET',
    path: '/api/operator/audit/export',
    summary: 'Export the audit log (operators)',
    description:
      'Entries as JSON lines, oldest first. If there are `limit` lines, continue with `after` set to the last `seq`. ' +
      '404 for other users.',
    access: 'jwt',
    for_operators: true,
    at_once: { per_network: 2, in_all: 4 },
    query: Type.Object({
      ...FILTER,
      after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only entries after this `seq`.' })),
      limit: Type.Integer({
        minimum: 1,
        maximum: MOST_EXPORTED,
        default: MOST_EXPORTED,
        description: 'Maximum number of lines.',
      }),
    }),
    examples: { since: AT },
    answers: {
      200: {
        description: 'One entry per line.',
        content: {
          'application/x-ndjson': { schema: Type.String(), example: `${JSON.stringify(ENTRY_EXAMPLE)}\n` },
        },
      },
    },
    problems: ['http.invalid'],
  }),
  verify: operation({
    id: 'core.audit.verify',
    method: 'GET',
    path: '/api/operator/audit/verification',
    summary: 'Verify the audit log (operators)',
    description:
      'Recomputes the hash chain. Keep `head` elsewhere and send it later: a log that was rewritten since no longer ' +
      'contains it. 404 for other users.',
    access: 'jwt',
    for_operators: true,
    at_once: { per_network: 1, in_all: 2 },
    query: Type.Object({
      head: Type.Optional(
        Type.String({ pattern: '^\\d{1,15}:[0-9a-f]{64}$', description: 'A head from an earlier verification.' }),
      ),
    }),
    examples: {},
    answers: {
      200: jsonAnswer(
        'The verdict.',
        Type.Object({
          intact: Type.Boolean(),
          entries: Type.Integer({ minimum: 0 }),
          unchained: Type.Integer({ minimum: 0, description: 'Entries written before the chain was introduced.' }),
          faults: Type.Array(Type.String(), { description: 'What does not match, at most 20.' }),
          head: Type.String({ description: '`SEQ:HASH` of the newest entry.' }),
        }),
        { intact: true, entries: 1_204, unchained: 0, faults: [], head: `1204:${ENTRY_EXAMPLE.hash}` },
      ),
    },
    problems: [],
  }),
} as const;
