import { type Kysely, sql } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { storedBytes } from './documents.ts';

/** Limits the bytes of all documents, and those of one provider to half of them. */
export interface Room {
  isFull(provider_id: string): Promise<boolean>;
  /** After storing documents. */
  add(provider_id: string, bytes: number): void;
  /** Deletes the documents of this provider that were fetched longest ago. */
  makeRoom(provider_id: string): Promise<void>;
  /** After others deleted documents. */
  forget(): void;
}

const PROVIDER_SHARE = 0.5;
/** The sum over all documents is read this often. */
const READ_EVERY_MS = 300_000;
const DELETED_AT_ONCE = 50;

export function createRoom({ db, clock, max_bytes }: { db: Kysely<Schema>; clock: Clock; max_bytes: number }): Room {
  let read: { bytes: Map<string, number>; at_ms: number } | null = null;
  const bytesNow = async (): Promise<Map<string, number>> => {
    if (read === null || read.at_ms < clock.now() - READ_EVERY_MS)
      read = { bytes: await storedBytes(db), at_ms: clock.now() };
    return read.bytes;
  };
  return {
    isFull: async (providerId) => {
      const bytes = await bytesNow();
      const all = [...bytes.values()].reduce((sum, some) => sum + some, 0);
      return all >= max_bytes || (bytes.get(providerId) ?? 0) >= max_bytes * PROVIDER_SHARE;
    },
    add: (providerId, added) => {
      read?.bytes.set(providerId, (read.bytes.get(providerId) ?? 0) + added);
    },
    makeRoom: async (providerId) => {
      await sql`DELETE FROM listing_documents WHERE provider_id = ${providerId} AND (external_id, kind) IN (
        SELECT external_id, kind FROM listing_documents WHERE provider_id = ${providerId}
        ORDER BY fetched_at LIMIT ${DELETED_AT_ONCE})`.execute(db);
      read = null;
    },
    forget: () => {
      read = null;
    },
  };
}
