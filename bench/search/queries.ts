import { readFileSync } from 'node:fs';

/** The published queries with their judgements; `about` in the file says how they were made and how they are scored. */
export interface Judged {
  id: string;
  query: string;
  kind: string;
  listing_type?: string;
  judgements: [provider: string, external_id: string, grade: number][];
}

export const readQueries = (): Judged[] =>
  JSON.parse(readFileSync(new URL('../search-queries.json', import.meta.url), 'utf8')).queries;

/**
 * Half of the queries, in an order by a hash of their ids that nobody chose: the ranker's numbers were tuned on these
 * alone, and the others are held out.
 */
export function splitQueries(queries: readonly Judged[]): { tuning: Judged[]; held_out: Judged[] } {
  const ordered = queries.toSorted((a, b) => orderOf(a) - orderOf(b) || (a.id < b.id ? -1 : 1));
  const half = Math.ceil(ordered.length / 2);
  return { tuning: ordered.slice(0, half), held_out: ordered.slice(half) };
}

function orderOf({ id }: Judged): number {
  let hash = 0x811c9dc5;
  for (const character of `split ${id}`) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193);
  return ((hash >>> 13) & 1) * 2 ** 32 + (hash >>> 0);
}
