import { isUtf8 } from 'node:buffer';
import type { Kysely } from 'kysely';
import { isScriptName } from '#catalog/items/listing-details.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { saveContent } from './documents.ts';
import type { Room } from './room.ts';

/** Stores files of a skill that can be shown: text of a limited size. */

export const MAX_FILE_BYTES = 262_144;
/** Of the files of one listing that came together. */
export const MAX_FILES = 200;
export const MAX_TOTAL_BYTES = 2_097_152;

interface SaveFilesDeps {
  db: Kysely<Schema>;
  blobs: BlobStore;
  room: Pick<Room, 'add'>;
  clock: Clock;
}

export const isReadable = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0);

/** The one that was asked for first, then scripts, because people want to read those before a run. */
export async function saveFiles(
  { db, blobs, room, clock }: SaveFilesDeps,
  row: ListingRow,
  contents: ReadonlyMap<string, Uint8Array>,
  asked: string | null = null,
): Promise<void> {
  const readable = [...contents].filter(([, bytes]) => bytes.length <= MAX_FILE_BYTES && isReadable(bytes));
  const {
    first = [],
    scripts = [],
    others = [],
  } = Object.groupBy(readable, ([path]) => (path === asked ? 'first' : isScriptName(path) ? 'scripts' : 'others'));
  let total = 0;
  for (const [path, bytes] of [...first, ...scripts, ...others].slice(0, MAX_FILES)) {
    if (total + bytes.length > MAX_TOTAL_BYTES) continue;
    total += bytes.length;
    await saveContent(db, blobs, row, {
      kind: `file:${path}`,
      url: row.repository,
      bytes,
      fetched_at: isoTime(clock.now()),
    });
  }
  room.add(row.provider_id, total);
}
