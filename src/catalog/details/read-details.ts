import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { FoundDetails, ListedFile, ListedNeeds } from '#catalog/items/listing-details.ts';
import { NOTHING_FOUND } from '#catalog/items/listing-details.ts';
import type { ListingKey } from '#catalog/items/read-items.ts';
import { readmeOf } from '#catalog/items/readmes.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { ListingDetailRow, ListingDocumentRow, ListingRow, Schema } from '#core/db/schema.ts';
import { findDetail } from './details.ts';
import { type DocumentKind, documentsOf, textOf } from './documents.ts';
import { iconDigest } from './icon.ts';

/** Reads what requests for single listings found, and how the last one ended. Makes no request. */
export type ReadDetails = (row: ListingRow) => Promise<FoundDetails>;

interface ReadDeps {
  db: Kysely<Schema>;
  blobs: BlobStore;
  /** Whether a request could find out more about it here. */
  isFetched(row: ListingRow): boolean;
  isUnderWay(key: ListingKey): boolean;
  /** What a SKILL.md declares. */
  needsOf(skillMd: string): ListedNeeds | null;
}

export function createReadDetails({ db, blobs, isFetched, isUnderWay, needsOf }: ReadDeps): ReadDetails {
  const needs = rememberedNeeds(needsOf);
  return async (row) => {
    const [known, documents] = await Promise.all([findDetail(db, row), documentsOf(db, row)]);
    const of = (kind: DocumentKind): ListingDocumentRow | undefined =>
      documents.find((document) => document.kind === kind);
    const [listed, readme, skillMd, icon] = await Promise.all([
      readmeOf(db, row),
      textOf(blobs, of('readme')),
      textOf(blobs, of('skill')),
      iconDigest(db, row),
    ]);
    const isShort = documents.some(({ kind, shortened }) => kind !== 'versions' && shortened === 1);
    return {
      readme: listed || readme,
      readme_url: of('readme')?.url ?? null,
      skill_md: skillMd,
      files: known?.files == null ? null : (JSON.parse(known.files) as ListedFile[]),
      file_count: known?.file_count ?? null,
      license_url: of('license')?.url ?? null,
      icon,
      needs: needs(of('skill')?.digest, skillMd),
      details: isFetched(row) ? stateOf(known, isUnderWay(row), isShort) : NOTHING_FOUND.details,
    };
  };
}

const REMEMBERED = 1_000;

/** By digest, because parsing the same text for each reader takes milliseconds. */
function rememberedNeeds(needsOf: ReadDeps['needsOf']) {
  const known = new LRUCache<string, { needs: ListedNeeds | null }>({ max: REMEMBERED });
  return (digest: string | undefined, skillMd: string): ListedNeeds | null => {
    if (digest === undefined || skillMd === '') return null;
    const found = known.get(digest) ?? { needs: needsOf(skillMd) };
    known.set(digest, found);
    return found.needs;
  };
}

function stateOf(known: ListingDetailRow | undefined, isUnderWay: boolean, isShort: boolean): FoundDetails['details'] {
  const times = { fetched_at: known?.fetched_at ?? null, next_at: known?.due_at ?? null };
  if (isUnderWay) return { state: 'fetching', detail: 'Being fetched. Ask again in a few seconds.', ...times };
  if (known !== undefined && known.error !== '') return { state: 'failed', detail: known.error, ...times };
  if (times.fetched_at === null) return { state: 'not_fetched', detail: 'Not fetched yet.', ...times };
  return { state: 'complete', detail: isShort ? 'Fetched. A long text was shortened.' : 'Fetched.', ...times };
}

/** For tests and commands that show only what lists have. */
export const nothingRead: ReadDetails = async () => NOTHING_FOUND;
