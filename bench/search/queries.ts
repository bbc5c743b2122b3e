import { readFileSync } from 'node:fs';

/** The published queries with their judgements; `about` in the file says how they were made and how they are scored. */
export interface Judged {
  id: string;
  query: string;
  kind: string;
  /** Numbers are chosen and weights learned on `tuning` alone. */
  set: 'tuning' | 'untouched';
  listing_type?: string;
  judgements: [provider: string, external_id: string, grade: number][];
}

export const readQueries = (): Judged[] =>
  JSON.parse(readFileSync(new URL('../search-queries.json', import.meta.url), 'utf8')).queries;
