import type { Kysely } from 'kysely';
import { carriedContents, carriedDetails, withContents } from '#catalog/details/carried-details.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { HELD } from './facts.ts';
import { lineOf, MAX_LINE_BYTES, tombstoneLine } from './item-line.ts';
import { type ChangeKey, changedRows, type ListingKey, listingKey, liveRows } from './read-items.ts';
import { readmesOf } from './readmes.ts';

/** The catalog as NDJSON, in full or as a delta. */

export interface ExportDeps {
  db: Kysely<Schema>;
  /** The texts of documents. */
  blobs: BlobStore;
}

/** Small, because each slow reader keeps a page of rows with their manifests in memory. */
const PAGE = 100;
const CHUNK_CHARS = 32 * 1_024;

/** Every live listing by provider and id, in chunks of several lines. */
export async function* snapshotLines({ db, blobs }: ExportDeps): AsyncGenerator<string> {
  let after: ListingKey | null = null;
  for (;;) {
    const rows = await liveRows(db, after, PAGE);
    yield* chunksOf(linesOf({ db, blobs }, rows));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last;
  }
}

/** The changes after a sequence number, including removals. */
export async function* deltaLines({ db, blobs }: ExportDeps, since: number): AsyncGenerator<string> {
  // Sorts after every key of `since`, so the first page starts with the next number.
  let after: ChangeKey = { seq: since + 1, provider_id: '', external_id: '' };
  for (;;) {
    const rows = await changedRows(db, after, PAGE);
    yield* chunksOf(linesOf({ db, blobs }, rows));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last;
  }
}

/** Files are read for one line at a time, because a page of them could be large. */
async function* linesOf({ db, blobs }: ExportDeps, rows: readonly ListingRow[]): AsyncGenerator<string> {
  const live = rows.filter((row) => row.removed_at === null);
  const [readmes, details, contents] = await Promise.all([
    readmesIn(db, live),
    carriedDetails(db, blobs, live),
    carriedContents(db, live),
  ]);
  for (const row of rows) {
    const key = listingKey(row);
    const stored = contents.get(key);
    if (row.removed_at !== null) yield tombstoneLine(row);
    else {
      const line = lineOf(row, readmes.get(key), details.get(key));
      const room = MAX_LINE_BYTES - Buffer.byteLength(line) - SPARE_BYTES;
      yield stored === undefined
        ? line
        : lineOf(row, readmes.get(key), await withContents(blobs, details.get(key), stored, room));
    }
  }
}

/** For the names of the members that files and icon are in. */
const SPARE_BYTES = 1_024;

const readmesIn = (db: Kysely<Schema>, rows: readonly ListingRow[]): Promise<Map<string, string>> =>
  readmesOf(
    db,
    rows.filter((row) => (row.facts_held & HELD.readme) !== 0),
  );

/** Joins lines into chunks; backpressure applies per chunk. */
async function* chunksOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
