import { type ErrorTable, problemOf } from '#core/problem/error-table.ts';

/** The error codes of this wing. Their pages, `docs/errors`, are generated from here: `npm run capstand -- schema --write`. */
export const SURFACES_ERRORS = {
  'agents.confirmation_required': {
    kind: 'forbidden',
    title: "The agent did not make a call that has effects, because the user's own words did not ask for it.",
    why:
      'Listings, results and documents may contain text that instructs a model. Runs, calls and writes therefore ' +
      'need a sentence of the user that asks for them, with the capability by name or by its number in the last ' +
      'answer.',
    fix: 'If you want it, ask for it: "run" with the exact reference, or "yes" where the answer asks.',
    example: { detail: 'The user did not ask to run skill/json-diff. Say what you would do, and ask.' },
    aliases: ['agents.not_asked_for'],
  },
  'agents.conflict': {
    kind: 'conflict',
    title: 'Another turn of this conversation is running.',
    why:
      'Turns run one after another. If a process was killed during a turn, its conversation is released after 20 ' +
      'seconds.',
    fix: 'Wait for the other turn, or start another conversation.',
    example: {
      detail: 'Another turn of this conversation is running. Wait for it, or start another conversation.',
      retry_after: 1,
    },
    aliases: ['agents.conversation_busy'],
  },
  'agents.failed': {
    kind: 'upstream_failed',
    title: 'The model returned no answer.',
    why: 'Some models do after many tool calls, or when they decline. The turn is stored with its steps.',
    fix: 'Ask again, rephrase the request, or choose another model.',
    example: { detail: 'openai/gpt-5 returned no answer. Retry, or choose another model.' },
    aliases: ['agents.no_answer'],
  },
  'agents.model_invalid': {
    kind: 'unprocessable',
    title: 'Unknown model.',
    why: 'Ids are `provider/name`, and only models that the operator offers can be used.',
    fix: 'Use an id from `GET /api/agents/core-agent/available-models`.',
    example: {
      detail: 'Unknown model openai/gpt-0. GET /api/agents/core-agent/available-models lists the models.',
      errors: [{ pointer: '/model', detail: 'must be the id of an available model' }],
    },
    aliases: ['agents.model_unknown'],
  },
  'agents.model_unavailable': {
    kind: 'conflict',
    title: 'The model is known but currently unavailable.',
    why:
      "Usually its provider's key is not set, or the model that you chose is no longer offered. `detail` says " +
      'which.',
    fix:
      'Choose another model with `POST /api/agents/core-agent/set-model` or the field `model`. `builtin/planner` ' +
      'needs no key.',
    example: { detail: 'openai/gpt-5 is unavailable: no API key is configured. Choose another model.' },
  },
  'agents.not_found': {
    kind: 'not_found',
    title: 'Conversation or running turn not found.',
    why:
      'The conversation was deleted, expired (`CAPSTAN_CONVERSATION_RETENTION`), or belongs to another user. Or the turn to stop ' +
      'has already ended.',
    fix: '`GET /api/agents/core-agent/conversations` lists yours. Omit `conversation_id` to start a new one.',
    example: { detail: 'Conversation not found. It may have expired.' },
    aliases: ['agents.no_such_conversation'],
  },
  'agents.timeout': {
    kind: 'upstream_timeout',
    title: 'The turn exceeded its time limit.',
    why:
      'The model, or what it ran, was slow. Both were stopped. Operators set the limit with ' +
      '`CAPSTAN_CHAT_TIMEOUT`.',
    fix: 'Ask for less at once, or start long tasks separately and read their results later.',
    example: { detail: 'The turn exceeded its time limit of 120 s.' },
    aliases: ['agents.timed_out'],
  },
  'agents.unavailable': {
    kind: 'unavailable',
    title: 'The turn was not completed.',
    why: 'The process runs as many turns as it may, or was stopped during this one.',
    fix: 'Send your message again, after `Retry-After` seconds if the header is present.',
    example: { detail: 'Too many turns are running. Retry shortly.', reason: 'busy', retry_after: 2 },
    reasons: {
      busy: {
        why: 'This process runs as many turns as `CAPSTAN_CHATS` allows. Nothing was counted or stored.',
        fix: 'Retry after `Retry-After` seconds.',
        aliases: ['agents.busy'],
      },
      interrupted: {
        why: 'The process that ran the turn was stopped. What it had already run has its own tasks and receipts.',
        fix: 'Check your tasks first, then send your message again.',
        aliases: ['agents.interrupted'],
      },
    },
  },
  'mcp.result_too_large': {
    kind: 'unprocessable',
    title: 'The result of the tool, or the resource, is larger than 1 MiB.',
    why: 'MCP messages of this service are limited to 1 MiB.',
    fix:
      'Request less: a smaller `limit`, a narrower search, a single file. Read large files and results over ' +
      'plain HTTP.',
    example: { detail: 'The result exceeds 1 MiB. Request less.' },
  },
  'mcp.session_not_found': {
    kind: 'not_found',
    title: 'The session in the header `Mcp-Session-Id` was not found.',
    why:
      'Sessions end when they are idle (`CAPSTAN_MCP_SESSION_IDLE`) or replaced by a newer one, and belong to ' +
      'the token that started them.',
    fix: 'Send `initialize` again, and continue with the new session.',
    example: { detail: 'Session not found or expired. Send initialize again.' },
    aliases: ['mcp.session_unknown'],
  },
} as const satisfies ErrorTable;

/** `throw surfacesProblem('agents.confirmation_required', …)`: a failure with one of these codes. */
export const surfacesProblem = problemOf(SURFACES_ERRORS);
