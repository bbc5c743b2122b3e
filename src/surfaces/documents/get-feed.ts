import type { Kysely } from 'kysely';
import { type FlaggedListings, NOTHING_FLAGGED } from '#catalog/items/flagged.ts';
import { newestRows } from '#catalog/items/read-servers.ts';
import { refuseWhileWarmingUp } from '#catalog/items/warming-up.ts';
import { normalQuery } from '#catalog/search/query/list-query.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import type { Clock } from '#core/clock/clock.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Handler, jsonText, type Reply } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';
import { onceAVersion, withFlags } from '#surfaces/interop/once-a-version.ts';
import type { documentsContract } from './contract.ts';
import { atom, type FeedEntry, jsonFeed } from './feed.ts';

/** GET /feeds/{name}. Without flagged listings: an entry is read once, and a later flag would not be noticed. */

interface Deps {
  db: Kysely<Schema>;
  catalog: Pick<Catalog, 'items' | 'isReady' | 'version'>;
  clock: Clock;
  base_url: string;
  flagged?: FlaggedListings;
}

const ENTRIES = 50;
/** More than are shown, because some are flagged and some have a future date. */
const MOST_LOOKED_AT = 200;
const MOST_BYTES = 2 ** 20;

export function getFeed(deps: Deps): Handler<typeof documentsContract.getFeed> {
  const { catalog, base_url } = deps;
  const { flagged = NOTHING_FLAGGED } = deps;
  const once = onceAVersion(withFlags(catalog, flagged), MOST_BYTES);
  return ({ params: { name } }) => {
    refuseWhileWarmingUp(catalog);
    return once(name, async (): Promise<Reply & { body: Uint8Array }> => {
      const isNew = name.startsWith('new.');
      const { has } = await flagged.read();
      const found = isNew ? await newEntries(deps) : changedEntries(deps);
      const entries = found.filter((entry) => !has(entry.provider_id, entry.external_id)).slice(0, ENTRIES);
      const title = `${SERVICE.title}: ${isNew ? 'new' : 'changed'} listings`;
      const feed = { title, base_url, self: `${base_url}/feeds/${name}`, entries };
      return name.endsWith('.atom')
        ? { media_type: 'application/atom+xml; charset=utf-8', body: Buffer.from(atom(feed)), cache_control: CACHED }
        : jsonText(Buffer.from(jsonFeed(feed)), {
            media_type: 'application/feed+json; charset=utf-8',
            cache_control: CACHED,
          });
    });
  };
}

const CACHED = 'public, max-age=300';

/** By when they were first seen here. */
const newEntries = async ({ db }: Deps): Promise<FeedEntry[]> =>
  (await newestRows(db, MOST_LOOKED_AT)).map((row) => ({
    ...row,
    tags: JSON.parse(row.tags),
    published_at: row.first_seen_at,
    updated_at: row.first_seen_at,
  }));

/** By when their provider says they changed: new download counts are not news. */
function changedEntries({ catalog, clock }: Deps): FeedEntry[] {
  const now = isoTime(clock.now());
  return catalog.items(normalQuery({ sort: 'updated', limit: MOST_LOOKED_AT })).items.flatMap((item) => {
    const { external_updated_at: updated_at } = item;
    return updated_at === null || updated_at > now ? [] : [{ ...item, published_at: null, updated_at }];
  });
}
