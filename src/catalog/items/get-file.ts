import type { Kysely } from 'kysely';
import type { ReadFile } from '#catalog/details/fetch-details.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Handler } from '#core/http/operation.ts';
import type { itemsContract } from './contract.ts';
import { findLiveListing } from './live-listing.ts';

interface GetFileDeps {
  db: Kysely<Schema>;
  clock: Clock;
  readFile: ReadFile;
}

/** GET /api/marketplace/registry/file. The path is only a key; it is never joined to a directory. */
export const getItemFile =
  ({ db, clock, readFile }: GetFileDeps): Handler<typeof itemsContract.getFile> =>
  async ({ query: { provider, id, path } }) => {
    const row = await findLiveListing(db, { provider, external_id: id }, clock.now());
    const { bytes, digest } = await readFile(row, path);
    return {
      media_type: 'text/plain; charset=utf-8',
      body: bytes,
      etag: digest,
      // A browser that opens it may run and load nothing.
      headers: { 'content-security-policy': "default-src 'none'; sandbox" },
    };
  };
