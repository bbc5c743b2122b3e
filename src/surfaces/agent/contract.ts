import type { TSchema } from 'typebox';
import { AVAILABILITIES } from '#catalog/items/availability.ts';
import { LISTING_TYPES } from '#catalog/items/kinds.ts';
import { AnswerBody } from '#connections/questions/answer-body.ts';
import { jsonAnswer, jsonContent, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { ProblemBriefShape } from '#core/problem/brief-shape.ts';
import { EVENTS_EXAMPLE, TURN_EXAMPLE } from './examples.ts';
import { TURN_STATES } from './turn.ts';

/** The operations of the agent. */

const closed = { additionalProperties: false };
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const time = Type.String({ format: 'date-time' });

const Words = Type.String({ minLength: 1, maxLength: 100_000, pattern: '\\S' });
const ModelId = Type.String({
  minLength: 1,
  maxLength: 240,
  description: '`provider/name`, from available-models.',
});
export const ChatMessage = Type.Object({ role: Type.Enum(['user', 'assistant']), content: Words }, closed);

export const Step = Type.Object({
  tool: text,
  input: Type.String({ description: 'Input as JSON, truncated.' }),
  status: Type.Enum(['completed', 'failed', 'refused'], {
    description: '`refused`: blocked because you did not ask for it.',
  }),
  duration_ms: count,
  error: nullable(ProblemBriefShape, 'Why it failed or was refused.'),
  run: nullable(
    Type.Object({
      task_id: text,
      receipt_id: Type.Union([text, Type.Null()]),
      trace_id: Type.Union([text, Type.Null()]),
    }),
    'Id of the task that ran.',
  ),
  receipt_id: Type.Optional(
    Type.String({ description: 'Receipt of a tool call through a connection, also if it failed.' }),
  ),
  found: Type.Optional(
    Type.Array(
      Type.Object({
        kind: text,
        ref: text,
        name: text,
        description: text,
        listing_type: nullable(Type.Enum([...LISTING_TYPES]), 'Its type, if known.'),
        availability: nullable(Type.Enum([...AVAILABILITIES]), 'Whether it can be used here, if known.'),
      }),
      {
        description:
          'What a search found. `kind` and `ref` are the capability of a task that runs it, or `task` and the id of a run.',
      },
    ),
  ),
});

export const TURN = {
  id: text,
  conversation_id: text,
  status: Type.Enum([...TURN_STATES]),
  message: Type.String({ description: 'The answer, in Markdown.' }),
  model: ModelId,
  is_llm: Type.Boolean({ description: 'False if the built-in planner answered, which is not a language model.' }),
  steps: Type.Array(Step),
  usage: Type.Object(
    { input_tokens: count, output_tokens: count, requests: count },
    { description: 'Tokens and model requests.' },
  ),
  error: nullable(ProblemBriefShape, 'Why the turn did not complete.'),
  trace_id: Type.String({ description: 'For `GET /api/traces/{trace_id}`.' }),
};

export const Quota = Type.Object({ limit: Type.Union([count, Type.Null()]), used: count, resets_at: time });
const TurnAnswer = Type.Object({ ...TURN, quota: Quota });

const Model = Type.Object({
  id: text,
  provider: text,
  name: text,
  is_llm: Type.Boolean(),
  available: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'Why it is not available.' })),
});

const MODEL_EXAMPLE = { id: 'builtin/planner', provider: 'builtin', name: 'planner', is_llm: false, available: true };
const LLM = ['llm.failed', 'llm.filtered', 'llm.limit_exceeded', 'llm.timeout', 'llm.unavailable'];

export const agentContract = {
  chat: operation({
    id: 'surfaces.agent.chat',
    method: 'POST',
    path: '/api/agents/core-agent/chat',
    summary: 'Chat with the agent',
    description:
      'One turn: the agent searches, inspects and runs what you ask for, then answers. Runs are your tasks with ' +
      'receipts. Calls with side effects require that your message asks for and names them; otherwise the agent asks first. ' +
      'With `stream`, or `Accept: text/event-stream`, progress is streamed: `started`, `text`, ' +
      '`step_started`, `step_progress`, `step_finished`, and `done` with the response below, or `error`. A `question` asks you ' +
      'what a server or a task wants to know; without a stream it is declined. Closing the request cancels the turn and its runs, unless `keep_running` is set.',
    access: 'jwt',
    body: Type.Object(
      {
        message: Type.Optional(Words),
        messages: Type.Optional(
          Type.Array(ChatMessage, {
            minItems: 1,
            maxItems: 100,
            description: 'Instead of `message`: starts a conversation with your own history.',
          }),
        ),
        conversation_id: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'Conversation to continue. Omit to start a new one.',
          }),
        ),
        model: Type.Optional(ModelId),
        stream: Type.Optional(Type.Boolean({ default: false })),
        keep_running: Type.Optional(
          Type.Boolean({
            default: false,
            description: 'Continue if this request closes. The conversation has the answer; `cancel` stops the turn.',
          }),
        ),
        max_steps: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 200,
            description: 'Maximum model responses. The service may allow fewer.',
          }),
        ),
      },
      closed,
    ),
    body_example: { message: 'find a skill that compares JSON documents', model: 'builtin/planner' },
    answers: {
      200: {
        description: 'The answer or its event stream.',
        content: {
          ...jsonContent(TurnAnswer, TURN_EXAMPLE),
          'text/event-stream': { schema: Type.String(), example: EVENTS_EXAMPLE },
        },
      },
    },
    problems: [
      'agents.conflict',
      'agents.failed',
      'agents.model_invalid',
      'agents.model_unavailable',
      'agents.not_found',
      'agents.timeout',
      'agents.unavailable',
      'users.limit_exceeded',
      'users.proof_required',
      'users.quota_exceeded',
      ...LLM,
    ],
  }),
  answer: operation({
    id: 'surfaces.agent.answer',
    method: 'POST',
    path: '/api/agents/core-agent/questions/{question_id}',
    summary: 'Answer a question in the chat',
    description:
      'Answers a `question` event of a streamed turn, which then continues. What a server asks goes to that server: do not send ' +
      'passwords or keys. A question waits for five minutes at most, and ends with its call.',
    access: 'jwt',
    params: Type.Object({ question_id: Type.String({ minLength: 1, maxLength: 100 }) }),
    examples: { question_id: 'b7f9c1c4-8d1e-4c0c-9a51-0f3f0a6e7f11' },
    body: AnswerBody,
    body_example: { action: 'accept', content: { harbour: 'Bremerhaven' } },
    answers: {
      200: jsonAnswer('The answer was passed on.', Type.Object({ action: AnswerBody.properties.action }), {
        action: 'accept',
      }),
    },
    problems: ['connections.not_found'],
  }),
  cancel: operation({
    id: 'surfaces.agent.cancel',
    method: 'POST',
    path: '/api/agents/core-agent/turns/{turn_id}/cancel',
    summary: 'Stop a turn of the agent',
    description:
      'Ends a running turn and its runs within a second, whichever process it runs in. What it has done by then stays. ' +
      'The event `started` has the id, and so does the conversation.',
    access: 'jwt',
    params: Type.Object({ turn_id: Type.String({ minLength: 1, maxLength: 100 }) }),
    examples: { turn_id: TURN_EXAMPLE.id },
    answers: {
      200: jsonAnswer('The turn is being stopped.', Type.Object({ id: text }), { id: TURN_EXAMPLE.id }),
    },
    problems: ['agents.not_found'],
  }),
  getStatus: operation({
    id: 'surfaces.agent.getStatus',
    method: 'GET',
    path: '/api/agents/core-agent/status',
    summary: 'Get the status of the agent',
    description: 'Your current model, the tools available with your credential, and your running turns.',
    access: 'jwt',
    answers: {
      200: jsonAnswer(
        'The status.',
        Type.Object({
          status: Type.Enum(['ready', 'model_unavailable']),
          reason: nullable(text, 'Why the model is unavailable.'),
          model: text,
          is_llm: Type.Boolean(),
          tools: Type.Array(text),
          queue: Type.Object({ at_work: count }),
          quota: Quota,
          version: text,
        }),
        {
          status: 'ready',
          reason: null,
          model: 'builtin/planner',
          is_llm: false,
          tools: ['skill_search', 'registry_search'],
          queue: { at_work: 0 },
          quota: TURN_EXAMPLE.quota,
          version: '0.1.0',
        },
      ),
    },
    problems: [],
  }),
  listModels: operation({
    id: 'surfaces.agent.listModels',
    method: 'GET',
    path: '/api/agents/core-agent/available-models',
    summary: 'List the models of the agent',
    description:
      'Queries each configured provider and caches the result for a minute. Unavailable models have a ' +
      'reason. `builtin/planner` is always available.',
    access: 'jwt',
    answers: {
      200: jsonAnswer(
        'The models.',
        Type.Object({ items: Type.Array(Model), current: Type.String({ description: 'Your current model.' }) }),
        { items: [MODEL_EXAMPLE], current: 'builtin/planner' },
      ),
    },
    problems: [],
  }),
  setModel: operation({
    id: 'surfaces.agent.setModel',
    method: 'POST',
    path: '/api/agents/core-agent/set-model',
    summary: 'Choose the model of the agent',
    description: 'Default for your future turns without `model`.',
    access: 'jwt',
    body: Type.Object({ model: ModelId }, closed),
    body_example: { model: 'builtin/planner' },
    answers: {
      200: jsonAnswer('The selected model.', Type.Object({ model: text, is_llm: Type.Boolean() }), {
        model: 'builtin/planner',
        is_llm: false,
      }),
    },
    problems: ['agents.model_invalid', 'agents.model_unavailable'],
  }),
} as const;
