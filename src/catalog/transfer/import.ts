import type { Kysely } from 'kysely';
import { lazySeq } from '#catalog/changes/changes.ts';
import type { Listing } from '#catalog/items/item.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Parsed, parseLine } from './parse-line.ts';
import { type Line, readLines } from './read-lines.ts';

/** Listings from NDJSON into the database, a batch a transaction. */

export interface ImportResult {
  good: number;
  /** Bad lines in all; the first of them with their reasons. */
  bad: number;
  bad_lines: { line: number; reason: string }[];
  added: number;
  updated: number;
}

export interface ImportDeps {
  db: Kysely<Schema>;
  clock: Clock;
  /** Told after each batch. */
  onProgress?: (result: ImportResult) => void;
}

const BATCH = 1_000;
const MAX_LINE_BYTES = 2 * 1_048_576;
const BAD_LINES_KEPT = 20;

/** A bad line is counted and passed over. Throws only what the source or the database throws. */
export const importListings = async (source: AsyncIterable<Uint8Array>, deps: ImportDeps): Promise<ImportResult> => {
  const result: ImportResult = { good: 0, bad: 0, bad_lines: [], added: 0, updated: 0 };
  let saving: Promise<void> = Promise.resolve();
  let batch: Listing[] = [];
  // One batch is written while the next is read.
  const flush = async () => {
    const full = batch;
    batch = [];
    await saving;
    saving = saveBatch(deps, full, result);
    saving.catch(() => {});
  };
  try {
    for await (const line of readLines(source, MAX_LINE_BYTES)) {
      const parsed = read(line);
      if (parsed === null) continue;
      if ('listing' in parsed) batch.push(parsed.listing);
      else noteBad(result, line.number, parsed.reason);
      if (batch.length >= BATCH) await flush();
    }
  } finally {
    // Also of a source that breaks off: what came before is kept, and no batch is left on its way.
    await flush();
    await saving;
  }
  return result;
};

const read = (line: Line): Parsed | null => {
  if ('too_long' in line) return { reason: `is longer than ${MAX_LINE_BYTES} bytes` };
  return line.bytes.length === 0 ? null : parseLine(line.bytes);
};

const noteBad = (result: ImportResult, line: number, reason: string): void => {
  result.bad++;
  if (result.bad_lines.length < BAD_LINES_KEPT) result.bad_lines.push({ line, reason });
};

const saveBatch = async (
  { db, clock, onProgress }: ImportDeps,
  batch: Listing[],
  result: ImportResult,
): Promise<void> => {
  const now = isoTime(clock.now());
  // The last line of an id is the one that counts, as it would be were they apart.
  const unique = [
    ...new Map(batch.map((listing) => [`${listing.provider_id} ${listing.external_id}`, listing])).values(),
  ];
  await db.transaction().execute(async (trx) => {
    const save = { run: IMPORTED, now, seq: lazySeq(trx) };
    for (const [provider_id, listings] of Map.groupBy(unique, (listing) => listing.provider_id)) {
      const { added, updated } = await saveListings(trx, provider_id, listings, save);
      result.added += added;
      result.updated += updated;
    }
  });
  result.good += batch.length;
  onProgress?.(result);
};
