import { type Kysely, sql } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { digitsOf, rangeOf } from './digits.ts';
import { type Term, wordsOf } from './terms.ts';

/** The words of memories: the only SQL that names `memory_words`. Kept in the transaction that writes the memory. */

type Db = Kysely<Schema>;

/** Few sizes, so that few statements are prepared. */
const CHUNKS = [256, 32, 4, 1] as const;

interface Worded {
  harness: number;
  memory: number;
}

/** With `content` null, the memory is removed from the index. */
export async function replaceWords(
  trx: Db,
  { harness, memory }: Worded,
  path: string,
  content: string | null,
  is_new = false,
): Promise<void> {
  if (!is_new)
    await trx.deleteFrom('memory_words').where('harness', '=', harness).where('memory', '=', memory).execute();
  if (content === null) return;
  const rows = [...wordsOf(path, content)].map(([word, weight]) => ({ harness, memory, word: digitsOf(word), weight }));
  for (let at = 0; at < rows.length; ) {
    const size = CHUNKS.find((chunk) => chunk <= rows.length - at) as number;
    await trx
      .insertInto('memory_words')
      .values(rows.slice(at, at + size))
      .execute();
    at += size;
  }
}

interface Hit {
  memory: number;
  score: number;
}

/** The whole word counts four times as much as one that begins with it. */
const WHOLE = 4;

/** Memories that have every term, the best first; of equal ones the newest made. */
export async function findHits(
  db: Db,
  harness: number,
  terms: readonly Term[],
  { limit, offset }: { limit: number; offset: number },
): Promise<{ hits: Hit[]; total_count: number }> {
  const found = terms.map(({ word, begins }, term) => {
    const { from, to } = rangeOf(word);
    const within = begins ? sql`word >= ${from} AND word < ${to}` : sql`word = ${from}`;
    return sql`SELECT memory, CASE WHEN word = ${from} THEN weight * ${sql.lit(WHOLE)} ELSE weight END AS score,
      ${sql.lit(term)} AS term FROM memory_words WHERE harness = ${harness} AND ${within}`;
  });
  // A group for each term, and then one of those, takes half as long again.
  const has = terms.map((_, term) => sql`MAX(CASE WHEN term = ${sql.lit(term)} THEN 1 ELSE 0 END) = 1`);
  const every = terms.length === 1 ? sql`` : sql`HAVING ${sql.join(has, sql` AND `)}`;
  const all = sql`SELECT memory, SUM(score) AS score FROM (${sql.join(found, sql` UNION ALL `)}) AS found
    GROUP BY memory ${every}`;
  const { rows } = await sql<Hit & { total: number }>`
    SELECT memory, score, COUNT(*) OVER () AS total FROM (${all}) AS hits
    ORDER BY score DESC, memory DESC LIMIT ${limit} OFFSET ${offset}`.execute(db);
  const [first] = rows;
  if (first === undefined && offset > 0) {
    const { total_count } = await findHits(db, harness, terms, { limit: 1, offset: 0 });
    return { hits: [], total_count };
  }
  return {
    hits: rows.map(({ memory, score }) => ({ memory: Number(memory), score: Number(score) })),
    total_count: Number(first?.total ?? 0),
  };
}
