import type { Kysely } from 'kysely';
import type { FoundPage, PagePlace } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import { readNewest } from './memories.ts';
import type { MemoryLine } from './memory.ts';
import { findHits } from './memory-words.ts';
import { snippetOf } from './snippet.ts';
import { termsOf } from './terms.ts';

/** Characters read for the snippets of a page: enough for twenty complete memories, otherwise the first part of each. */
const MOST_READ = 2_100_000;

interface FoundMemory extends MemoryLine {
  score: number;
  /** The text around the first search word, on one line. */
  snippet: string;
}

/** Memories of a harness that contain every word or word prefix of the query, best matches first. */
export async function searchMemories(
  db: Kysely<Schema>,
  harness: number,
  query: string,
  page: PagePlace,
): Promise<FoundPage<FoundMemory>> {
  const terms = termsOf(query);
  if (terms.length === 0) return { items: [], total_count: 0 };
  const { hits, total_count } = await findHits(db, harness, terms, page);
  const numbers = hits.map(({ memory }) => memory);
  const newest = await readNewest(db, harness, numbers, Math.floor(MOST_READ / page.limit));
  const rows = new Map(newest.map((entry) => [entry.number, entry]));
  const items = hits.flatMap(({ memory, score }) => {
    const row = rows.get(memory);
    // The memory changed between the two reads.
    if (row === undefined || row.sha256 === null || row.content === null) return [];
    const { path, version, sha256, size, updated_at, content } = row;
    return [{ path, version, sha256, size, updated_at, score, snippet: snippetOf(content, terms) }];
  });
  return { items, total_count };
}
