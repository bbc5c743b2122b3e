import type { Kysely } from 'kysely';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { PublishedFile } from '#marketplace/publishing/check-files.ts';

import { storedFilesDiffer } from './refusals.ts';

/** File contents, deduplicated: the only SQL that names `published_contents` and `published_files`. */

type Db = Kysely<Schema>;

interface Of {
  listing_id: string;
  version: string;
}

export async function saveContents(db: Db, of: Of, contents: Iterable<Uint8Array>): Promise<void> {
  const bySha256 = new Map([...contents].map((content) => [sha256(content), content]));
  await db
    .insertInto('published_contents')
    .values([...bySha256].map(([key, bytes]) => ({ sha256: key, content: Buffer.from(bytes).toString('base64') })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('published_files')
    .values([...bySha256.keys()].map((key) => ({ ...of, sha256: key })))
    .execute();
}

/** Contents by path. Throws `marketplace.files_invalid` (`stored_files_differ`) if one is missing or damaged. */
export async function readContents(db: Db, of: Of, files: readonly PublishedFile[]): Promise<Map<string, Uint8Array>> {
  const rows = await db
    .selectFrom('published_files')
    .innerJoin('published_contents', 'published_contents.sha256', 'published_files.sha256')
    .select(['published_contents.sha256', 'content'])
    .where('listing_id', '=', of.listing_id)
    .where('version', '=', of.version)
    .where('published_files.sha256', 'in', [...new Set(files.map((file) => file.sha256)), ''])
    .execute();
  const bySha256 = new Map(rows.map((row) => [row.sha256, Buffer.from(row.content, 'base64')]));
  return new Map(
    files.map(({ path, sha256: expected }) => {
      const bytes = bySha256.get(expected);
      if (bytes === undefined || sha256(bytes) !== expected) throw storedFilesDiffer();
      return [path, bytes];
    }),
  );
}

/** Deletes the files of a listing, and the contents that no other version uses. */
export async function deleteContents(db: Db, listing_id: string): Promise<void> {
  const gone = await db
    .deleteFrom('published_files')
    .where('listing_id', '=', listing_id)
    .returning('sha256')
    .execute();
  const keys = [...new Set(gone.map((row) => row.sha256))];
  for (let at = 0; at < keys.length; at += 500)
    await db
      .deleteFrom('published_contents')
      .where('sha256', 'in', keys.slice(at, at + 500))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('published_files')
              .select('published_files.sha256')
              .whereRef('published_files.sha256', '=', 'published_contents.sha256'),
          ),
        ),
      )
      .execute();
}
