import type { TSchema } from 'typebox';
import { deleted } from '#accounts/users/deleted.ts';
import { EXECUTION_CLASSES } from '#catalog/items/kinds.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { TraceAnswer } from '#core/traces/trace-answer.ts';
import { RIG_ID } from '#runtime/rigs/examples.ts';
import { CAPABILITY_KINDS } from '#runtime/runs/capability.ts';
import {
  COMPARED_EXAMPLE,
  EVENTS_EXAMPLE,
  OTHER_TASK_ID,
  TASK_EXAMPLE,
  TASK_ID,
  TRACE_EXAMPLE,
  WHOLE_EXAMPLE,
} from './examples.ts';
import { RESOLVING } from './resolving.ts';
import { shareContract } from './share-contract.ts';
import { TASK_STATES } from './states.ts';

/** The tasks feature as data. */

const closed = { additionalProperties: false };
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const time = (description: string) => nullable(Type.String({ format: 'date-time' }), description);

const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'A title for people; by default the name of the capability.',
});
const Input = Type.Unknown({
  description: 'Any JSON that fits the capability’s input schema. At most 512 KiB, 200 levels deep.',
});

export const FileIn = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Relative to `/workspace/input`; letters, digits, `.`, `_`, `-` and `/`.',
    }),
    content_base64: Type.String({ maxLength: 700_000, description: 'The bytes in standard base64.' }),
  },
  closed,
);
const FilesIn = Type.Array(FileIn, { maxItems: 50, description: 'Files for the run, at most 512 KiB in total.' });

export const FileOut = Type.Object({
  path: Type.String({ description: 'Relative to `/workspace/input` or `/workspace/output`.' }),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  content_base64: Type.String(),
});

export const Bound = Type.Object({
  kind: Type.Enum([...CAPABILITY_KINDS]),
  ref: Type.String(),
  version: Type.String({ description: 'The exact version that the task is bound to.' }),
  digest: Type.String({ description: '`sha256:` and the digest of the exact version that runs.' }),
});

export const Failure = nullable(
  Type.Object({ code: Type.String(), detail: Type.String() }),
  'Why it did not complete.',
);

const TASK = {
  id: Type.String(),
  title: Type.String(),
  capability: Bound,
  execution_class: Type.Enum([...EXECUTION_CLASSES]),
  status: Type.Enum([...TASK_STATES]),
  status_reason: nullable(Type.String(), 'A code, such as `queued`, `running`, `timed_out` or `model_required`.'),
  error: Failure,
  question: nullable(
    Type.Object({
      packages: Type.Array(
        Type.Object({
          ecosystem: Type.Enum(['npm', 'pypi']),
          name: Type.String(),
          wanted: Type.String({ description: 'Versions that will do; empty for any.' }),
          from: Type.String({ description: 'Where the skill declares it, such as `requirements.txt`.' }),
        }),
        { description: 'Packages to be installed in the box of the script.' },
      ),
      environment: Type.Array(
        Type.Object({
          name: Type.String(),
          secret: Type.Boolean({ description: 'Stored for the skill, and never sent as an answer.' }),
        }),
        { description: 'Environment variables without a value.' },
      ),
    }),
    'What a task that is `input_required` asks, where that is more than input.',
  ),
  server_question: nullable(
    Type.Object({
      id: Type.String(),
      message: Type.String(),
      schema: Type.Object({}, { description: 'A flat form as JSON Schema: untrusted.' }),
      link: nullable(
        Type.Object({ url: Type.String(), host: Type.String() }),
        'A page of https that the server asks to open, in place of a form: untrusted. Show its host, and open it only when asked to.',
      ),
      expires_at: Type.String({ format: 'date-time' }),
    }),
    'What a server asks in a run that is `input_required` because of `server_asks`.',
  ),
  attempt: Type.Integer({ minimum: 0, description: 'How often it was begun; more than once after a crash.' }),
  trace_id: nullable(Type.String(), 'Trace of the last attempt.'),
  receipt_id: nullable(Type.String(), 'For `GET /api/receipts/{id}`; null if nothing ran.'),
  created_at: Type.String({ format: 'date-time' }),
  queued_at: time('When it was started by its owner.'),
  started_at: time('When the first attempt began.'),
  finished_at: time('When it ended.'),
};

export const TaskShown = Type.Object(TASK);
export const TaskWhole = Type.Object({
  ...TASK,
  stored_bytes: Type.Integer({ minimum: 0, description: 'Storage that its input, output and files use.' }),
  kept_until: time('When the task is deleted, with its result and files. Null until it has ended.'),
  input: Type.Unknown(),
  output: Type.Unknown({ description: 'JSON if the run printed JSON, otherwise its text; null without output.' }),
  input_files: Type.Array(FileOut),
  output_files: Type.Array(FileOut, { description: 'Files that the run wrote to `/workspace/output`.' }),
  receipt_key: nullable(
    Type.String(),
    'Base64. The key of the receipt’s HMACs over input and output. Share it with people who should be able to verify them.',
  ),
});

const Environment = Type.Record(
  Type.String({ maxLength: 100 }),
  Type.String({ maxLength: 8_192, pattern: '^[^\\u0000]*$' }),
  {
    maxProperties: 50,
    description:
      'Environment variables for the scripts of this run, or values that its packaged server takes, such as `{"REGION":"eu"}`. ' +
      'Not for secrets: store those for the skill, or connect to the server.',
  },
);
const Install = Type.Boolean({ description: 'Accepts that packages which a script needs are installed in its box.' });

const Side = Type.Object({
  ...TASK,
  duration_ms: nullable(Type.Number(), 'From the start to the end; null before.'),
  hosts: Type.Array(Type.String(), { description: 'Servers that were called, and hosts that its box reached.' }),
  usage: Type.Object({
    model_requests: Type.Integer({ description: 'Requests to language models.' }),
    input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
  }),
});

const Comparison = Type.Object({
  is_equal: Type.Boolean(),
  lines: nullable(
    Type.Array(
      Type.Object({
        head: Type.String({ description: '`@@ -1,3 +1,4 @@`, as in unified diffs.' }),
        lines: Type.Array(Type.Object({ kind: Type.Enum(['same', 'added', 'removed']), text: Type.String() })),
      }),
    ),
    'Null if they are too long or too different for a comparison by lines.',
  ),
});

const FilesCompared = Type.Array(
  Type.Object({ path: Type.String(), change: Type.Enum(['same', 'changed', 'added', 'removed']) }),
);

const Compared = Type.Object({
  runs: Type.Array(Side, { description: 'The first and the second run.' }),
  input: Comparison,
  output: Comparison,
  input_files: FilesCompared,
  output_files: FilesCompared,
});

const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const whole = (description: string) => jsonAnswer(description, TaskWhole, WHOLE_EXAMPLE);

export const tasksContract = {
  ...shareContract,
  create: operation({
    id: 'runtime.tasks.create',
    method: 'POST',
    path: '/api/agents/tasks',
    summary: 'Create a task',
    description:
      'Binds a capability, at its exact version and digest, to an input. Nothing runs before it is started. ' +
      'An unknown capability is a 404, a version that is gone a 410, an input that does not fit its schema a 422.',
    access: 'jwt',
    creates: true,
    body: Type.Object(
      {
        title: Type.Optional(Title),
        capability: Type.Object(
          {
            kind: Type.Optional(
              Type.Enum([...CAPABILITY_KINDS], {
                description: 'Needed only if the name is ambiguous: a skill, and a rig or harness of yours.',
              }),
            ),
            ref: Type.String({
              minLength: 1,
              maxLength: 1_000,
              description:
                'A name from any list, search or page: the id of a marketplace listing, `publisher/name`, `skill/name`, ' +
                '`provider/external_id`, the name of a skill, the id or name of a rig or harness of yours, or ' +
                '`connection id/tool`. The task is bound to the source that runs.',
            }),
            version: Type.Optional(
              Type.String({ minLength: 1, maxLength: 200, description: 'Defaults to the newest.' }),
            ),
          },
          closed,
        ),
        input: Type.Optional(Input),
        input_files: Type.Optional(FilesIn),
        environment: Type.Optional(Environment),
        install: Type.Optional(Install),
      },
      closed,
    ),
    body_example: { capability: { kind: 'skill', ref: 'json-diff' }, input: WHOLE_EXAMPLE.input },
    answers: { 201: whole('The task, `submitted`.') },
    problems: [...RESOLVING, 'runs.input_invalid', 'users.limit_exceeded', 'users.quota_exceeded'],
  }),
  list: operation({
    id: 'runtime.tasks.list',
    method: 'GET',
    path: '/api/agents/tasks',
    summary: 'List your tasks',
    description:
      'Newest first, without input, output and files; get a task to see those. `Link` has the next and previous page.',
    access: 'jwt',
    query: Type.Object({
      status: Type.Optional(Type.Enum([...TASK_STATES], { description: 'Only those in this state.' })),
      same_as: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Id of a task: only those of the same capability, in any version.',
        }),
      ),
      ...pageQuery('Tasks'),
    }),
    examples: { status: 'completed', same_as: TASK_ID, limit: 50, offset: 0 },
    answers: {
      200: jsonAnswer('One page of tasks.', pageOf(TaskShown), {
        items: [TASK_EXAMPLE],
        total_count: 1,
        limit: 50,
        offset: 0,
      }),
    },
    problems: ['tasks.not_found'],
  }),
  get: operation({
    id: 'runtime.tasks.get',
    method: 'GET',
    path: '/api/agents/tasks/{id}',
    summary: 'Get a task',
    description: 'The whole task, with its files and the key of its receipt.',
    access: 'jwt',
    params: Id,
    examples: { id: TASK_ID },
    answers: { 200: whole('The task.') },
    problems: ['tasks.not_found'],
  }),
  update: operation({
    id: 'runtime.tasks.update',
    method: 'PUT',
    path: '/api/agents/tasks/{id}',
    summary: 'Change, answer or cancel a task',
    description:
      'You can change title and input while it is `submitted`; omitted members do not change. Input for a task that is ' +
      '`input_required` answers it: start it again to continue. Where `question` names packages or variables, the answer is ' +
      '`{"install":true,"environment":{"NAME":"value"}}`; `{"install":false}` declines and ends the task. ' +
      'Where `server_question` has a form, or a page to open, the answer is `{"action":"accept","content":{…}}`, `{"action":"decline"}` or ' +
      '`{"action":"cancel"}`: the run continues at once and is not started again. ' +
      '`{"status":"cancelled"}` cancels: at once if nothing runs, within a second where something does.',
    access: 'jwt',
    params: Id,
    examples: { id: TASK_ID },
    body: Type.Object(
      {
        title: Type.Optional(Title),
        input: Type.Optional(Input),
        input_files: Type.Optional(FilesIn),
        status: Type.Optional(Type.Literal('cancelled')),
      },
      { ...closed, minProperties: 1 },
    ),
    body_example: { status: 'cancelled' },
    answers: { 200: whole('The current task; still `working` while its run is being ended.') },
    problems: ['tasks.not_found', 'tasks.conflict', 'runs.input_invalid', 'users.quota_exceeded', ...RESOLVING],
  }),
  delete: operation({
    id: 'runtime.tasks.delete',
    method: 'DELETE',
    path: '/api/agents/tasks/{id}',
    summary: 'Delete a task',
    description: 'With its input, output and files. Its receipt and trace stay. A running task is cancelled first.',
    access: 'jwt',
    params: Id,
    examples: { id: TASK_ID },
    answers: { 200: deleted('Deleted.') },
    problems: ['tasks.not_found', 'tasks.conflict'],
  }),
  start: operation({
    id: 'runtime.tasks.start',
    method: 'POST',
    path: '/api/agents/tasks/{id}/start',
    summary: 'Start a task',
    description:
      'Queues it to run. Only a task that is `submitted`, `input_required` or `auth_required` can ' +
      'be started. The run has a separate trace; a `traceparent` header is recorded as its link.',
    access: 'jwt',
    creates: true,
    params: Id,
    examples: { id: TASK_ID },
    answers: { 202: whole('The task, `working`.') },
    problems: [
      'tasks.not_found',
      'tasks.conflict',
      'tasks.queue_limit_exceeded',
      'tasks.limit_exceeded',
      'users.quota_exceeded',
    ],
  }),
  runRig: operation({
    id: 'runtime.tasks.runRig',
    method: 'POST',
    path: '/api/rigs/{id}/run',
    summary: 'Run a rig',
    description:
      'Creates a task of kind `rig` and starts it. The rig is verified first and again before its turn: anything that is ' +
      'not match the lock is a 409 with findings, and nothing runs. The receipt’s subject is the lock.',
    access: 'jwt',
    creates: true,
    params: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 100, description: 'The rig’s id or name.' }),
    }),
    examples: { id: RIG_ID },
    body: Type.Object(
      {
        input: Type.Optional(Type.Unknown({ description: 'The parameters; those with a default are optional.' })),
        version: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: 'Defaults to the one that was stored last.' }),
        ),
        title: Type.Optional(Title),
      },
      closed,
    ),
    body_example: { input: WHOLE_EXAMPLE.input },
    answers: { 202: whole('The task, `working`.') },
    problems: [
      ...RESOLVING,
      'runs.input_invalid',
      'tasks.queue_limit_exceeded',
      'tasks.limit_exceeded',
      'users.quota_exceeded',
    ],
  }),
  again: operation({
    id: 'runtime.tasks.again',
    method: 'POST',
    path: '/api/agents/tasks/{id}/again',
    summary: 'Run a task again',
    description:
      'Creates and starts a task with the same capability, version, input, files and values. Secrets are read from where they ' +
      'are stored. A version that is gone is a 410; one whose content has changed is a 409.',
    access: 'jwt',
    creates: true,
    params: Id,
    examples: { id: TASK_ID },
    answers: { 202: whole('The new task, `working`.') },
    problems: [
      'tasks.not_found',
      'tasks.conflict',
      ...RESOLVING,
      'runs.input_invalid',
      'tasks.queue_limit_exceeded',
      'tasks.limit_exceeded',
      'users.limit_exceeded',
      'users.quota_exceeded',
    ],
  }),
  compare: operation({
    id: 'runtime.tasks.compare',
    method: 'GET',
    path: '/api/agents/tasks/{id}/compare/{other}',
    summary: 'Compare two runs',
    description:
      'Two runs of one capability side by side: versions, times, hosts, tokens, and the differences of input and output ' +
      'as lines of their JSON.',
    access: 'jwt',
    params: Type.Object({ ...Id.properties, other: Type.String({ minLength: 1, maxLength: 100 }) }),
    examples: { id: TASK_ID, other: OTHER_TASK_ID },
    answers: { 200: jsonAnswer('The comparison.', Compared, COMPARED_EXAMPLE) },
    problems: ['tasks.not_found', 'tasks.conflict'],
  }),
  getTrace: operation({
    id: 'runtime.tasks.getTrace',
    method: 'GET',
    path: '/api/agents/tasks/{id}/trace',
    summary: 'Get the trace of a task',
    description:
      'The spans of its last attempt, in order of their start, by the OpenTelemetry conventions for generative AI. ' +
      'Input and output are in it, cut and with secrets taken out; only the owner sees it.',
    access: 'jwt',
    params: Id,
    examples: { id: TASK_ID },
    answers: {
      200: jsonAnswer(
        'The trace; no spans before the first run, or after they were deleted for age.',
        Type.Object({
          trace_id: nullable(Type.String(), 'Null before the first run.'),
          spans: TraceAnswer.properties.spans,
        }),
        TRACE_EXAMPLE,
      ),
    },
    problems: ['tasks.not_found'],
  }),
  watch: operation({
    id: 'runtime.tasks.watch',
    method: 'GET',
    path: '/api/agents/tasks/{id}/events',
    summary: 'Watch a task',
    description:
      'Server-sent events: `status` at each move, `output` as the run prints, `step` while a package is prepared and ' +
      'started (`step` and the `bytes` received), from the beginning on and until the ' +
      'task has ended. A client that reconnects sends `Last-Event-ID` and misses nothing; after ten minutes every one ' +
      'must. Console output is deleted with the traces; the task keeps its output.',
    access: 'jwt',
    params: Id,
    query: Type.Object({
      follow: Type.Boolean({
        default: true,
        description: 'Whether to wait for further events. `false`: those so far.',
      }),
    }),
    examples: { id: TASK_ID, follow: true },
    answers: {
      200: {
        description: 'The events.',
        content: { 'text/event-stream': { schema: Type.String(), example: EVENTS_EXAMPLE } },
      },
    },
    problems: ['tasks.not_found', 'http.invalid'],
  }),
} as const;
