import { Problem } from '#core/problem/problem.ts';

/** What the agent turns away. */

export const noSuchConversation = (): Problem =>
  new Problem(
    'not_found',
    'agents.no_such_conversation',
    'You have no conversation of this id, or it was deleted for age.',
  );

export const conversationBusy = (): Problem =>
  new Problem(
    'conflict',
    'agents.conversation_busy',
    'A turn of this conversation is at work. Wait for its end, or begin another conversation.',
    { headers: { 'retry-after': '1' } },
  );

export const conversationFull = (): Problem =>
  new Problem('conflict', 'agents.conversation_full', 'This conversation is as long as one may be. Begin a new one.');

export const tooManyConversations = (most: number): Problem =>
  new Problem(
    'conflict',
    'agents.too_many_conversations',
    `You keep ${most} conversations, the most there may be. Delete some.`,
  );

export const messageUnclear = (detail: string): Problem =>
  new Problem('invalid_request', 'agents.message_unclear', detail);

export const modelUnknown = (id: string): Problem =>
  new Problem(
    'unprocessable',
    'agents.model_unknown',
    `There is no model ${id} here. GET /api/agents/core-agent/available-models names those there are.`,
    { errors: [{ pointer: '/model', detail: 'must be the id of a model that is offered' }] },
  );

export const modelUnavailable = (id: string, reason: string): Problem =>
  new Problem('conflict', 'agents.model_unavailable', `${id} is not available: ${reason} Choose another model.`);

export const busy = (): Problem =>
  new Problem('unavailable', 'agents.busy', 'As many turns are at work here as may be. Try again soon.', {
    headers: { 'retry-after': '2' },
  });

export const notAskedFor = (detail: string): Problem => new Problem('forbidden', 'agents.not_asked_for', detail);

export const timedOut = (timeout_ms: number): Problem =>
  new Problem(
    'upstream_timeout',
    'agents.timed_out',
    `The turn was ended at its time limit of ${timeout_ms / 1_000} s.`,
  );

export const interrupted = (): Problem =>
  new Problem('unavailable', 'agents.interrupted', 'The turn was cut off before its end. Say it again.');

export const noAnswer = (model: string): Problem =>
  new Problem(
    'upstream_failed',
    'agents.no_answer',
    `${model} ended without an answer. Ask again, or choose another model.`,
  );
