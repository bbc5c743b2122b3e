import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { dayOf, giveBack } from '#accounts/quotas/quota.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { isoTime } from '#core/clock/clock.ts';
import { userShare } from '#core/fair-queue/share.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Conversation as Talk } from '#core/llm/converse.ts';
import type { Message } from '#core/llm/model.ts';
import type { Problem } from '#core/problem/problem.ts';
import { briefOf } from '#core/problem/problem.ts';
import { ATTR } from '#core/traces/conventions.ts';
import { leaveConversation } from '#surfaces/conversations/conversations.ts';
import type { KnownTool } from './agent-tools.ts';
import type { StartedTurn } from './begin-turn.ts';
import type { AgentsDeps } from './deps.ts';
import { askedBack } from './gate/asked-back.ts';
import { learnEnd } from './gate/learn.ts';
import type { Picked } from './pick-model.ts';
import type { Turn, TurnDone, TurnEvent, TurnUsage } from './turn.ts';
import type { TurnWork } from './turn-work.ts';
import { finishTurn } from './turns.ts';

/** The end of a turn: what is stored, refunded and returned. */

interface Ended {
  started: StartedTurn & Picked;
  work: TurnWork;
  /** The conversation before and in this turn. */
  messages: readonly Message[];
  /** Null if there was no answer. */
  talk: Talk | null;
  /** The text so far. */
  text: string;
  usage: TurnUsage;
  problem: Problem | null;
  was_cancelled: boolean;
  trace_id: string;
  span: Span;
}

export async function endTurn(
  deps: AgentsDeps,
  caller: Caller,
  ended: Ended,
  begun_answering: boolean,
  onEvent: (event: TurnEvent) => void,
): Promise<{ turn: TurnDone; problem: Problem | null }> {
  const { started, work, problem, was_cancelled, usage, trace_id, span } = ended;
  const { turn: begun, is_llm, quota } = started;
  const note = askedBack(work.refused);
  if (note !== '') onEvent({ type: 'text', step: usage.requests, text: note });
  const givenBack = is_llm && !begun_answering && (await giveQuotaBack(deps, caller, begun));
  const turn: Turn = {
    ...begun,
    status: was_cancelled ? 'cancelled' : problem === null ? 'completed' : 'failed',
    message: storable(`${ended.talk?.text ?? ended.text}${note}`),
    messages: ended.talk === null ? [] : withNote(ended.talk.messages.slice(ended.messages.length), note),
    steps: work.steps,
    usage,
    trace_id,
    error: problem === null ? null : briefOf(problem),
    finished_at: isoTime(deps.clock.now()),
  };
  if (problem !== null) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute(ATTR.error_type, problem.code);
  await keep(deps, turn, work);
  const { id, conversation_id, status, message, model, steps, error } = turn;
  const done: TurnDone = {
    id,
    conversation_id,
    status,
    message,
    model,
    is_llm,
    steps,
    usage,
    error,
    trace_id,
    quota: givenBack ? { ...quota, used: quota.used - 1 } : quota,
  };
  onEvent({ type: 'done', turn: done });
  return { turn: done, problem };
}

const keep = (deps: AgentsDeps, turn: Turn, work: TurnWork): Promise<void> =>
  deps.database.db.transaction().execute(async (trx) => {
    const { words, before, now: learned } = work.gate();
    const { refused } = work;
    const acted_seq = work.acted() ? turn.seq : null;
    const state = learnEnd({
      words,
      before,
      now: learned,
      message: turn.message,
      shown: work.shown(),
      refused,
      acted_seq,
    });
    const size = await finishTurn(trx, turn);
    const now = turn.finished_at as string;
    await leaveConversation(trx, {
      id: turn.conversation_id,
      turn_id: turn.id,
      state: JSON.stringify(state),
      size,
      now,
    });
  });

async function giveQuotaBack(
  { database, log, countQuota }: AgentsDeps,
  { user_id }: Caller,
  turn: Turn,
): Promise<boolean> {
  try {
    await giveBack(database.db, user_id, dayOf(Date.parse(turn.created_at)), countQuota);
    return true;
  } catch (error) {
    log.warn({ error, turn: turn.id }, 'failed to refund a quota unit');
    return false;
  }
}

/** Tells a later model what its user was told. */
function withNote(messages: Message[], note: string): Message[] {
  const last = messages.at(-1);
  if (note === '' || last?.role !== 'assistant') return messages;
  const content =
    typeof last.content === 'string'
      ? `${last.content}${note}`
      : [...last.content, { type: 'text' as const, text: note }];
  return [...messages.slice(0, -1), { ...last, content }];
}

const CANCEL_MS = 5_000;

/** Cancels the tasks that the turn started. */
export async function cancelRuns({ log }: AgentsDeps, tools: readonly KnownTool[], work: TurnWork): Promise<void> {
  const cancel = tools.find(({ tool }) => tool.name === 'task_cancel')?.tool;
  if (cancel === undefined) return;
  const signal = AbortSignal.timeout(CANCEL_MS);
  const call = {
    caller: work.caller,
    share: userShare(work.caller.user_id),
    signal,
    request_id: work.id,
    run_tool: null,
    traceparent: null,
    progress: () => {},
    log: () => {},
    can: () => false,
    ask: async () => ({}),
    answered: () => [],
    elicit: async () => null,
  };
  await Promise.all(
    // A task that has already ended cannot be cancelled.
    [...work.at_work].map((id) =>
      cancel.run({ id }, call).catch((error) => log.debug({ error, id }, 'failed to cancel a run')),
    ),
  );
}
