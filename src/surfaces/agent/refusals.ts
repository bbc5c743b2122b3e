import { accountsProblem } from '#accounts/errors.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { surfacesProblem } from '#surfaces/errors.ts';

/** Errors of the agent. */

export const noSuchConversation = (): Problem =>
  surfacesProblem('agents.not_found', 'Conversation not found. It may have expired.');

export const noSuchTurn = (): Problem =>
  surfacesProblem('agents.not_found', 'No running turn with this id. It may have ended.');

export const conversationBusy = (): Problem =>
  surfacesProblem(
    'agents.conflict',
    'Another turn of this conversation is running. Wait for it, or start another conversation.',
    { headers: { 'retry-after': '1' } },
  );

export const conversationFull = (): Problem =>
  accountsProblem('users.limit_exceeded', 'Conversation length limit reached. Start a new conversation.', {
    reason: 'conversation_length',
  });

export const tooManyConversations = (most: number): Problem =>
  accountsProblem('users.limit_exceeded', `You have ${most} conversations, the limit. Delete some first.`, {
    reason: 'conversations',
  });

export const messageUnclear = (detail: string): Problem => coreProblem('http.invalid', detail, { reason: 'input' });

export const modelUnknown = (id: string): Problem =>
  surfacesProblem(
    'agents.model_invalid',
    `Unknown model ${id}. GET /api/agents/core-agent/available-models lists the models.`,
    { errors: [{ pointer: '/model', detail: 'must be the id of an available model' }] },
  );

export const modelUnavailable = (id: string, reason: string): Problem =>
  surfacesProblem('agents.model_unavailable', `${id} is unavailable: ${reason} Choose another model.`);

export const busy = (): Problem =>
  surfacesProblem('agents.unavailable', 'Too many turns are running. Retry shortly.', {
    reason: 'busy',
    headers: { 'retry-after': '2' },
  });

export const notAskedFor = (detail: string): Problem => surfacesProblem('agents.confirmation_required', detail);

export const timedOut = (timeout_ms: number): Problem =>
  surfacesProblem('agents.timeout', `The turn exceeded its time limit of ${timeout_ms / 1_000} s.`);

export const interrupted = (): Problem =>
  surfacesProblem('agents.unavailable', 'The turn was interrupted. Send your message again.', {
    reason: 'interrupted',
  });

export const noAnswer = (model: string): Problem =>
  surfacesProblem('agents.failed', `${model} returned no answer. Retry, or choose another model.`);
