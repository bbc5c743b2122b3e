import type { Kysely } from 'kysely';
import type { QuestionDesk } from '#connections/questions/question-desk.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { QuestionAnswer, ServerQuestion } from '#core/mcp/questions.ts';
import type { TaskChannel } from './pub-sub.ts';
import type { Task } from './task.ts';
import { appendEvents, type TaskEvent } from './task-events.ts';
import { SERVER_ASKS, taskScope } from './task-question.ts';
import { noteTask } from './tasks.ts';

/** Asks the owner of a running task what a server wants to know. The task is `input_required` until it is answered. */
export type AskOwner = (task: Task, question: ServerQuestion, signal: AbortSignal) => Promise<QuestionAnswer>;

interface AskOwnerDeps {
  db: Kysely<Schema>;
  clock: Clock;
  channel: TaskChannel;
  questions: QuestionDesk;
  /** How many tasks run at once in this process. */
  concurrency: number;
}

/** A run that waits holds its worker's place, so that only half of them may wait, and half of those for one user. */
const FULL: QuestionAnswer = {
  action: 'cancel',
  reason: 'Nobody was asked, because too many runs already wait for an answer.',
};

export function taskAsking({ db, clock, channel, questions, concurrency }: AskOwnerDeps): AskOwner {
  const places = Math.max(1, Math.floor(concurrency / 2));
  const places_of_user = Math.max(1, Math.floor(places / 2));
  /** Users by waiting run. */
  const waiting = new Map<Task, string>();
  const countOf = (userId: string): number => [...waiting.values()].filter((id) => id === userId).length;
  /** In one transaction, so that a client that sees the event sees the question. */
  const note = async (task: Task, asking: string | null): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      if (await noteTask(trx, task, { asking }))
        await appendEvents(trx, task.id, [eventOf(task, asking)], isoTime(clock.now()));
    });
    channel.publish(task.id);
  };
  return async (task, question, signal) => {
    if (waiting.size >= places || countOf(task.user_id) >= places_of_user) return FULL;
    waiting.set(task, task.user_id);
    try {
      return await questions.ask({ user_id: task.user_id, scope: taskScope(task.id) }, question, signal, (shown) =>
        note(task, JSON.stringify(shown)),
      );
    } finally {
      waiting.delete(task);
      await note(task, null);
    }
  };
}

const eventOf = ({ attempt }: Task, asking: string | null): TaskEvent => ({
  type: 'status',
  data:
    asking === null
      ? { status: 'working', status_reason: 'running', attempt }
      : { status: 'input_required', status_reason: SERVER_ASKS, attempt },
});
