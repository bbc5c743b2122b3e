import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Database } from '#core/db/open.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import type { Schema } from '#core/db/schema.ts';
import { QUESTION_MS, type QuestionAnswer, type ServerQuestion } from '#core/mcp/questions.ts';
import { readThrown, type Thrown, writeThrown } from '#core/threads/thrown.ts';

/**
 * Continues a call that waits in another process: the answer and what comes of it are left in the database. The only SQL of its
 * table, which has one row for each question that waits.
 */
export interface HandedCalls {
  /** Lets other processes answer this question. */
  open(of: Bound, asked: AskedId): Promise<void>;
  /** Takes the question for an answer that arrived in this process. False if another process has answered it. */
  claim(asked: AskedId): Promise<boolean>;
  /** The answers of other processes to these questions, and those that nobody can answer any more: their client has left. */
  look(all: readonly AskedId[]): Promise<{ answered: (AskedId & { answer: QuestionAnswer })[]; gone: AskedId[] }>;
  /** Says that these calls continue. Returns those that nobody waits for any more. */
  keep(all: readonly AskedId[]): Promise<AskedId[]>;
  /** Leaves the next question or the result for the process that answered. */
  give(asked: AskedId, next: CallState | { error: unknown }): Promise<void>;
  /**
   * Answers the question of a call in another process and waits for what comes of it. Null if no such question of this user waits, or
   * the process of the call has ended. A failure of the call is thrown.
   */
  resume(of: Bound, asked: AskedId, answer: QuestionAnswer, signal: AbortSignal): Promise<CallState | null>;
}

/** A call is continued by the same user with the same arguments only. */
export interface Bound {
  user_id: string;
  call: string;
}

export interface AskedId {
  id: string;
  /** Of the question in its call, from 1. */
  number: number;
}

/** Plain data, because another thread or process may have the call. */
export type CallResult = Record<string, unknown>;
export type CallState = { done: CallResult } | { asked: AskedId; question: ServerQuestion };

interface HandedDeps {
  database: Pick<Database, 'db' | 'engine'>;
  clock: Clock;
  keys: KeyProvider;
}

const LOOK_MS = 250;
/** A process that does not say for this long that a call continues has ended. */
const LEASE_MS = 15_000;
const CLEAN_MOST = 64;
/** Ids of one statement: engines cap its parameters. */
const CHUNK = 500;

export const handedAnswerContext = (id: string): string => `answer to a suspended call|${id}`;
export const handedNextContext = (id: string): string => `next of a suspended call|${id}`;

export function handedCalls({ database, clock, keys }: HandedDeps): HandedCalls {
  const { db } = database;
  const soon = (): string => isoTime(clock.now() + LEASE_MS);

  const opened = <T>(sealed: string, context: string): T => JSON.parse(unseal(keys, sealed, context).toString());

  /** Undefined while the call continues. */
  const nextOf = async (id: string): Promise<Next | null | undefined> => {
    const row = await findRow(db, id);
    if (row === undefined) return null;
    if (row.next === null) return row.expires_at > isoTime(clock.now()) ? undefined : null;
    return opened<Next>(row.next, handedNextContext(id));
  };

  return {
    open: async ({ user_id, call }, asked) => {
      const now = clock.now();
      // Rows that a process left behind when it died. A process that lives has removed its own before.
      await removeExpired(database, 'suspended_calls', now, CLEAN_MOST);
      const row = {
        user_id,
        call_sha256: sha256(call),
        expires_at: isoTime(now + QUESTION_MS + LEASE_MS),
        answer: null,
        next: null,
      };
      await db
        .insertInto('suspended_calls')
        .values(Object.assign({ id: keyOf(asked) }, row))
        .execute();
    },
    claim: async (asked) => removeUnanswered(db, keyOf(asked)),
    look: async (all) => {
      const rows = new Map((await rowsOf(db, all.map(keyOf))).map(({ id, answer }) => [id, answer]));
      const answered = all.flatMap((asked) => {
        const [id, answer] = [keyOf(asked), rows.get(keyOf(asked)) ?? null];
        if (answer === null) return [];
        return [{ ...asked, answer: opened<QuestionAnswer>(answer, handedAnswerContext(id)) }];
      });
      return { answered, gone: all.filter((asked) => !rows.has(keyOf(asked))) };
    },
    keep: async (all) => {
      const kept = new Set(await touch(db, all.map(keyOf), soon()));
      return all.filter((asked) => !kept.has(keyOf(asked)));
    },
    give: async (asked, next) => {
      const id = keyOf(asked);
      const written: Next = 'error' in next ? { thrown: writeThrown(next.error) } : { state: next };
      await setNext(db, id, { next: seal(keys, JSON.stringify(written), handedNextContext(id)), expires_at: soon() });
    },
    resume: async ({ user_id, call }, asked, answer, signal) => {
      const id = keyOf(asked);
      const of = { id, user_id, call_sha256: sha256(call) };
      const sealed = seal(keys, JSON.stringify(answer), handedAnswerContext(id));
      if (!(await storeAnswer(db, of, { answer: sealed, expires_at: soon() }, isoTime(clock.now())))) return null;
      try {
        for (;;) {
          const next = await nextOf(id);
          if (next === null) return null;
          if (next !== undefined && 'thrown' in next) throw readThrown(next.thrown);
          if (next !== undefined) return next.state;
          await sleep(LOOK_MS, undefined, { signal });
        }
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        // A call that continues ends without its row.
        await removeRow(db, id);
      }
    },
  };
}

type Next = { state: CallState } | { thrown: Thrown };
type Db = Kysely<Schema>;

const keyOf = ({ id, number }: AskedId): string => `${id}_${number}`;

const findRow = (db: Db, id: string) =>
  db.selectFrom('suspended_calls').select(['next', 'expires_at']).where('id', '=', id).executeTakeFirst();

const removeRow = async (db: Db, id: string): Promise<void> =>
  void (await db.deleteFrom('suspended_calls').where('id', '=', id).execute());

const removeUnanswered = async (db: Db, id: string): Promise<boolean> =>
  (await db.deleteFrom('suspended_calls').where('id', '=', id).where('answer', 'is', null).executeTakeFirst())
    .numDeletedRows > 0n;

async function rowsOf(db: Db, ids: readonly string[]): Promise<{ id: string; answer: string | null }[]> {
  const found: { id: string; answer: string | null }[] = [];
  for (let at = 0; at < ids.length; at += CHUNK)
    found.push(
      ...(await db
        .selectFrom('suspended_calls')
        .select(['id', 'answer'])
        .where('id', 'in', ids.slice(at, at + CHUNK))
        .execute()),
    );
  return found;
}

/** Returns those that exist. */
async function touch(db: Db, ids: readonly string[], expires_at: string): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < ids.length; at += CHUNK)
    found.push(
      ...(
        await db
          .updateTable('suspended_calls')
          .set({ expires_at })
          .where('id', 'in', ids.slice(at, at + CHUNK))
          .returning('id')
          .execute()
      ).map(({ id }) => id),
    );
  return found;
}

const setNext = async (db: Db, id: string, values: { next: string; expires_at: string }): Promise<void> =>
  void (await db.updateTable('suspended_calls').set(values).where('id', '=', id).execute());

const storeAnswer = async (
  db: Db,
  { id, user_id, call_sha256 }: { id: string; user_id: string; call_sha256: string },
  values: { answer: string; expires_at: string },
  now: string,
): Promise<boolean> =>
  (
    await db
      .updateTable('suspended_calls')
      .set(values)
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .where('call_sha256', '=', call_sha256)
      .where('answer', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst()
  ).numUpdatedRows > 0n;
