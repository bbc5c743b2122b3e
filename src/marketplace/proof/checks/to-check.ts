import { type Kysely, sql } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { subjectOf } from '../targets.ts';
import type { Round } from './check-round.ts';

/** The next listing to check: the only SQL that names `proof_checks`. */

type Db = Kysely<Schema>;

/** First listings never checked, then the least recently checked; null if none is due. */
export async function nextToCheck(db: Db, skills: readonly string[], now: string): Promise<string | null> {
  const own = skills.map((name) => `skill/${name}`);
  return (
    (await neverTried(db, own)) ??
    (await publishedUntried(db)) ??
    (await listingUntried(db)) ??
    (await longestDue(db, now))
  );
}

async function neverTried(db: Db, subjects: readonly string[]): Promise<string | null> {
  if (subjects.length === 0) return null;
  const rows = await db.selectFrom('proof_checks').select('subject').where('subject', 'in', subjects).execute();
  const tried = new Set(rows.map(({ subject }) => subject));
  return subjects.find((subject) => !tried.has(subject)) ?? null;
}

async function publishedUntried(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('published_listings as l')
    .select('l.id')
    .where('l.status', '=', 'live')
    .where('l.listing_type', '=', 'skill')
    .where(untried(sql`'capability/' || l.id`))
    .orderBy('l.seq')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : `capability/${row.id}`;
}

/** Most downloaded first; only servers with an address. */
async function listingUntried(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('listings as l')
    .select(['l.provider_id', 'l.external_id'])
    .where('l.removed_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('l.execution_class', '=', 'scripted'),
        eb.and([eb('l.execution_class', '=', 'mcp'), eb('l.install', 'like', '%"remotes":[{%')]),
      ]),
    )
    .where(untried(sql`'listing/' || l.provider_id || '/' || l.external_id`))
    .orderBy('l.downloads', 'desc')
    .orderBy('l.provider_id')
    .orderBy('l.external_id')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : subjectOf(row.provider_id, row.external_id);
}

const untried = (subject: ReturnType<typeof sql>) =>
  sql<boolean>`NOT EXISTS (SELECT 1 FROM proof_checks AS tried WHERE tried.subject = ${subject})`;

async function longestDue(db: Db, now: string): Promise<string | null> {
  const row = await db
    .selectFrom('proof_checks')
    .select('subject')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.subject ?? null;
}

export async function noteRound(trx: Db, subject: string, { result, detail }: Round, now: string, due_at: string) {
  const row = { subject, result, detail: detail.toWellFormed().slice(0, 500), checked_at: now, due_at };
  await trx
    .insertInto('proof_checks')
    .values(row)
    .onConflict((conflict) => conflict.column('subject').doUpdateSet(row))
    .execute();
}
