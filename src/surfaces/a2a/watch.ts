import { setTimeout as sleep } from 'node:timers/promises';
import { isoTime } from '#core/clock/clock.ts';
import { isFinal } from '#runtime/tasks/states.ts';
import type { Task } from '#runtime/tasks/task.ts';
import { findTask } from '#runtime/tasks/tasks.ts';
import type { TurnEvent } from '#surfaces/agent/turn.ts';
import type { A2aDeps } from './deps.ts';
import type { Heard, LiveTurns } from './live-turns.ts';
import { ANSWER, agentMessage, artifactsOf, shownStatus, shownTask } from './shown-task.ts';
import { isInterrupted, wireState } from './states.ts';
import { findTurnTask, type Owned, type TurnTask } from './turn-tasks.ts';

/** Streams the changes of a task as the protocol's JSON, from its current state until it rests. */

export interface WatchDeps extends Pick<A2aDeps, 'db' | 'clock' | 'tasks'> {
  live: LiveTurns;
}

export const readTurnTask = ({ db, clock }: Pick<A2aDeps, 'db' | 'clock'>, of: Owned): Promise<TurnTask | undefined> =>
  findTurnTask(db, of, isoTime(clock.now()));

/** The Capstan task that continues it. */
export const readRan = async ({ db }: Pick<A2aDeps, 'db'>, of: Owned, task: TurnTask): Promise<Task | undefined> =>
  task.task_id === null ? undefined : findTask(db, { user_id: of.user_id, id: task.task_id });

/** The task cannot continue on its own. */
export const rests = ({ state }: TurnTask): boolean => isFinal(state) || isInterrupted(state);

/** Changes by other processes are found by polling. */
const LOOK_EVERY_MS = 400;
const FIRST_LOOK_MS = 50;
/** Then the client subscribes again, and its credential is verified again. */
const MOST_MS = 600_000;

/** `begun` is set for a turn that this call started: then all of it is streamed. */
export async function* watchTask(
  deps: WatchDeps,
  of: Owned,
  signal: AbortSignal,
  begun?: Heard,
): AsyncGenerator<unknown> {
  const heard = begun ?? hear(deps.live, of.id, signal);
  const found = await readTurnTask(deps, of);
  if (found === undefined) return;
  let task: TurnTask = begun === undefined ? found : { ...found, state: 'working', message: '', task_id: null };
  const ran = await readRan(deps, of, task);
  yield { task: shownTask(task, ran, { artifacts: true, text: heard?.text_before }) };
  const told = toldText(heard?.text_before ?? task.message);
  for await (const event of heard?.events ?? []) yield* told.tell(task, event);
  const endsAt = performance.now() + MOST_MS;
  for (let waitMs = FIRST_LOOK_MS; !signal.aborted && performance.now() < endsAt; waitMs = LOOK_EVERY_MS) {
    const now = await readTurnTask(deps, of);
    if (now === undefined) return;
    const changed = now.state !== task.state || now.at !== task.at;
    task = now;
    if (changed) {
      if (rests(now)) yield* told.end(now, await readRan(deps, of, now));
      yield { statusUpdate: { taskId: of.id, contextId: now.conversation_id, status: shownStatus(now) } };
    }
    if (rests(now)) return;
    await sleep(waitMs, undefined, { signal }).catch(() => {});
  }
}

function hear(live: LiveTurns, id: string, signal: AbortSignal): Heard | undefined {
  const turn = live.get(id);
  return turn && { text_before: turn.text(), events: turn.events.listen(signal) };
}

/** The text that a client has received, chunk by chunk. */
function toldText(before: string) {
  let [text, step, count] = [before, 0, 0];
  return {
    *tell(task: TurnTask, event: TurnEvent): Generator<unknown> {
      if (event.type === 'text') {
        // Text before a tool call is not part of the answer: the text of the next step replaces it.
        const append = event.step === step || (step === 0 && text !== '');
        [step, text] = [event.step, append ? text + event.text : event.text];
        yield artifactUpdate(task, { artifact: answerPart(event.text), append, lastChunk: false });
      }
      const word = wordOf(event);
      if (word === null) return;
      const message = agentMessage(task, `${task.id}-step-${++count}`, word);
      const status = { state: wireState('working'), timestamp: task.at, message };
      yield { statusUpdate: { taskId: task.id, contextId: task.conversation_id, status } };
    },
    *end(task: TurnTask, ran: Task | undefined): Generator<unknown> {
      for (const artifact of artifactsOf(task, ran)) {
        const append = artifact.artifactId === ANSWER && text === task.message;
        yield artifactUpdate(task, { artifact: append ? answerPart('') : artifact, append, lastChunk: true });
      }
    },
  };
}

const answerPart = (text: string) => ({
  artifactId: ANSWER,
  name: 'Answer',
  parts: [{ text, mediaType: 'text/markdown' }],
});

const artifactUpdate = ({ id, conversation_id }: TurnTask, rest: Record<string, unknown>) => ({
  artifactUpdate: { taskId: id, contextId: conversation_id, ...rest },
});

function wordOf(event: TurnEvent): string | null {
  switch (event.type) {
    case 'step_started':
      return `Calls ${event.tool}.`;
    case 'step_progress':
      return event.message === '' ? null : event.message;
    case 'step_finished':
      return event.error === null ? `${event.tool}: ${event.status}.` : `${event.tool}: ${event.error.detail}`;
    default:
      return null;
  }
}
