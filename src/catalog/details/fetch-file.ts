import { catalogProblem } from '#catalog/errors.ts';
import type { ListedFile } from '#catalog/items/listing-details.ts';
import type { Provider } from '#catalog/sync/provider.ts';
import { isoTime } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { findDetail } from './details.ts';
import { findContent, saveContent } from './documents.ts';
import type { FetchDeps } from './fetch-listing.ts';
import type { Asking } from './gather.ts';
import { isReadable, MAX_FILE_BYTES, saveFiles } from './save-files.ts';

/** One file of a skill, as text: stored, or fetched from its provider when it is first asked for. */

export interface ShownFile {
  bytes: Uint8Array;
  /** In hexadecimal. */
  digest: string;
}

/** From the store. Null if it has to be fetched. Throws `registry.file_not_found` for a file that cannot be shown. */
export async function storedFile(
  { db, blobs }: Pick<FetchDeps, 'db' | 'blobs'>,
  row: ListingRow,
  path: string,
): Promise<ShownFile | null> {
  const file = await listedFile(db, row, path);
  const known = await findContent(db, row, `file:${path}`);
  if (known === undefined || (file.sha256 !== null && file.sha256 !== known.digest)) return null;
  const bytes = await blobs.get(known.digest);
  return bytes === null ? null : { bytes, digest: known.digest };
}

async function listedFile(db: FetchDeps['db'], row: ListingRow, path: string): Promise<ListedFile> {
  const files = (await findDetail(db, row))?.files;
  const file = files == null ? undefined : (JSON.parse(files) as ListedFile[]).find((each) => each.path === path);
  if (file === undefined)
    throw notFound('path', 'The listing has no file with this path. `files` of the listing has the paths.');
  if ((file.size ?? 0) > MAX_FILE_BYTES)
    throw notFound('too_large', `The file has ${file.size} bytes; at most ${MAX_FILE_BYTES} are shown.`);
  return file;
}

type Source = Pick<Asking, 'base_url' | 'key' | 'get' | 'signal'> & { provider: Provider };

/** Throws the Problems of the provider, and `registry.file_not_found`. */
export async function fetchFile(deps: FetchDeps, row: ListingRow, path: string, source: Source): Promise<ShownFile> {
  const file = await listedFile(deps.db, row, path);
  const { detail } = source.provider;
  if (detail?.file !== undefined && detail.listing_types.includes(row.listing_type as never))
    return fetchOne(deps, row, file, { ...source, fetch: detail.file });
  const archive = deps.skillFiles(row);
  if (archive === null) throw notFetched();
  const contents = await deps.hosts.archives.run(source.signal, archive);
  await saveFiles(deps, row, contents, path);
  const bytes = contents.get(path);
  if (bytes === undefined) throw notFound('path', 'The repository does not have this file any more.');
  checkShown(bytes);
  return { bytes, digest: sha256(bytes) };
}

async function fetchOne(
  { db, blobs, room, clock }: FetchDeps,
  row: ListingRow,
  { path, sha256: expected }: ListedFile,
  { fetch, ...source }: Source & { fetch: NonNullable<NonNullable<Provider['detail']>['file']> },
): Promise<ShownFile> {
  const { url, text } = await fetch({ ...source, listing: row, validators: {} }, { path, sha256: expected });
  const bytes = Buffer.from(text);
  checkShown(bytes);
  const digest = sha256(bytes);
  if (expected !== null && digest !== expected)
    throw notFound('not_text', 'The file is not text, or its provider returned another file than it lists.');
  await saveContent(db, blobs, row, { kind: `file:${path}`, url, bytes, fetched_at: isoTime(clock.now()) });
  room.add(row.provider_id, bytes.length);
  return { bytes, digest };
}

function checkShown(bytes: Uint8Array): void {
  if (bytes.length > MAX_FILE_BYTES)
    throw notFound('too_large', `The file has ${bytes.length} bytes; at most ${MAX_FILE_BYTES} are shown.`);
  if (!isReadable(bytes)) throw notFound('not_text', 'The file is not UTF-8 text.');
}

const notFound = (reason: 'path' | 'not_text' | 'too_large', detail: string) =>
  catalogProblem('registry.file_not_found', detail, { reason });

export const notFetched = () =>
  catalogProblem('registry.file_not_found', 'Files of this listing are not fetched by this service.', {
    reason: 'not_fetched',
  });
