import type { Kysely } from 'kysely';
import { lazySeq } from '#catalog/changes/changes.ts';
import { importDetails } from '#catalog/details/carried-details.ts';
import { MAX_LINE_BYTES } from '#catalog/items/item-line.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { listingKey } from '#catalog/items/read-items.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Parsed, parseLine } from './parse-line.ts';
import { type Line, readLines } from './read-lines.ts';

/** Imports listings from NDJSON, one transaction per batch. */

export interface ImportResult {
  good: number;
  /** Number of invalid lines. */
  bad: number;
  /** The first invalid lines, with reasons. */
  bad_lines: { line: number; reason: string }[];
  added: number;
  updated: number;
  /**
   * How many of the valid listings have no install data, none of what newer exports have in `facts`, and neither README nor SKILL.md.
   */
  lacking: { install: number; facts: number; documents: number };
}

export interface ImportDeps {
  db: Kysely<Schema>;
  clock: Clock;
  /** The texts of documents. */
  blobs: BlobStore;
  /** Called after each batch. */
  onProgress?: (result: ImportResult) => void;
}

const BATCH = 1_000;
/** Of lines, because a few have large records and documents. */
const BATCH_BYTES = 16 * 1_048_576;
const BAD_LINES_KEPT = 20;

/** Counts and skips invalid lines. Throws only errors of the source or the database. */
export async function importListings(source: AsyncIterable<Uint8Array>, deps: ImportDeps): Promise<ImportResult> {
  const result: ImportResult = {
    good: 0,
    bad: 0,
    bad_lines: [],
    added: 0,
    updated: 0,
    lacking: { install: 0, facts: 0, documents: 0 },
  };
  let saving: Promise<void> = Promise.resolve();
  let batch: Imported[] = [];
  let bytes = 0;
  // Writes one batch while the next one is read.
  const flush = async () => {
    const full = batch;
    batch = [];
    bytes = 0;
    await saving;
    saving = saveBatch(deps, full, result);
    saving.catch(() => {});
  };
  try {
    for await (const line of readLines(source, MAX_LINE_BYTES)) {
      const parsed = read(line);
      if (parsed === null) continue;
      if ('listing' in parsed) {
        batch.push(parsed);
        bytes += 'bytes' in line ? line.bytes.length : 0;
      } else noteBad(result, line.number, parsed.reason);
      if (batch.length >= BATCH || bytes >= BATCH_BYTES) await flush();
    }
  } finally {
    // Also if the source is cut off: the lines before that are saved, and no write is left unfinished.
    await flush();
    await saving;
  }
  return result;
}

function read(line: Line): Parsed | null {
  if ('too_long' in line) return { reason: `exceeds ${MAX_LINE_BYTES} bytes` };
  return line.bytes.length === 0 ? null : parseLine(line.bytes);
}

function noteBad(result: ImportResult, line: number, reason: string): void {
  result.bad++;
  if (result.bad_lines.length < BAD_LINES_KEPT) result.bad_lines.push({ line, reason });
}

type Imported = Exclude<Parsed, { reason: string }>;

async function saveBatch({ db, blobs, clock, onProgress }: ImportDeps, batch: Imported[], result: ImportResult) {
  const now = isoTime(clock.now());
  // Of several lines with one id in a batch, the last one wins, as it would across batches.
  const unique = [...new Map(batch.map((imported) => [listingKey(imported.listing), imported])).values()];
  await db.transaction().execute(async (trx) => {
    const save = { run: IMPORTED, now, seq: lazySeq(trx) };
    for (const [providerId, some] of Map.groupBy(unique, ({ listing }) => listing.provider_id)) {
      const { added, updated } = await saveListings(
        trx,
        providerId,
        some.map(({ listing }) => listing),
        save,
      );
      result.added += added;
      result.updated += updated;
      for (const { listing, details } of some) if (details !== null) await importDetails(trx, blobs, listing, details);
    }
  });
  result.good += batch.length;
  for (const { listing, details } of batch) {
    if (listing.install === null) result.lacking.install++;
    if (listing.facts === undefined) result.lacking.facts++;
    if (listing.readme === undefined && details?.readme === undefined && details?.skill === undefined)
      result.lacking.documents++;
  }
  onProgress?.(result);
}
