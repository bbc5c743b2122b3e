import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import { ListedFile } from '#catalog/items/listing-details.ts';
import { type ListingKey, listingKey } from '#catalog/items/read-items.ts';
import { time, url } from '#catalog/sync/adapt-fields.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { ListingDetailRow, ListingDocumentRow, Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { compile } from '#core/json-schema/compile.ts';
import { Type } from '#core/json-schema/type.ts';
import { detailsOf, keepDetail } from './details.ts';
import { type DocumentKind, documentsOfMany, MAX_DOCUMENT_CHARS, saveDocument, textOf } from './documents.ts';
import { filesOf } from './listed-files.ts';

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

/** Saves the details of an imported listing, unless later ones are stored. */
export async function importDetails(
  db: Kysely<Schema>,
  blobs: BlobStore,
  key: ListingKey,
  { fetched_at, files, file_count, ...texts }: CarriedDetails,
): Promise<void> {
  const fetchedAt = time(fetched_at);
  const before = (await detailsOf(db, key.provider_id, [key.external_id])).get(key.external_id);
  if (before?.fetched_at != null && before.fetched_at >= (fetchedAt ?? '')) return;
  const clean = filesOf(files);
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
      fetched_at: fetchedAt ?? '1970-01-01T00:00:00.000Z',
      shortened: document.shortened === true,
    });
  }
}
