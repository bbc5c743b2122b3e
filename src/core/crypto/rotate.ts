import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import { Problem } from '#core/problem/problem.ts';
import { rewrap } from './seal.ts';
import {
  countByKey,
  putInPlaceOf,
  readNotSealedBy,
  rowNameOf,
  type SealedColumn,
  type SealedRow,
  sealedTextOf,
} from './sealed-columns.ts';
import type { KeyProvider } from './secret-keys.ts';

/**
 * Re-encrypts everything with the current key while the service runs. Each row is updated on its own, and only if it is
 * unchanged since it was read. The rotation can be interrupted and repeated; finished rows are skipped.
 */

type Db = Kysely<Schema>;

/** Number of rows by column and key id. */
export type Survey = { place: SealedColumn; by_key: Map<string, number> }[];

interface Rotated {
  rewrapped: number;
  /** Rows that the service rewrote or deleted in the meantime. */
  overtaken: number;
  /** Locations of rows that do not decrypt with the key they name. They are left unchanged. */
  damaged: string[];
}

/** Called after each batch of a column. `rewrapped` and `total` count rows. */
export type OnProgress = (progress: { place: SealedColumn; rewrapped: number; total: number; last: boolean }) => void;

/** Limits memory use: an encrypted response can have half a megabyte. */
const BATCH = 50;
/** The service may still encrypt with the old key until all its processes have the new one first. */
const MAX_PASSES = 3;

export async function surveySealed(db: Db, places: readonly SealedColumn[]): Promise<Survey> {
  const found: Survey = [];
  for (const place of places) found.push({ place, by_key: await countByKey(db, place) });
  return found;
}

/** Number of rows per key id, over all columns. */
export function totalByKey(survey: Survey): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { by_key } of survey) for (const [id, rows] of by_key) totals.set(id, (totals.get(id) ?? 0) + rows);
  return totals;
}

/** Throws `crypto.key_required` and changes nothing if any row was encrypted with a key that is not available. */
export async function rotateSealed(
  db: Db,
  keys: KeyProvider,
  places: readonly SealedColumn[],
  onProgress: OnProgress,
): Promise<Rotated> {
  refuseUnknown(keys, totalByKey(await surveySealed(db, places)));
  const done: Rotated = { rewrapped: 0, overtaken: 0, damaged: [] };
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = done.rewrapped + done.overtaken;
    done.damaged = [];
    for (const { place, by_key } of await surveySealed(db, places)) {
      by_key.delete(keys.current_id);
      const total = [...by_key.values()].reduce((sum, rows) => sum + rows, 0);
      if (total > 0) await rotatePlace(db, keys, place, total, done, onProgress);
    }
    if (done.rewrapped + done.overtaken === before) break;
  }
  return done;
}

function refuseUnknown(keys: KeyProvider, totals: Map<string, number>): void {
  const unknown = [...totals].filter(([id]) => id !== '' && keys.key(id) === undefined);
  if (unknown.length === 0) return;
  const named = unknown.map(([id, rows]) => `${id} (${rows})`).join(', ');
  throw coreProblem(
    'crypto.key_required',
    `Stored secrets are encrypted with keys missing from CAPSTAN_SECRET_KEY: ${named}. Add those keys ` +
      'after the current one. No changes were made.',
  );
}

async function rotatePlace(
  db: Db,
  keys: KeyProvider,
  place: SealedColumn,
  total: number,
  done: Rotated,
  onProgress: OnProgress,
): Promise<void> {
  let rewrapped = 0;
  let after: SealedRow['key'] | null = null;
  for (;;) {
    const rows: SealedRow[] = await readNotSealedBy(db, place, keys.current_id, after, BATCH);
    for (const row of rows) {
      const stored = wrappedAnew(keys, place, row);
      if (stored === null) done.damaged.push(rowNameOf(place, row));
      else if (await putInPlaceOf(db, place, row, stored)) rewrapped++;
      else done.overtaken++;
    }
    const last = rows.length < BATCH;
    onProgress({ place, rewrapped, total, last });
    if (last) break;
    after = rows.at(-1)?.key ?? null;
  }
  done.rewrapped += rewrapped;
}

/** Returns the new column value with its secret under the current key, or null if it does not decrypt. */
function wrappedAnew(keys: KeyProvider, place: SealedColumn, row: SealedRow): string | null {
  const { stored, context } = row;
  const { before = '' } = place;
  const sealed = sealedTextOf(place, row);
  try {
    return before + rewrap(keys, sealed, context) + stored.slice(before.length + sealed.length);
  } catch (error) {
    if (error instanceof Problem && (error.code === 'crypto.corrupt' || error.code === 'crypto.key_required'))
      return null;
    throw error;
  }
}
