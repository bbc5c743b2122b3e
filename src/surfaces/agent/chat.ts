import { quotaHeaders } from '#accounts/quotas/quota.ts';
import { preferredType } from '#core/http/accept.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import type { agentContract } from './contract.ts';
import { messageUnclear } from './refusals.ts';
import { type Agent, runTurn, type TurnOrder } from './run-turn.ts';
import { tellTurn } from './tell-turn.ts';
import type { ChatMessage } from './turn.ts';

const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';

/** POST /api/agents/core-agent/chat */
export const chat =
  (agent: Agent): Handler<typeof agentContract.chat> =>
  async ({ body, caller, headers, signal }) => {
    const order: TurnOrder = {
      conversation_id: body.conversation_id ?? null,
      said: saidIn(body),
      // A turn that is kept ends by its own limits, by a cancel, or with the process.
      signal: body.keep_running === true ? new AbortController().signal : signal,
      model: body.model,
      max_steps: body.max_steps,
      traceparent: typeof headers.traceparent === 'string' ? headers.traceparent : null,
    };
    const wanted = body.stream ?? preferredType(headers.accept, [JSON_TYPE, EVENTS]) === EVENTS;
    if (wanted) {
      // Tells proxies not to buffer the response.
      return {
        media_type: EVENTS,
        body: tellTurn(agent, caller, order, body.keep_running === true),
        headers: { 'x-accel-buffering': 'no' },
      };
    }
    const { turn, problem } = await runTurn(agent, caller, order, () => {});
    if (problem !== null) throw withTurn(problem, turn.id, turn.conversation_id);
    const counted = turn.is_llm ? quotaHeaders(turn.quota, agent.deps.clock.now()) : {};
    return json(turn, { headers: counted });
  };

interface Body {
  message?: string;
  messages?: readonly ChatMessage[];
  conversation_id?: string;
}

function saidIn({ message, messages, conversation_id }: Body): ChatMessage[] {
  if ((message === undefined) === (messages === undefined))
    throw messageUnclear('Send either `message`, or `messages` ending with a user message.');
  if (message !== undefined) return [{ role: 'user', content: message }];
  if (conversation_id !== undefined)
    throw messageUnclear('Continue a stored conversation with `message`, not `messages`.');
  const said = [...(messages as readonly ChatMessage[])];
  if (said.at(-1)?.role !== 'user') throw messageUnclear('The last of `messages` must have role user.');
  return said;
}

/** The turn is stored, so the error names it. */
const withTurn = ({ kind, code, message, headers, extensions, cause }: Problem, id: string, conversation_id: string) =>
  new Problem(kind, code, message, { headers, cause, extensions: { ...extensions, turn_id: id, conversation_id } });
