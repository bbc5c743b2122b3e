import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '#core/http/caller.ts';
import { isFinal } from '#runtime/tasks/states.ts';
import { findTask } from '#runtime/tasks/tasks.ts';
import type { AskedTurn } from '#surfaces/agent/open-agents.ts';
import type { TurnDone, TurnEvent } from '#surfaces/agent/turn.ts';
import { type Broadcast, broadcast } from './broadcast.ts';
import type { A2aDeps } from './deps.ts';
import { followTask, noteTurn } from './turn-tasks.ts';

/** Turns of A2A clients in this process: each continues when its client disconnects. */

interface LiveTurn {
  id: string;
  conversation_id: string;
  /** The text of the current step so far. */
  text(): string;
  events: Broadcast<TurnEvent>;
  /** Resolves when the turn has ended and is stored. */
  over: Promise<void>;
}

/** The events of a turn from some moment on, and the text before. */
export interface Heard {
  text_before: string;
  events: AsyncIterable<TurnEvent>;
}

export type StartedTurn = Pick<LiveTurn, 'id'> & { heard: Heard | undefined };

export interface LiveTurns {
  get(id: string): LiveTurn | undefined;
  /** Resolves when the turn has started, with its events until `listen` aborts, if given. Throws if it cannot start. */
  begin(caller: Caller, saying: Saying, listen: AbortSignal | null): Promise<StartedTurn>;
}

interface Saying extends Omit<AskedTurn, 'signal'> {
  message_id: string;
}

type Deps = Pick<A2aDeps, 'db' | 'agents' | 'log' | 'tasks'>;

export function liveTurns({ db, agents, log, tasks }: Deps): LiveTurns {
  const live = new Map<string, LiveTurn>();

  const begin: LiveTurns['begin'] = (caller, { message_id, ...asked }, listen) => {
    const started = Promise.withResolvers<StartedTurn>();
    const events = broadcast<TurnEvent>();
    let [step, text] = [0, ''];
    const onEvent = (event: TurnEvent): void => {
      if (event.type === 'text')
        [step, text] = event.step === step ? [step, text + event.text] : [event.step, event.text];
      if (event.type === 'started') {
        const { id, conversation_id } = event;
        const turn = { id, conversation_id, events, text: () => text, over };
        const heard = listen === null ? undefined : { text_before: '', events: events.listen(listen) };
        live.set(id, turn);
        started.resolve(note(id, message_id).then(() => ({ id, heard })));
      } else events.publish(event);
    };
    const run = async (): Promise<void> => {
      // Deferred until `over` is set.
      await nextTurn();
      const done = await agents.runTurn(caller, { ...asked, signal: tasks.deps.stopping }, onEvent);
      await started.promise;
      await follow(caller.user_id, done);
    };
    const over = run()
      .catch((error) => {
        started.reject(error);
        // There may be no listener left; the result is in the database.
        log.debug({ err: error }, 'a turn of an A2A client ended');
      })
      .then(async () => {
        const turn = await started.promise.catch(() => null);
        if (turn !== null) live.delete(turn.id);
        events.end();
      });
    return started.promise;
  };

  /** Without it, the task is shown with a generated message id. */
  const note = (turnId: string, messageId: string): Promise<void> =>
    noteTurn(db, turnId, messageId).catch((error) => log.warn({ err: error }, 'failed to store an A2A message id'));

  /** If the turn started a task and left it running, that task continues the A2A task. */
  const follow = async (user_id: string, { id, status, steps }: TurnDone): Promise<void> => {
    const run = steps.findLast((step) => step.run !== null)?.run;
    if (status !== 'completed' || run === undefined || run === null) return;
    const task = await findTask(db, { user_id, id: run.task_id });
    if (task !== undefined && !isFinal(task.status)) await followTask(db, id, task.id);
  };

  return { get: (id) => live.get(id), begin };
}
