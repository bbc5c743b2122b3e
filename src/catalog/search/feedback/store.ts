import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type Aging, removeOldest } from '#core/db/remove-oldest.ts';
import type { Schema } from '#core/db/schema.ts';
import { saltedHash } from './voice-hash.ts';

/** The only SQL that uses the tables of search feedback, except for the report. */

type Db = Kysely<Schema>;

export const CHOICES = ['opened', 'installed', 'run'] as const;
export type ChoiceKind = (typeof CHOICES)[number];

interface Choice {
  capability_id: string;
  kind: ChoiceKind;
  /** From 1. */
  position: number;
}

/** A search, or the choice of one of its results. */
export interface FeedbackEvent {
  query: string;
  /** Null: the search itself. */
  choice: Choice | null;
  /** Of `namesOf`. */
  names: readonly string[];
}

/** A query's text is kept from so many people on. */
export const LEAST_VOICES = 3;

/** Rows a day. Beyond them, only what is already there is counted. */
interface DayBounds {
  voices: number;
  queries: number;
  choices: number;
}
const DAY_BOUNDS: DayBounds = { voices: 200_000, queries: 10_000, choices: 10_000 };

/** The salt of a day. The first process that needs it makes it. */
export async function saltOf(db: Db, day: string): Promise<string> {
  const fresh = { day, salt: randomBytes(32).toString('base64url'), searches: 0 };
  await db
    .insertInto('search_days')
    .values(fresh)
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute();
  const { salt } = await db.selectFrom('search_days').select('salt').where('day', '=', day).executeTakeFirstOrThrow();
  // A day that is over has none left, and its events are counted under one that nothing else uses.
  return salt ?? fresh.salt;
}

/**
 * Counts events in one transaction. An event of a voice that was counted for the same thing on this day is ignored. Returns the queries
 * that enough people have searched for, but that are not known by their text yet.
 */
export async function countEvents(
  db: Db,
  { day, salt }: { day: string; salt: string },
  events: readonly FeedbackEvent[],
  bounds: DayBounds = DAY_BOUNDS,
): Promise<string[]> {
  const keyed = events.map((event) => keyedOf(salt, event));
  return db.transaction().execute(async (trx) => {
    await holdDay(trx, day);
    const room = await roomIn(trx, day, bounds);
    const unnamed: string[] = [];
    for (const { event, query_key, voices } of keyed) {
      if (room.voices < voices.length || !(await takeVoices(trx, day, voices))) continue;
      room.voices -= voices.length;
      if (event.choice !== null) await countChoice(trx, { day, query_key, ...event.choice }, room);
      else if (await countSearch(trx, { day, query_key }, room)) unnamed.push(event.query);
    }
    return [...new Set(unnamed)];
  });
}

function keyedOf(salt: string, event: FeedbackEvent) {
  const query_key = saltedHash(salt, event.query);
  const { capability_id = '', kind = '' } = event.choice ?? {};
  const voices = event.names.map((name) => saltedHash(salt, event.query, capability_id, kind, name)).sort();
  return { event, query_key, voices };
}

/** Processes count one after the other, so that no two wait for each other's rows. */
const holdDay = async (trx: Db, day: string): Promise<void> =>
  void (await trx
    .updateTable('search_days')
    .set((eb) => ({ searches: eb('searches', '+', 0) }))
    .where('day', '=', day)
    .execute());

async function roomIn(trx: Db, day: string, bounds: DayBounds): Promise<DayBounds> {
  const count = async (table: 'search_voices' | 'search_queries' | 'search_choices'): Promise<number> => {
    const found = await trx
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where('day', '=', day)
      .executeTakeFirstOrThrow();
    return Number(found.rows);
  };
  return {
    voices: bounds.voices - (await count('search_voices')),
    queries: bounds.queries - (await count('search_queries')),
    choices: bounds.choices - (await count('search_choices')),
  };
}

/** Whether none of the hashes was known. All are afterwards. */
async function takeVoices(trx: Db, day: string, voices: readonly string[]): Promise<boolean> {
  if (voices.length === 0) return false;
  const added = await trx
    .insertInto('search_voices')
    .values(voices.map((voice) => ({ day, voice })))
    .onConflict((conflict) => conflict.columns(['day', 'voice']).doNothing())
    .returning('voice')
    .execute();
  return added.length === voices.length;
}

/** Returns whether enough people have searched for it, and its text is not kept yet. */
async function countSearch(trx: Db, key: { day: string; query_key: string }, room: DayBounds): Promise<boolean> {
  const { day, query_key } = key;
  await trx
    .updateTable('search_days')
    .set((eb) => ({ searches: eb('searches', '+', 1) }))
    .where('day', '=', day)
    .execute();
  const row = await trx
    .updateTable('search_queries')
    .set((eb) => ({ searches: eb('searches', '+', 1) }))
    .where('day', '=', day)
    .where('query_key', '=', query_key)
    .returning(['searches', 'query'])
    .executeTakeFirst();
  if (row !== undefined) return row.query === null && row.searches >= LEAST_VOICES;
  if (room.queries <= 0) return false;
  room.queries--;
  await trx
    .insertInto('search_queries')
    .values({ day, query_key, query: null, searches: 1, results: null })
    .onConflict((conflict) =>
      conflict.columns(['day', 'query_key']).doUpdateSet((eb) => ({ searches: eb('search_queries.searches', '+', 1) })),
    )
    .execute();
  return false;
}

async function countChoice(
  trx: Db,
  { day, query_key, capability_id, kind, position }: Choice & { day: string; query_key: string },
  room: DayBounds,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('search_choices')
    .set((eb) => ({ choices: eb('choices', '+', 1) }))
    .where('day', '=', day)
    .where('query_key', '=', query_key)
    .where('capability_id', '=', capability_id)
    .where('kind', '=', kind)
    .where('position', '=', position)
    .executeTakeFirst();
  if (numUpdatedRows > 0n || room.choices <= 0) return;
  room.choices--;
  await trx
    .insertInto('search_choices')
    .values({ day, query_key, capability_id, kind, position, choices: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'query_key', 'capability_id', 'kind', 'position'])
        .doUpdateSet((eb) => ({ choices: eb('search_choices.choices', '+', 1) })),
    )
    .execute();
}

/** Keeps the text of a query, and how many results it has. */
export async function nameQuery(
  db: Db,
  { day, salt }: { day: string; salt: string },
  { query, results }: { query: string; results: number },
): Promise<void> {
  await db
    .updateTable('search_queries')
    .set({ query, results })
    .where('day', '=', day)
    .where('query_key', '=', saltedHash(salt, query))
    .where('searches', '>=', LEAST_VOICES)
    .execute();
}

/** Deletes hashes, the salt, and queries that too few people searched for, of days before the one of this ISO time. */
export async function forgetVoices(db: Db, before: string, most: number): Promise<number> {
  const today = before.slice(0, 10);
  await db
    .updateTable('search_days')
    .set({ salt: null })
    .where('day', '<', today)
    .where('salt', 'is not', null)
    .execute();
  return removeInTurn(db, [VOICES, UNNAMED, UNNAMED_CHOICES], today, most);
}

/** Deletes counts of days before the one of this ISO time. */
export const removeFeedback = (db: Db, before: string, most: number): Promise<number> =>
  removeInTurn(db, [ALL_CHOICES, ALL_QUERIES, DAYS], before.slice(0, 10), most);

const CHOICE_KEY = ['day', 'query_key', 'capability_id', 'kind', 'position'];
const VOICES: Aging = { table: 'search_voices', key: ['day', 'voice'], time: 'day' };
const DAYS: Aging = { table: 'search_days', key: ['day'], time: 'day' };
const ALL_QUERIES: Aging = { table: 'search_queries', key: ['day', 'query_key'], time: 'day' };
const ALL_CHOICES: Aging = { table: 'search_choices', key: CHOICE_KEY, time: 'day' };
const UNNAMED: Aging = { ...ALL_QUERIES, only: sql<boolean>`query IS NULL` };
const UNNAMED_CHOICES: Aging = {
  ...ALL_CHOICES,
  only: sql<boolean>`NOT EXISTS (SELECT 1 FROM search_queries q
    WHERE q.day = search_choices.day AND q.query_key = search_choices.query_key)`,
};

/** Returns the number of deleted rows, at most `most`. */
async function removeInTurn(db: Db, all: readonly Aging[], before: string, most: number): Promise<number> {
  let removed = 0;
  for (const aging of all) if (removed < most) removed += await removeOldest(db, aging, before, most - removed);
  return removed;
}
