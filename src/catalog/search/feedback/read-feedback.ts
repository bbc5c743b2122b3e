import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { CHOICES, type ChoiceKind } from './store.ts';

/** What the counts of some days say about searches. */

type Db = Kysely<Schema>;

export interface SearchReport {
  since: string;
  /** People and days: who searched for something on a day, each counted once for each query. */
  searches: number;
  /** Of these, those whose text is not kept, because too few people searched for it on that day. */
  unnamed: number;
  /** Most searched first. */
  queries: QueryReport[];
  /** Queries without results, or of which few searches led to a result. */
  unanswered: QueryReport[];
  /** Choices by the position of the chosen result. */
  positions: { position: number; choices: number }[];
}

interface QueryReport extends Record<ChoiceKind, number> {
  query: string;
  searches: number;
  results: number;
  /** The mean position of what was chosen; null if nothing was. */
  position: number | null;
  /** What was chosen most. */
  capabilities: { id: string; choices: number }[];
}

/** A query is answered if at least this share of its searches led to a result. */
const ANSWERED = 0.1;
const MOST_CAPABILITIES = 3;

/** `since` is a UTC day. */
export async function readFeedback(db: Db, since: string, limit: number): Promise<SearchReport> {
  const days = await db
    .selectFrom('search_days')
    .select(({ fn }) => fn.sum<number>('searches').as('searches'))
    .where('day', '>=', since)
    .executeTakeFirst();
  const rows = await db
    .selectFrom('search_queries')
    .select([
      'query',
      ({ fn }) => fn.sum<number>('searches').as('searches'),
      ({ fn }) => fn.max('results').as('results'),
    ])
    .where('day', '>=', since)
    .where('query', 'is not', null)
    .groupBy('query')
    .execute();
  const chosen = await choicesBy(db, since);
  const queries = rows.map(({ query, searches, results }) => {
    const name = query as string;
    return reportOf({ query: name, searches: Number(searches), results: Number(results ?? 0) }, chosen.get(name) ?? []);
  });
  const named = queries.reduce((sum, { searches }) => sum + searches, 0);
  const searches = Number(days?.searches ?? 0);
  const top = queries.toSorted((a, b) => b.searches - a.searches || (a.query < b.query ? -1 : 1));
  return {
    since,
    searches,
    unnamed: searches - named,
    queries: top.slice(0, limit),
    unanswered: top.filter(isUnanswered).slice(0, limit),
    positions: positionsOf([...chosen.values()].flat()),
  };
}

interface Chosen {
  query: string;
  capability_id: string;
  kind: string;
  position: number;
  choices: number;
}

async function choicesBy(db: Db, since: string): Promise<Map<string, Chosen[]>> {
  const rows = await db
    .selectFrom('search_choices as c')
    .innerJoin('search_queries as q', (join) =>
      join.onRef('q.day', '=', 'c.day').onRef('q.query_key', '=', 'c.query_key'),
    )
    .select([
      'q.query',
      'c.capability_id',
      'c.kind',
      'c.position',
      ({ fn }) => fn.sum<number>('c.choices').as('choices'),
    ])
    .where('c.day', '>=', since)
    .where('q.query', 'is not', null)
    .groupBy(['q.query', 'c.capability_id', 'c.kind', 'c.position'])
    .execute();
  return Map.groupBy(
    rows.map((row) => ({ ...row, query: row.query as string, choices: Number(row.choices) })),
    ({ query }) => query,
  );
}

function reportOf(known: Pick<QueryReport, 'query' | 'searches' | 'results'>, chosen: readonly Chosen[]): QueryReport {
  const count = (some: readonly Chosen[]): number => some.reduce((sum, { choices }) => sum + choices, 0);
  const kinds = CHOICES.map((kind) => [kind, count(chosen.filter((choice) => choice.kind === kind))] as const);
  const sum = chosen.reduce((total, { position, choices }) => total + position * choices, 0);
  const capabilities = [...Map.groupBy(chosen, ({ capability_id }) => capability_id)]
    .map(([id, some]) => ({ id, choices: count(some) }))
    .toSorted((a, b) => b.choices - a.choices || (a.id < b.id ? -1 : 1));
  return {
    ...known,
    ...(Object.fromEntries(kinds) as Record<ChoiceKind, number>),
    position: chosen.length === 0 ? null : sum / count(chosen),
    capabilities: capabilities.slice(0, MOST_CAPABILITIES),
  };
}

const isUnanswered = ({ searches, results, opened, installed, run }: QueryReport): boolean =>
  results === 0 || Math.max(opened, installed, run) < searches * ANSWERED;

function positionsOf(chosen: readonly Chosen[]): SearchReport['positions'] {
  const counts = new Map<number, number>();
  for (const { position, choices } of chosen) counts.set(position, (counts.get(position) ?? 0) + choices);
  return [...counts].sort(([a], [b]) => a - b).map(([position, choices]) => ({ position, choices }));
}
