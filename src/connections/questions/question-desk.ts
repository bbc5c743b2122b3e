import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import type { Schema } from '#core/db/schema.ts';
import { endOf } from '#core/end.ts';
import { QUESTION_MS, type QuestionAnswer, type ServerQuestion } from '#core/mcp/questions.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';

/**
 * Questions of servers that wait for a person. They live in the process of their call and end with it. An answer may arrive
 * at any process: a thread of the same process hands it over, and others leave it in the database. The only SQL of its table.
 */
export interface QuestionDesk {
  /** Shows the question and waits for its answer; `cancel` after five minutes or when the call ends. */
  ask(
    of: Asked,
    question: ServerQuestion,
    signal: AbortSignal,
    show: (shown: ShownQuestion) => void | Promise<void>,
  ): Promise<QuestionAnswer>;
  /** False if no such question of this user waits. */
  answer(of: Asked, id: string, answer: QuestionAnswer): Promise<boolean>;
}

interface Asked {
  user_id: string;
  /** What asks: `connection <id>`, `task <id>` or `chat`. */
  scope: string;
}

export interface ShownQuestion extends ServerQuestion {
  id: string;
  /** When it is cancelled. */
  expires_at: string;
}

interface DeskDeps {
  database: Pick<Database, 'db' | 'engine'>;
  clock: Clock;
  keys: KeyProvider;
  threads?: Threads | undefined;
}

/** Answers that other processes received are looked for this often. */
const POLL_MS = 500;
/** Questions that wait at the same time in one thread, and those of one user among them; more are cancelled. */
const MOST_WAITING = 1_000;
const MOST_OF_USER = 50;
/** Ids of one statement: engines cap its parameters. */
const CHUNK = 500;
const CLEAN_MOST = 64;

interface Waiting {
  of: Asked;
  resolve(answer: QuestionAnswer): void;
}

/** Of questions that a call through this connection asks. */
export const connectionScope = (connectionId: string): string => `connection ${connectionId}`;

export const questionContext = (id: string): string => `answer to a server|${id}`;

const TOO_MANY: QuestionAnswer = {
  action: 'cancel',
  reason: 'Nobody was asked, because too many questions already wait for an answer.',
};
const TOO_LATE: QuestionAnswer = { action: 'cancel', reason: 'Nobody answered within five minutes.' };
const UNREADABLE: QuestionAnswer = { action: 'cancel', reason: 'The answer could not be read.' };
const CALL_ENDED: QuestionAnswer = { action: 'cancel', reason: 'The call ended before it was answered.' };

export function openQuestionDesk({ database, clock, keys, threads = ALONE }: DeskDeps): QuestionDesk {
  const { db } = database;
  const waiting = new Map<string, Waiting>();
  let isPolling = false;

  const answerHere = async (of: Asked, id: string, answer: QuestionAnswer): Promise<boolean> => {
    const found = waiting.get(id);
    if (found === undefined || found.of.user_id !== of.user_id || found.of.scope !== of.scope) return false;
    // Of two answers, only the one that removes the row counts.
    if (!(await removeUnanswered(db, id))) return false;
    found.resolve(answer);
    return true;
  };
  const answerInEach = threads.inEach('connections.answer', answerHere);

  const opened = (id: string, answer: string): QuestionAnswer => {
    try {
      return JSON.parse(unseal(keys, answer, questionContext(id)).toString());
    } catch {
      return UNREADABLE;
    }
  };

  /** Reads what other processes received; one query for all questions of this thread. */
  const poll = async (): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    while (waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS).unref());
      // Nothing is found while the database is unavailable.
      for (const { id, answer } of await answeredOf(db, [...waiting.keys()]).catch(() => []))
        waiting.get(id)?.resolve(opened(id, answer));
    }
    isPolling = false;
  };

  const ask: QuestionDesk['ask'] = async (of, question, signal, show) => {
    const ofUser = [...waiting.values()].filter((entry) => entry.of.user_id === of.user_id);
    if (waiting.size >= MOST_WAITING || ofUser.length >= MOST_OF_USER) return TOO_MANY;
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<QuestionAnswer>();
    const end = endOf({ timeout_ms: QUESTION_MS, with: [signal] });
    const cancel = () => resolve(end.isLate() ? TOO_LATE : CALL_ENDED);
    if (end.signal.aborted) cancel();
    end.signal.addEventListener('abort', cancel, { once: true });
    waiting.set(id, { of, resolve });
    try {
      const now = clock.now();
      const expires_at = isoTime(now + QUESTION_MS);
      // Rows that a process left behind when it died.
      await removeExpired(database, 'server_questions', now, CLEAN_MOST);
      await insert(db, { id, ...of, expires_at, answer: null });
      void poll();
      await show({ id, ...question, expires_at });
      return await promise;
    } finally {
      waiting.delete(id);
      end.release();
      await remove(db, id).catch(() => {});
    }
  };
  return {
    ask,
    answer: async (of, id, answer) => {
      if ((await answerInEach(of, id, answer)).includes(true)) return true;
      return storeAnswer(db, of, { id, answer: seal(keys, JSON.stringify(answer), questionContext(id)) }, clock.now());
    },
  };
}

type Db = Kysely<Schema>;

const insert = async (db: Db, row: Schema['server_questions']): Promise<void> =>
  void (await db.insertInto('server_questions').values(row).execute());

const remove = async (db: Db, id: string): Promise<void> =>
  void (await db.deleteFrom('server_questions').where('id', '=', id).execute());

const removeUnanswered = async (db: Db, id: string): Promise<boolean> =>
  (await db.deleteFrom('server_questions').where('id', '=', id).where('answer', 'is', null).executeTakeFirst())
    .numDeletedRows > 0n;

async function answeredOf(db: Db, ids: readonly string[]): Promise<{ id: string; answer: string }[]> {
  const found: { id: string; answer: string }[] = [];
  for (let at = 0; at < ids.length; at += CHUNK)
    found.push(
      ...(await db
        .selectFrom('server_questions')
        .select(['id', 'answer'])
        .where('id', 'in', ids.slice(at, at + CHUNK))
        .where('answer', 'is not', null)
        .$narrowType<{ answer: string }>()
        .execute()),
    );
  return found;
}

const storeAnswer = async (
  db: Db,
  { user_id, scope }: Asked,
  { id, answer }: { id: string; answer: string },
  nowMs: number,
): Promise<boolean> =>
  (
    await db
      .updateTable('server_questions')
      .set({ answer })
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .where('scope', '=', scope)
      .where('answer', 'is', null)
      .where('expires_at', '>', isoTime(nowMs))
      .executeTakeFirst()
  ).numUpdatedRows > 0n;
