import type { Kysely } from 'kysely';
import type { ListingKey } from '#catalog/items/read-items.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { Schema } from '#core/db/schema.ts';
import { documentsOf, textOf } from './documents.ts';

/** Records of earlier versions, as the MCP Registry had them; [] for other providers, and before they were fetched. */
export type ReadEarlier = (key: ListingKey) => Promise<unknown[]>;

export const readEarlier =
  ({ db, blobs }: { db: Kysely<Schema>; blobs: BlobStore }): ReadEarlier =>
  async (key) => {
    const document = (await documentsOf(db, key)).find(({ kind }) => kind === 'versions');
    try {
      const records: unknown = JSON.parse((await textOf(blobs, document)) || '[]');
      return Array.isArray(records) ? records : [];
    } catch {
      // An import may contain anything.
      return [];
    }
  };
