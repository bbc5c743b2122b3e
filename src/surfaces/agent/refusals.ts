import { Problem } from '#core/problem/problem.ts';

/** Errors of the agent. */

export const noSuchConversation = (): Problem =>
  new Problem('not_found', 'agents.no_such_conversation', 'Conversation not found. It may have expired.');

export const conversationBusy = (): Problem =>
  new Problem(
    'conflict',
    'agents.conversation_busy',
    'Another turn of this conversation is running. Wait for it, or start another conversation.',
    { headers: { 'retry-after': '1' } },
  );

export const conversationFull = (): Problem =>
  new Problem('conflict', 'agents.conversation_full', 'Conversation length limit reached. Start a new conversation.');

export const tooManyConversations = (most: number): Problem =>
  new Problem(
    'conflict',
    'agents.too_many_conversations',
    `You have ${most} conversations, the limit. Delete some first.`,
  );

export const messageUnclear = (detail: string): Problem =>
  new Problem('invalid_request', 'agents.message_unclear', detail);

export const modelUnknown = (id: string): Problem =>
  new Problem(
    'unprocessable',
    'agents.model_unknown',
    `Unknown model ${id}. GET /api/agents/core-agent/available-models lists the models.`,
    { errors: [{ pointer: '/model', detail: 'must be the id of an available model' }] },
  );

export const modelUnavailable = (id: string, reason: string): Problem =>
  new Problem('conflict', 'agents.model_unavailable', `${id} is unavailable: ${reason} Choose another model.`);

export const busy = (): Problem =>
  new Problem('unavailable', 'agents.busy', 'Too many turns are running. Retry shortly.', {
    headers: { 'retry-after': '2' },
  });

export const notAskedFor = (detail: string): Problem => new Problem('forbidden', 'agents.not_asked_for', detail);

export const timedOut = (timeout_ms: number): Problem =>
  new Problem('upstream_timeout', 'agents.timed_out', `The turn exceeded its time limit of ${timeout_ms / 1_000} s.`);

export const interrupted = (): Problem =>
  new Problem('unavailable', 'agents.interrupted', 'The turn was interrupted. Send your message again.');

export const noAnswer = (model: string): Problem =>
  new Problem('upstream_failed', 'agents.no_answer', `${model} returned no answer. Retry, or choose another model.`);
