import { ROOT_CONTEXT, type Span } from '@opentelemetry/api';
import type { Caller } from '#core/http/caller.ts';
import { asProblem } from '#core/http/problem-reply.ts';
import { shareOf } from '#core/http/share-of.ts';
import { converse, type Conversation as Talk } from '#core/llm/converse.ts';
import type { Problem } from '#core/problem/problem.ts';
import { readTraceparent } from '#core/telemetry/traceparent.ts';
import { ATTR } from '#core/traces/conventions.ts';
import { linksTo } from '#core/traces/tracing.ts';
import { modelSpans } from '#runtime/runs/prompt/spans.ts';
import { type KnownTool, modelTools, toolsFor } from './agent-tools.ts';
import { CHAT_SCOPE } from './ask-in-chat.ts';
import { beginTurn, type StartedTurn } from './begin-turn.ts';
import type { AgentsDeps } from './deps.ts';
import { cancelRuns, endTurn } from './end-turn.ts';
import { readWords } from './gate/words.ts';
import { historyOf, messageOf } from './history.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { type Picked, pickModel } from './pick-model.ts';
import { noAnswer } from './refusals.ts';
import type { ChatMessage, TurnDone, TurnEvent, TurnUsage } from './turn.ts';
import { type AskAtChat, beginWork, type TurnWork, type WorkOptions } from './turn-work.ts';
import { listTurns } from './turns.ts';
import { Unwanted, watchTurn } from './watch-turn.ts';

/** One turn with the agent, for every model and every caller, from the message to the stored result. */

export interface TurnOrder {
  /** Null starts a new conversation. */
  conversation_id: string | null;
  /** The last entry is the user's; more than one only at the start of a conversation. */
  said: readonly ChatMessage[];
  model?: string | undefined;
  max_steps?: number | undefined;
  /** Aborts when the caller no longer receives events. Until then it can be asked something; without it, never. */
  heard_until?: AbortSignal;
  /** Aborting ends the model and what it runs. */
  signal: AbortSignal;
  /** The caller's trace context, which the turn's own trace links to. */
  traceparent?: string | null | undefined;
}

export interface TurnResult {
  turn: TurnDone;
  /** Why it failed; null if it completed or was cancelled. */
  problem: Problem | null;
}

export interface Agent {
  deps: AgentsDeps;
  tools: readonly KnownTool[];
}

const MOST_PAST = 60;

/** Throws a Problem if it cannot start. From then on, every end is a result and is stored. */
export async function runTurn(
  agent: Agent,
  caller: Caller,
  order: TurnOrder,
  onEvent: (event: TurnEvent) => void,
): Promise<TurnResult> {
  const { deps } = agent;
  return deps.turns.during(shareOf({ caller, address: null }), async () => {
    const picked = await pickModel({ ...deps, db: deps.database.db }, caller.user_id, order.model);
    const begun = await beginTurn(deps, caller, order, picked);
    return work(agent, caller, order, { ...begun, ...picked }, onEvent);
  });
}

type Started = StartedTurn & Picked;

async function work(
  { deps, tools }: Agent,
  caller: Caller,
  order: TurnOrder,
  started: Started,
  onEvent: (event: TurnEvent) => void,
): Promise<TurnResult> {
  const { turn, conversation, model, is_llm } = started;
  const span = beginSpan(deps, caller, order, conversation.id);
  const { traceId: trace_id } = span.spanContext();
  const paused = { pause: (): (() => void) => () => {} };
  const ask = order.heard_until === undefined ? null : askingAt(deps, caller, paused, order.heard_until);
  const ground = await groundOf(deps, caller, order, started, { span, onEvent, ask }).catch((error) => {
    span.end();
    throw error;
  });
  // From here on, any of its signals stops it.
  const watched = watchTurn(deps, turn, order.signal);
  paused.pause = watched.pause;
  // Last, because from here on the turn holds its conversation until it ends.
  const usage: TurnUsage = { input_tokens: 0, output_tokens: 0, requests: 0 };
  let [text, begunAnswering] = ['', false];
  onEvent({ type: 'started', id: turn.id, conversation_id: conversation.id, model: model.id, is_llm, trace_id });
  const end = (talk: Talk | null, problem: Problem | null, was_cancelled: boolean): Promise<TurnResult> =>
    endTurn(
      deps,
      caller,
      { started, ...ground, talk, text, usage, problem, was_cancelled, trace_id, span },
      begunAnswering,
      onEvent,
    );
  try {
    const { config, models } = deps;
    const max_steps = Math.min(order.max_steps ?? config.max_steps, config.max_steps);
    const talk = await converse({
      model,
      system: INSTRUCTIONS,
      messages: ground.messages,
      signal: watched.signal,
      // With a single step, there is no room for tool results.
      tools: max_steps === 1 ? [] : modelTools(deps, toolsFor(tools, caller), ground.work),
      limits: { max_steps, max_tokens: config.max_tokens, max_output_tokens: models.limits.max_output_tokens },
      around: countingUsage(ground.work, usage),
      on_start: () => {
        begunAnswering = true;
      },
      on_text: (part, step) => {
        text += part;
        onEvent({ type: 'text', step, text: part });
      },
    });
    return await end(talk, talk.text.trim() === '' ? noAnswer(model.id) : null, false);
  } catch (error) {
    if (watched.signal.aborted) await cancelRuns(deps, tools, ground.work);
    if (watched.signal.reason instanceof Unwanted) return await end(null, null, true);
    const problem = asProblem(deps.explain(error));
    if (problem.kind === 'internal') deps.log.error({ err: error, turn: turn.id }, 'turn failed');
    return await end(null, problem, false);
  } finally {
    watched.stop();
    span.end();
  }
}

function beginSpan({ tracing }: AgentsDeps, caller: Caller, { traceparent }: TurnOrder, conversationId: string): Span {
  const attributes = {
    [ATTR.operation]: 'invoke_agent',
    [ATTR.agent_name]: 'core-agent',
    [ATTR.conversation]: conversationId,
    [ATTR.owner]: caller.user_id,
  };
  return tracing.tracer.startSpan(
    'invoke_agent core-agent',
    { attributes, links: linksTo(readTraceparent(traceparent)) },
    ROOT_CONTEXT,
  );
}

/** The time limit of the turn waits for the person. A question ends when that person leaves. */
const askingAt =
  (
    { questions }: AgentsDeps,
    { user_id }: Caller,
    watched: Pick<ReturnType<typeof watchTurn>, 'pause'>,
    heardUntil: AbortSignal,
  ): AskAtChat =>
  async (question, signal, show) => {
    if (heardUntil.aborted) return { action: 'decline' };
    const goOn = watched.pause();
    try {
      const until = AbortSignal.any([signal, heardUntil]);
      return await questions.ask({ user_id, scope: CHAT_SCOPE }, question, until, show);
    } finally {
      goOn();
    }
  };

async function groundOf(
  deps: AgentsDeps,
  caller: Caller,
  order: TurnOrder,
  { turn, conversation, model }: Started,
  { span, onEvent, ask }: { span: Span } & Pick<WorkOptions, 'onEvent' | 'ask'>,
) {
  const past = turn.seq === 1 ? [] : (await listTurns(deps.database.db, conversation.id, MOST_PAST + 1)).slice(0, -1);
  // The origin of an answer in the caller's own history is unknown.
  const brought = order.said.some((entry) => entry.role === 'assistant');
  const before = brought ? { ...conversation.state, tainted: true } : conversation.state;
  const words = readWords([...past, turn], before.acted_seq);
  const spans = modelSpans(model, null, { tracing: deps.tracing, span, record_content: false });
  const work = beginWork({ id: turn.id, caller, model, spans, skills: deps.skills, words, before, onEvent, ask });
  return { work, messages: [...historyOf(past, model.id), ...order.said.map(messageOf)] };
}

const countingUsage = ({ spans }: TurnWork, usage: TurnUsage) => ({
  tool: spans.tool,
  request: (async (request, act) => {
    usage.requests++;
    const answer = await spans.request(request, act);
    usage.input_tokens += answer.usage.input_tokens ?? 0;
    usage.output_tokens += answer.usage.output_tokens ?? 0;
    return answer;
  }) satisfies TurnWork['spans']['request'] as TurnWork['spans']['request'],
});
