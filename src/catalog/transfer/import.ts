import type { Kysely } from 'kysely';
import { lazySeq } from '#catalog/changes/changes.ts';
import type { Listing } from '#catalog/items/item.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
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
  /** How many of the valid listings have no install data, and none of what newer exports have in `facts`. */
  lacking: { install: number; facts: number };
}

export interface ImportDeps {
  db: Kysely<Schema>;
  clock: Clock;
  /** Called after each batch. */
  onProgress?: (result: ImportResult) => void;
}

const BATCH = 1_000;
const MAX_LINE_BYTES = 2 * 1_048_576;
const BAD_LINES_KEPT = 20;

/** Counts and skips invalid lines. Throws only errors of the source or the database. */
export async function importListings(source: AsyncIterable<Uint8Array>, deps: ImportDeps): Promise<ImportResult> {
  const result: ImportResult = {
    good: 0,
    bad: 0,
    bad_lines: [],
    added: 0,
    updated: 0,
    lacking: { install: 0, facts: 0 },
  };
  let saving: Promise<void> = Promise.resolve();
  let batch: Listing[] = [];
  // Writes one batch while the next one is read.
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

async function saveBatch({ db, clock, onProgress }: ImportDeps, batch: Listing[], result: ImportResult): Promise<void> {
  const now = isoTime(clock.now());
  // Of several lines with one id in a batch, the last one wins, as it would across batches.
  const unique = [
    ...new Map(batch.map((listing) => [`${listing.provider_id} ${listing.external_id}`, listing])).values(),
  ];
  await db.transaction().execute(async (trx) => {
    const save = { run: IMPORTED, now, seq: lazySeq(trx) };
    for (const [providerId, listings] of Map.groupBy(unique, (listing) => listing.provider_id)) {
      const { added, updated } = await saveListings(trx, providerId, listings, save);
      result.added += added;
      result.updated += updated;
    }
  });
  result.good += batch.length;
  for (const { install, facts } of batch) {
    if (install === null) result.lacking.install++;
    if (facts === undefined) result.lacking.facts++;
  }
  onProgress?.(result);
}
