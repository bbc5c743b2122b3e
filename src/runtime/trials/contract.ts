import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { SHARE_TOKEN, SHARED_EXAMPLE, WHOLE_EXAMPLE } from '#runtime/tasks/examples.ts';
import { RESOLVING } from '#runtime/tasks/resolving.ts';
import { SharedRun } from '#runtime/tasks/share-contract.ts';

/** The operations of runs without an account, as data. */

const closed = { additionalProperties: false };
const Token = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 100, description: 'The secret that starting the run returned.' }),
});

export const TrialOrder = Type.Object(
  {
    capability: Type.Object(
      {
        ref: Type.String({
          minLength: 1,
          maxLength: 1_000,
          description: 'The name of a first-party skill, or `provider/external_id` of a server.',
        }),
        version: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Defaults to the newest.' })),
      },
      closed,
    ),
    input: Type.Optional(
      Type.Unknown({
        description: 'The JSON input, at most 32 KiB. For a server: `{"tool": "<name>", "arguments": {…}}`.',
      }),
    ),
  },
  closed,
);

const RUN_EXAMPLE = {
  ...SHARED_EXAMPLE,
  caller: 'anonymous' as const,
  shows: { input: true, trace: true, names: false },
  steps: [{ name: 'execute_tool', starts_ms: 0, duration_ms: 402.5, is_failed: false }],
};

export const trialsContract = {
  create: operation({
    id: 'runtime.trials.create',
    method: 'POST',
    path: '/api/trials',
    summary: 'Run something without an account',
    description:
      'Starts a run of a scripted first-party skill, or of a read-only tool of a server that needs no credential and was probed. ' +
      'A few per day and network address, so use an account for more: `POST /api/agents/tasks`. The run has a trace and a ' +
      'signed receipt. Only the token in the response leads to it: `GET /api/shared-runs/{token}`.',
    access: 'public',
    limit: 'trials',
    body: Type.Object(
      {
        ...TrialOrder.properties,
        wait_ms: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 30_000,
            default: 0,
            description: 'How long to wait for the end of the run before the response.',
          }),
        ),
      },
      closed,
    ),
    body_example: { capability: { ref: 'json-diff' }, input: WHOLE_EXAMPLE.input, wait_ms: 10_000 },
    answers: {
      201: jsonAnswer(
        'The run, `working` or ended.',
        Type.Object({
          token: Type.String({ description: 'The secret of the link, shown once.' }),
          path: Type.String({ description: 'Path of the page: `/r/{token}`.' }),
          runs_left: Type.Integer({ minimum: 0, description: 'Runs that this address may still start today (UTC).' }),
          run: SharedRun,
        }),
        { token: SHARE_TOKEN, path: `/r/${SHARE_TOKEN}`, runs_left: 4, run: RUN_EXAMPLE },
      ),
    },
    problems: ['trials.account_required', 'trials.limit_exceeded', 'registry.not_found', 'registry.gone', ...RESOLVING],
  }),
  cancel: operation({
    id: 'runtime.trials.cancel',
    method: 'POST',
    path: '/api/trials/{token}/cancel',
    summary: 'Cancel a run without an account',
    description: 'At once if nothing runs yet, otherwise within a second. A run that has ended does not change.',
    access: 'public',
    limit: 'shared',
    params: Token,
    examples: { token: SHARE_TOKEN },
    answers: { 200: jsonAnswer('The run, which may still be ending.', SharedRun, RUN_EXAMPLE) },
    problems: ['trials.not_found'],
  }),
  getStatus: operation({
    id: 'runtime.trials.getStatus',
    method: 'GET',
    path: '/api/trials',
    summary: 'Get what you can run without an account',
    description: 'How many runs this network address may still start today (UTC); 0 if the operator turned them off.',
    access: 'public',
    limit: 'shared',
    answers: {
      200: jsonAnswer(
        'What is left.',
        Type.Object({
          per_day: Type.Integer({ minimum: 0, description: 'Runs per network address and UTC day.' }),
          runs_left: Type.Integer({ minimum: 0 }),
          resets_at: Type.String({ format: 'date-time' }),
          input_bytes: Type.Integer({ description: 'The largest input, as JSON.' }),
        }),
        { per_day: 5, runs_left: 4, resets_at: '2026-11-21T00:00:00.000Z', input_bytes: 32_768 },
      ),
    },
    problems: [],
  }),
  getExample: operation({
    id: 'runtime.trials.getExample',
    method: 'GET',
    path: '/api/trials/example',
    summary: 'Get a real run as an example',
    description:
      'The last run of a first-party skill that the service did itself, as the front page shows it, with its receipt. Null while ' +
      'there is none; a run is then started.',
    access: 'public',
    answers: {
      200: jsonAnswer('The run, or null.', Type.Object({ run: Type.Union([SharedRun, Type.Null()]) }), {
        run: { ...RUN_EXAMPLE, caller: 'service' as const },
      }),
    },
    problems: [],
  }),
} as const;
