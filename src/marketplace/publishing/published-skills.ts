import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { readContents } from '#marketplace/listings/contents.ts';
import { listFilesOf, listSkillNames } from '#marketplace/listings/listings.ts';
import type { PublishedCache } from '#marketplace/listings/published-cache.ts';
import type { Listing } from '#marketplace/listings/shapes.ts';
import type { PublishedFile } from './check-files.ts';

/** A published skill in its latest version, for clients that install skills. */
export interface PublishedSkill {
  /** Unique on this service and constant for the lifetime of the listing: `publisher-name`, at most 64 characters. */
  index_name: string;
  listing: Listing;
  /** Sorted by path. */
  files: readonly PublishedFile[];
}

export interface PublishedSkills {
  /** All installable skills, most recently changed first. */
  list(): Promise<readonly PublishedSkill[]>;
  /** Contents by path. Throws `marketplace.files_invalid` (`stored_files_differ`). */
  contents(skill: PublishedSkill): Promise<Map<string, Uint8Array>>;
}

interface PublishedSkillsDeps {
  db: Kysely<Schema>;
  published_cache: Pick<PublishedCache, 'listings'>;
  /** Names of built-in skills. */
  taken: readonly string[];
}

export function openPublishedSkills({ db, published_cache, taken }: PublishedSkillsDeps): PublishedSkills {
  let known: { of: unknown; skills: Promise<readonly PublishedSkill[]> } | null = null;
  return {
    list: async () => {
      const of = await published_cache.listings();
      if (known?.of === of) return known.skills;
      const skills = readSkills(db, of, taken);
      known = { of, skills };
      // The next call retries a failed read.
      skills.catch(() => {
        if (known?.skills === skills) known = null;
      });
      return skills;
    },
    contents: ({ listing, files }) => readContents(db, { listing_id: listing.id, version: listing.version }, files),
  };
}

async function readSkills(db: Kysely<Schema>, listings: readonly Listing[], taken: readonly string[]) {
  const live = listings.filter(({ listing_type, status }) => listing_type === 'skill' && status !== 'yanked');
  const names = indexNames(await listSkillNames(db), taken);
  const files = await listFilesOf(
    db,
    live.map(({ id, version }) => ({ listing_id: id, version })),
  );
  return live
    .flatMap((listing): PublishedSkill[] => {
      const index_name = names.get(listing.id);
      const text = files.get(listing.id);
      if (index_name === undefined || text === undefined) return [];
      return [{ index_name, listing, files: (JSON.parse(text) as PublishedFile[]).toSorted(byPath) }];
    })
    .toSorted((a, b) => (a.listing.updated_at > b.listing.updated_at ? -1 : 1));
}

const byPath = (a: PublishedFile, b: PublishedFile): number => (a.path < b.path ? -1 : 1);

const MOST_CHARS = 64;
const ID_CHARS = 12;

/**
 * Names by listing id, oldest listing first. Withdrawn listings keep theirs, so that no one takes over a name that clients have
 * installed.
 */
export function indexNames(
  listings: readonly { id: string; publisher: string; name: string }[],
  taken: readonly string[],
): Map<string, string> {
  const used = new Set(taken);
  const names = new Map<string, string>();
  for (const { id, publisher, name } of listings) {
    const plain = cut(`${publisher}-${name}`, MOST_CHARS);
    // The end of a UUIDv7 is random.
    const unique = `${cut(plain, MOST_CHARS - ID_CHARS - 1)}-${id.slice(-ID_CHARS)}`;
    const free = used.has(plain) ? unique : plain;
    used.add(free);
    names.set(id, free);
  }
  return names;
}

const cut = (text: string, most: number): string => text.slice(0, most).replace(/(?<!-)-+$/, '');
