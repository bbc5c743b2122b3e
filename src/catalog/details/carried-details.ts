import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import { ListedFile, MAX_FILE_PATH } from '#catalog/items/listing-details.ts';
import { type ListingKey, listingKey } from '#catalog/items/read-items.ts';
import { time, url } from '#catalog/sync/adapt-fields.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { ListingDetailRow, ListingDocumentRow, Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { compile } from '#core/json-schema/compile.ts';
import { Type } from '#core/json-schema/type.ts';
import { detailsOf, keepDetail } from './details.ts';
import {
  contentsOfMany,
  type DocumentKind,
  documentsOfMany,
  MAX_DOCUMENT_CHARS,
  removeFiles,
  saveContent,
  saveDocument,
  textOf,
} from './documents.ts';
import { filesOf } from './listed-files.ts';
import { MAX_ICON_BYTES, rasterOf } from './raster.ts';
import { isReadable, MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES } from './save-files.ts';

/** Details of listings in exports and imports, so that an instance without a network has them too. */

const Document = Type.Object(
  {
    url: Type.String({ maxLength: 4_096 }),
    /** As stored. */
    text: Type.String(),
    shortened: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false },
);

const Icon = Type.Object(
  {
    url: Type.String({ maxLength: 4_096 }),
    content_base64: Type.String({ maxLength: Math.ceil(MAX_ICON_BYTES / 3) * 4 }),
  },
  { additionalProperties: false },
);
/** Of the files in `files`, those that are stored. */
const Content = Type.Object(
  { path: Type.String({ maxLength: MAX_FILE_PATH }), text: Type.String({ maxLength: MAX_FILE_BYTES }) },
  { additionalProperties: false },
);

/** Member `details` of a line. Install information, tools and license are in the listing itself. */
const CarriedDetails = Type.Object(
  {
    fetched_at: Type.Union([Type.String({ maxLength: 40 }), Type.Null()]),
    files: Type.Optional(Type.Array(ListedFile)),
    file_count: Type.Optional(Type.Integer({ minimum: 0 })),
    readme: Type.Optional(Document),
    skill: Type.Optional(Document),
    license: Type.Optional(Document),
    versions: Type.Optional(Document),
    icon: Type.Optional(Icon),
    contents: Type.Optional(Type.Array(Content, { maxItems: MAX_FILES })),
  },
  { additionalProperties: false },
);
export type CarriedDetails = Static<typeof CarriedDetails>;

const carried = compile(CarriedDetails);
const KINDS: readonly DocumentKind[] = ['readme', 'skill', 'license', 'versions'];

/** Also checks the length of texts. */
export const areCarried = (value: unknown): value is CarriedDetails =>
  carried.check(value) && KINDS.every((kind) => (value[kind]?.text.length ?? 0) <= MAX_DOCUMENT_CHARS[kind]);

/** By `listingKey`. Listings of which nothing was fetched are absent. */
export async function carriedDetails(
  db: Kysely<Schema>,
  blobs: BlobStore,
  keys: readonly ListingKey[],
): Promise<Map<string, CarriedDetails>> {
  const found = new Map<string, CarriedDetails>();
  for (const [provider, some] of Map.groupBy(keys, ({ provider_id }) => provider_id)) {
    const ids = some.map(({ external_id }) => external_id);
    const [details, documents] = await Promise.all([detailsOf(db, provider, ids), documentsOfMany(db, provider, ids)]);
    const byId = Map.groupBy(documents, ({ external_id }) => external_id);
    for (const id of ids) {
      const carried = await carriedOf(blobs, details.get(id), byId.get(id) ?? []);
      if (carried !== null) found.set(listingKey({ provider_id: provider, external_id: id }), carried);
    }
  }
  return found;
}

async function carriedOf(
  blobs: BlobStore,
  detail: ListingDetailRow | undefined,
  documents: readonly ListingDocumentRow[],
): Promise<CarriedDetails | null> {
  const texts: Partial<CarriedDetails> = {};
  for (const document of documents) {
    const text = await textOf(blobs, document);
    const { url: address, shortened } = document;
    if (text !== '')
      texts[document.kind as DocumentKind] = {
        url: address,
        text,
        ...defined({ shortened: shortened === 1 || undefined }),
      };
  }
  const files = detail?.files == null ? undefined : (JSON.parse(detail.files) as ListedFile[]);
  if (files === undefined && Object.keys(texts).length === 0) return null;
  const lists = defined({ files, file_count: detail?.file_count ?? undefined });
  return { fetched_at: detail?.fetched_at ?? null, ...lists, ...texts };
}

/** Files and icons by `listingKey`, without their bytes. */
export async function carriedContents(
  db: Kysely<Schema>,
  keys: readonly ListingKey[],
): Promise<Map<string, ListingDocumentRow[]>> {
  const found: ListingDocumentRow[] = [];
  for (const [provider, some] of Map.groupBy(keys, ({ provider_id }) => provider_id))
    found.push(
      ...(await contentsOfMany(
        db,
        provider,
        some.map(({ external_id }) => external_id),
      )),
    );
  return Map.groupBy(found, listingKey);
}

/** Of the files of one listing, as JSON. */
const MAX_CARRIED_BYTES = 2_097_152;

/** Adds the icon and the files of a listing as far as its line may have `room` more bytes. */
export async function withContents(
  blobs: BlobStore,
  details: CarriedDetails | undefined,
  rows: readonly ListingDocumentRow[],
  room: number,
): Promise<CarriedDetails | undefined> {
  let left = Math.min(room, MAX_CARRIED_BYTES);
  const fits = (value: unknown): boolean => {
    const bytes = Buffer.byteLength(JSON.stringify(value)) + 1;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  let icon: CarriedDetails['icon'];
  const contents: NonNullable<CarriedDetails['contents']> = [];
  for (const { kind, digest, url: address, bytes: size } of rows) {
    // JSON is never shorter, so that what cannot fit is not read.
    const bytes = size > left ? null : await blobs.get(digest);
    if (bytes === null) continue;
    if (kind === 'icon') {
      const found = { url: address, content_base64: bytes.toString('base64') };
      if (fits(found)) icon = found;
      continue;
    }
    const file = { path: kind.slice(FILE.length), text: bytes.toString('utf8') };
    if (contents.length < MAX_FILES && fits(file)) contents.push(file);
  }
  if (icon === undefined && contents.length === 0) return details;
  return {
    ...(details ?? { fetched_at: null }),
    ...defined({ icon, contents: contents.length === 0 ? undefined : contents }),
  };
}

const FILE = 'file:';

/** Saves the details of an imported listing, unless later ones are stored. */
export async function importDetails(
  db: Kysely<Schema>,
  blobs: BlobStore,
  key: ListingKey,
  { fetched_at, files, file_count, icon, contents = [], ...texts }: CarriedDetails,
): Promise<void> {
  const fetchedAt = time(fetched_at);
  const before = (await detailsOf(db, key.provider_id, [key.external_id])).get(key.external_id);
  const [was, is] = [before?.fetched_at ?? '', fetchedAt ?? ''];
  if (was > is) return;
  const clean = filesOf(files);
  const at = fetchedAt ?? NEVER;
  if (before === undefined || was < is) await saveDetails(db, blobs, key, { clean, file_count, texts, fetchedAt });
  if (icon !== undefined) await importIcon(db, blobs, key, icon, at);
  await importFiles(db, blobs, key, { files: clean?.files ?? [], contents, at });
}

const NEVER = '1970-01-01T00:00:00.000Z';

/** As one that was fetched: checked, and without its metadata. */
async function importIcon(
  db: Kysely<Schema>,
  blobs: BlobStore,
  key: ListingKey,
  { url: address, content_base64 }: NonNullable<CarriedDetails['icon']>,
  fetched_at: string,
): Promise<void> {
  const raster = await rasterOf(Buffer.from(content_base64, 'base64'));
  const from = DATA_ICON.test(address) ? address : url(address);
  if (raster !== null && from !== '')
    await saveContent(db, blobs, key, { kind: 'icon', url: from, bytes: raster.bytes, fetched_at });
}

/** Of an icon that was written into the record: the digest of its data URL. */
const DATA_ICON = /^data:[0-9a-f]{64}$/;

interface ImportedFiles {
  files: readonly ListedFile[];
  contents: NonNullable<CarriedDetails['contents']>;
  at: string;
}

/** Only those that its list has, with the digests of its list. */
async function importFiles(
  db: Kysely<Schema>,
  blobs: BlobStore,
  key: ListingKey,
  { files, contents, at }: ImportedFiles,
): Promise<void> {
  const listed = new Map(files.map((file) => [file.path, file]));
  let total = 0;
  for (const { path, text } of contents) {
    const bytes = Buffer.from(text);
    const file = listed.get(path);
    total += bytes.length;
    if (file === undefined || bytes.length > MAX_FILE_BYTES || total > MAX_TOTAL_BYTES || !isReadable(bytes)) continue;
    if (file.sha256 !== null && file.sha256 !== sha256(bytes)) continue;
    await saveContent(db, blobs, key, { kind: `${FILE}${path}`, url: '', bytes, fetched_at: at });
  }
}

interface ImportedDetails {
  clean: ReturnType<typeof filesOf>;
  file_count: number | undefined;
  texts: Partial<Record<DocumentKind, Static<typeof Document>>>;
  fetchedAt: string | null;
}

async function saveDetails(
  db: Kysely<Schema>,
  blobs: BlobStore,
  key: ListingKey,
  { clean, file_count, texts, fetchedAt }: ImportedDetails,
): Promise<void> {
  // Files of a former version.
  if (clean !== null) await removeFiles(db, key);
  await keepDetail(db, key, {
    fetched_at: fetchedAt,
    ...defined({
      files: clean === null ? undefined : JSON.stringify(clean.files),
      file_count: clean === null ? undefined : Math.max(clean.files.length, file_count ?? 0),
      execution_class: clean?.has_scripts ? 'scripted' : undefined,
    }),
  });
  for (const kind of KINDS) {
    const document = texts[kind];
    if (document === undefined) continue;
    await saveDocument(db, blobs, key, {
      kind,
      url: url(document.url),
      text: document.text,
      validators: '{}',
      fetched_at: fetchedAt ?? NEVER,
      shortened: document.shortened === true,
    });
  }
}
