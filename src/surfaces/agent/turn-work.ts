import type { ShownQuestion } from '#connections/questions/question-desk.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Model } from '#core/llm/model.ts';
import type { QuestionAnswer, ServerQuestion } from '#core/mcp/questions.ts';
import type { Problem } from '#core/problem/problem.ts';
import { briefOf } from '#core/problem/problem.ts';
import type { ModelSpans } from '#runtime/runs/prompt/spans.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { AskInChat } from './ask-in-chat.ts';
import { foundMember } from './found-cards.ts';
import type { GateContext } from './gate/gate.ts';
import { learnResult, targetsIn } from './gate/learn.ts';
import type { AskedCall, GateState, Target } from './gate/state.ts';
import type { Words } from './gate/words.ts';
import type { Step, TurnEvent } from './turn.ts';

/** The state of a running turn: its steps, results and refusals. */
export interface TurnWork {
  id: string;
  caller: Caller;
  model: Model;
  spans: ModelSpans;
  steps: Step[];
  refused: AskedCall[];
  /** Tasks that were started and not seen to end. */
  at_work: Set<string>;
  state(): GateState;
  shown(): readonly Target[];
  /** Whether something with effects was done. */
  acted(): boolean;
  gate(): GateContext;
  beginStep(call: AskedCall): BegunStep;
}

export interface BegunStep {
  /** Asks the person at the chat; null where nobody can be asked. */
  ask: AskInChat | null;
  progress(done: number, total: number | null, message: string): void;
  done(structured: unknown, hasEffects: boolean): void;
  failed(problem: Problem): void;
}

export interface WorkOptions extends Pick<TurnWork, 'id' | 'caller' | 'model' | 'spans'> {
  skills: SkillStore;
  words: Words;
  before: GateState;
  onEvent(event: TurnEvent): void;
  /** Shows a question by `show` and waits for its answer; null where nobody can be asked. */
  ask: AskAtChat | null;
}

export type AskAtChat = (
  question: ServerQuestion,
  signal: AbortSignal,
  show: (shown: ShownQuestion) => void,
) => Promise<QuestionAnswer>;

const MOST_INPUT = 300;

export function beginWork({ id, caller, model, spans, skills, words, before, onEvent, ask }: WorkOptions): TurnWork {
  let [now, count] = [before, 0];
  const [steps, refused, done, shown]: [Step[], AskedCall[], AskedCall[], Target[]] = [[], [], [], []];
  const [made, at_work] = [new Set<string>(), new Set<string>()];
  const exampleOf = (skill: string) => skills.get(skill)?.example?.input;
  const isContained = (skill: string) => skills.get(skill)?.execution_class === 'scripted';
  const beginStep = (call: AskedCall): BegunStep => {
    const begun = performance.now();
    const place = `call_${++count}`;
    const input = shownInput(call.input);
    const taskId = call.tool === 'task_start' && typeof call.input.id === 'string' ? call.input.id : null;
    if (taskId !== null) at_work.add(taskId);
    onEvent({ type: 'step_started', call: place, tool: call.tool, input });
    const end = (rest: Pick<Step, 'status' | 'error' | 'run' | 'receipt_id' | 'found'>): void => {
      const step: Step = { tool: call.tool, input, duration_ms: Math.round(performance.now() - begun), ...rest };
      steps.push(step);
      onEvent({ type: 'step_finished', call: place, ...step });
    };
    return {
      ask:
        ask === null
          ? null
          : (question, signal) =>
              ask(question, signal, (shown) => onEvent({ type: 'question', call: place, ...shown })),
      progress: (done, total, message) => onEvent({ type: 'step_progress', call: place, done, total, message }),
      done: (structured, hasEffects) => {
        now = learnResult(now, call, structured);
        shown.push(...targetsIn(call, structured));
        if (hasEffects) done.push(call);
        if (call.tool === 'task_create') made.add(String((structured as { id?: unknown }).id));
        const run = runOf(call, structured);
        if (run !== null && (structured as { status?: unknown }).status !== 'working') at_work.delete(run.task_id);
        end({
          status: 'completed',
          error: null,
          run,
          ...receiptOf(call, structured),
          ...foundMember(call, structured),
        });
      },
      failed: (problem) => {
        const { code, detail } = briefOf(problem);
        if (taskId !== null) at_work.delete(taskId);
        if (code === 'agents.confirmation_required') refused.push(call);
        // The message of a failure may contain untrusted text.
        else now = learnResult(now, call, null);
        const status = code === 'agents.confirmation_required' ? 'refused' : 'failed';
        const error = { ...briefOf(problem), detail: detail.slice(0, 1_000) };
        end({ status, error, run: null, ...receiptOf(call, problem.extensions) });
      },
    };
  };
  return {
    id,
    caller,
    model,
    spans,
    steps,
    refused,
    at_work,
    beginStep,
    state: () => now,
    shown: () => shown,
    acted: () => done.length > 0,
    gate: () => ({ words, before, now, isContained, exampleOf, made, done }),
  };
}

function shownInput(input: unknown): string {
  const text = JSON.stringify(input) ?? '';
  return text.length <= MOST_INPUT ? text : `${text.slice(0, MOST_INPUT).toWellFormed()}…`;
}

/** Of a tool call; the receipt of a task belongs to its run. */
function receiptOf({ tool }: AskedCall, members: unknown): Pick<Step, 'receipt_id'> {
  const { receipt_id } = (members ?? {}) as Record<string, unknown>;
  return tool === 'connection_call' && typeof receipt_id === 'string' ? { receipt_id } : {};
}

function runOf({ tool }: AskedCall, structured: unknown): Step['run'] {
  const { id, receipt_id, trace_id } = (structured ?? {}) as Record<string, unknown>;
  if (!/^(?:task_start|rig_run)$/.test(tool) || typeof id !== 'string') return null;
  const textOr = (receiptId: unknown): string | null => (typeof receiptId === 'string' ? receiptId : null);
  return { task_id: id, receipt_id: textOr(receipt_id), trace_id: textOr(trace_id) };
}
