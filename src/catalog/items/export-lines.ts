import type { Kysely } from 'kysely';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { HELD } from './facts.ts';
import { lineOf, tombstoneLine } from './item-line.ts';
import { type ChangeKey, changedRows, type ListingKey, liveRows } from './read-items.ts';
import { readmeKey, readmesOf } from './readmes.ts';

/** The catalog as NDJSON, in full or as a delta. */

/** Small, because each slow reader keeps a page of rows with their manifests in memory. */
const PAGE = 100;
const CHUNK_CHARS = 32 * 1_024;

/** Every live listing by provider and id, in chunks of several lines. */
export async function* snapshotLines(db: Kysely<Schema>): AsyncGenerator<string> {
  let after: ListingKey | null = null;
  for (;;) {
    const rows = await liveRows(db, after, PAGE);
    const readmes = await readmesIn(db, rows);
    yield* chunksOf(rows.map((row) => lineOf(row, readmes.get(readmeKey(row)))));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last;
  }
}

/** The changes after a sequence number, including removals. */
export async function* deltaLines(db: Kysely<Schema>, since: number): AsyncGenerator<string> {
  // Sorts after every key of `since`, so the first page starts with the next number.
  let after: ChangeKey = { seq: since + 1, provider_id: '', external_id: '' };
  for (;;) {
    const rows = await changedRows(db, after, PAGE);
    const readmes = await readmesIn(
      db,
      rows.filter((row) => row.removed_at === null),
    );
    yield* chunksOf(
      rows.map((row) => (row.removed_at === null ? lineOf(row, readmes.get(readmeKey(row))) : tombstoneLine(row))),
    );
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last;
  }
}

const readmesIn = (db: Kysely<Schema>, rows: readonly ListingRow[]): Promise<Map<string, string>> =>
  readmesOf(
    db,
    rows.filter((row) => (row.facts_held & HELD.readme) !== 0),
  );

/** Joins lines into chunks; backpressure applies per chunk. */
function* chunksOf(lines: readonly string[]): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
