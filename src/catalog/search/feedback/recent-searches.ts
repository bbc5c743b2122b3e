import { createHmac, type KeyObject } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { decryptGcm, encryptGcm } from '#core/crypto/gcm.ts';
import { deriveKey, type KeyProvider } from '#core/crypto/secret-keys.ts';
import { type Aging, removeOldest } from '#core/db/remove-oldest.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Filters } from '../query/filter.ts';

/**
 * Searches of the last half hour in the table `search_recent`, for choices that are made in another process. A copy of the database tells
 * nothing of them: who searched and for what is hashed and encrypted with keys of the service.
 */

export interface CountedSearch {
  text: string;
  filters: Filters;
}

export interface Search {
  /** As it is counted. */
  query: string;
  search: CountedSearch;
  at_ms: number;
}

interface RecentSearches {
  put(searches: readonly { names: readonly string[]; search: Search }[]): Promise<void>;
  /** Of each name, the newest first. */
  of(names: readonly string[]): Promise<Map<string, Search[]>>;
}

/** A later choice is not attributed to the search. */
export const RECENT_MS = 30 * 60_000;
/** Of one voice. */
export const MOST_SEARCHES = 3;
/** In the table. Beyond it, choices count in the process of their search only. */
const MOST_ROWS = 20_000;
/** Parameters per statement; every database accepts this many. */
const AT_ONCE = 200;

interface Deps {
  db: Kysely<Schema>;
  clock: Clock;
  keys: KeyProvider;
}

export function recentSearches({ db, clock, keys }: Deps): RecentSearches {
  const naming = deriveKey(keys, 'names of search feedback');
  const sealing = deriveKey(keys, 'searches of search feedback');
  const since = (): string => isoTime(clock.now() - RECENT_MS);
  return {
    async put(searches) {
      const rows = new Map(
        searches
          .flatMap(({ names, search }) => names.map((name) => rowOf(naming, sealing, name, search)))
          .map((row) => [`${row.name} ${row.query}`, row]),
      );
      if (rows.size === 0 || (await countRows(db)) >= MOST_ROWS) return;
      const all = [...rows.values()];
      for (let from = 0; from < all.length; from += AT_ONCE)
        await db
          .insertInto('search_recent')
          .values(all.slice(from, from + AT_ONCE))
          .onConflict((conflict) =>
            conflict
              .columns(['name', 'query'])
              .doUpdateSet((eb) => ({ at: eb.ref('excluded.at'), sealed: eb.ref('excluded.sealed') })),
          )
          .execute();
    },
    async of(names) {
      const byHash = new Map(names.map((name) => [hashed(naming, name), name]));
      const found = new Map<string, Search[]>();
      const hashes = [...byHash.keys()];
      for (let from = 0; from < hashes.length; from += AT_ONCE) {
        const rows = await db
          .selectFrom('search_recent')
          .select(['name', 'sealed'])
          .where('name', 'in', hashes.slice(from, from + AT_ONCE))
          .where('at', '>=', since())
          .orderBy('at', 'desc')
          .limit(AT_ONCE * MOST_SEARCHES)
          .execute();
        for (const { name, sealed } of rows) {
          const own = byHash.get(name) as string;
          const known = found.get(own) ?? [];
          const search = known.length < MOST_SEARCHES ? unsealed(sealing, name, sealed) : null;
          if (search !== null) found.set(own, [...known, search]);
        }
      }
      return found;
    },
  };
}

const HASH_BYTES = 16;

const hashed = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, HASH_BYTES).toString('base64url');

function rowOf(naming: KeyObject, sealing: KeyObject, voice: string, search: Search) {
  const name = hashed(naming, voice);
  const sealed = encryptGcm(sealing, Buffer.from(JSON.stringify(search)), Buffer.from(name)).toString('base64url');
  return { name, query: hashed(naming, `${voice} ${search.query}`), at: isoTime(search.at_ms), sealed };
}

/** Null if it was encrypted with an earlier key. */
function unsealed(key: KeyObject, name: string, sealed: string): Search | null {
  try {
    const plain = decryptGcm(key, Buffer.from(sealed, 'base64url'), Buffer.from(name));
    return JSON.parse(plain.toString('utf8')) as Search;
  } catch {
    return null;
  }
}

async function countRows(db: Kysely<Schema>): Promise<number> {
  const { rows } = await db
    .selectFrom('search_recent')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

const RECENT: Aging = { table: 'search_recent', key: ['name', 'query'], time: 'at' };

export const removeRecent = (db: Kysely<Schema>, before: string, most: number): Promise<number> =>
  removeOldest(db, RECENT, before, most);
