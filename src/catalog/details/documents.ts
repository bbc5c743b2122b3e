import type { Kysely } from 'kysely';
import { MAX_README_CHARS } from '#catalog/items/facts.ts';
import { storable } from '#catalog/items/listing-row.ts';
import type { ListingKey } from '#catalog/items/read-items.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { ListingDocumentRow, Schema } from '#core/db/schema.ts';

/**
 * README, SKILL.md, earlier versions, other files and icons of listings: the only SQL that names `listing_documents`. Contents are in a blob
 * store.
 */

type Db = Kysely<Schema>;

/** `versions` is JSON of earlier records of the MCP registry; the others are Markdown or plain text. */
export type DocumentKind = 'readme' | 'skill' | 'license' | 'versions';

const DOCUMENT_KINDS: readonly DocumentKind[] = ['readme', 'skill', 'license', 'versions'];

/** Of a file by its path, which is at most 512 characters, or of the icon. */
type ContentKind = `file:${string}` | 'icon';

/** In characters; longer texts are shortened. */
export const MAX_DOCUMENT_CHARS: Record<DocumentKind, number> = {
  readme: MAX_README_CHARS,
  skill: MAX_README_CHARS,
  license: 16_384,
  versions: 262_144,
};

export const documentsOf = (db: Db, { provider_id, external_id }: ListingKey): Promise<ListingDocumentRow[]> =>
  db
    .selectFrom('listing_documents')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('external_id', '=', external_id)
    .where('kind', 'in', DOCUMENT_KINDS)
    .execute();

/** Of several listings of one provider. */
export const documentsOfMany = (db: Db, provider_id: string, ids: readonly string[]): Promise<ListingDocumentRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('listing_documents')
        .selectAll()
        .where('provider_id', '=', provider_id)
        .where('external_id', 'in', ids)
        .where('kind', 'in', DOCUMENT_KINDS)
        .execute();

/** The text of a document; '' if it is missing or not stored by this process. */
export async function textOf(blobs: BlobStore, document: ListingDocumentRow | undefined): Promise<string> {
  const bytes = document === undefined ? null : await blobs.get(document.digest);
  return bytes === null ? '' : bytes.toString('utf8');
}

export interface NewDocument {
  kind: DocumentKind;
  url: string;
  text: string;
  validators: string;
  fetched_at: string;
  /** Whether the source was longer, as an export says. Texts that are too long here are marked in any case. */
  shortened?: boolean;
}

/** Stores a text and its row. Returns its digest and bytes. The listing must exist. */
export async function saveDocument(
  db: Db,
  blobs: BlobStore,
  key: ListingKey,
  found: NewDocument,
): Promise<{ digest: string; bytes: number }> {
  const { kind, text, shortened = false, ...rest } = found;
  const kept = cut(storable(text), MAX_DOCUMENT_CHARS[kind]);
  const bytes = Buffer.from(kept);
  const row = {
    ...rest,
    digest: await blobs.put(bytes),
    bytes: bytes.length,
    shortened: Number(shortened || kept.length < text.length),
  };
  await db
    .insertInto('listing_documents')
    .values({ provider_id: key.provider_id, external_id: key.external_id, kind, ...row })
    .onConflict((conflict) => conflict.columns(['provider_id', 'external_id', 'kind']).doUpdateSet(row))
    .execute();
  return { digest: row.digest, bytes: row.bytes };
}

/** Without splitting a surrogate pair. */
const cut = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '');

/** A file or an icon as it was fetched; undefined if it was not. */
export const findContent = (
  db: Db,
  { provider_id, external_id }: ListingKey,
  kind: ContentKind,
): Promise<ListingDocumentRow | undefined> =>
  db
    .selectFrom('listing_documents')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('external_id', '=', external_id)
    .where('kind', '=', kind)
    .executeTakeFirst();

/** Files and icons of several listings of one provider, by listing and path. */
export const contentsOfMany = (db: Db, provider_id: string, ids: readonly string[]): Promise<ListingDocumentRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('listing_documents')
        .selectAll()
        .where('provider_id', '=', provider_id)
        .where('external_id', 'in', ids)
        .where((eb) => eb.or([eb('kind', '=', 'icon'), eb('kind', 'like', 'file:%')]))
        .where('bytes', '>', 0)
        .orderBy('external_id')
        .orderBy('kind')
        .execute();

interface NewContent {
  kind: ContentKind;
  url: string;
  bytes: Uint8Array;
  fetched_at: string;
}

/** Stores a file or an icon unchanged. Returns its digest. The listing must exist. */
export async function saveContent(
  db: Db,
  blobs: BlobStore,
  { provider_id, external_id }: ListingKey,
  { kind, url, bytes, fetched_at }: NewContent,
): Promise<string> {
  const digest = await blobs.put(bytes);
  const row = { url, fetched_at, digest, bytes: bytes.length, validators: '{}', shortened: 0 };
  await db
    .insertInto('listing_documents')
    .values({ provider_id, external_id, kind, ...row })
    .onConflict((conflict) => conflict.columns(['provider_id', 'external_id', 'kind']).doUpdateSet(row))
    .execute();
  return digest;
}

/** Files of a former version. */
export async function removeFiles(db: Db, { provider_id, external_id }: ListingKey): Promise<void> {
  await db
    .deleteFrom('listing_documents')
    .where('provider_id', '=', provider_id)
    .where('external_id', '=', external_id)
    .where('kind', 'like', 'file:%')
    .execute();
}

/** Bytes of the documents of all listings by provider. Equal texts count once for each listing that has them. */
export async function storedBytes(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('listing_documents')
    .select(['provider_id', (eb) => eb.fn.sum<number>('bytes').as('bytes')])
    .groupBy('provider_id')
    .execute();
  return new Map(rows.map(({ provider_id, bytes }) => [provider_id, Number(bytes)]));
}

/** After a request that found it unchanged. */
export async function touchDocument(
  db: Db,
  { provider_id, external_id }: ListingKey,
  kind: DocumentKind,
  edit: Pick<ListingDocumentRow, 'validators' | 'fetched_at'>,
): Promise<void> {
  await db
    .updateTable('listing_documents')
    .set(edit)
    .where('provider_id', '=', provider_id)
    .where('external_id', '=', external_id)
    .where('kind', '=', kind)
    .execute();
}

export async function removeDocument(
  db: Db,
  { provider_id, external_id }: ListingKey,
  kind: DocumentKind,
): Promise<void> {
  await db
    .deleteFrom('listing_documents')
    .where('provider_id', '=', provider_id)
    .where('external_id', '=', external_id)
    .where('kind', '=', kind)
    .execute();
}

/** The digests among these that a listing still has. */
export async function usedDigests(db: Db, digests: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('listing_documents')
    .select('digest')
    .distinct()
    .where('digest', 'in', [...digests, ''])
    .execute();
  return new Set(rows.map(({ digest }) => digest));
}
