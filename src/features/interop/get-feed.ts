import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Handler, Reply } from '../../platform/http/operation.ts';
import { SERVICE } from '../../platform/service.ts';
import type { Catalog } from '../registry/catalog/catalog.ts';
import { normalQuery } from '../registry/catalog/query.ts';
import { newestRows } from '../registry/read-servers.ts';
import { refuseWhileWarmingUp } from '../registry/warming-up.ts';
import type { interopContract } from './contract.ts';
import { onceAVersion } from './once-a-version.ts';
import { atom, type FeedEntry, jsonFeed } from './web/feed.ts';

/** GET /feeds/{name} */

interface Deps {
  db: Kysely<Schema>;
  catalog: Pick<Catalog, 'items' | 'isReady' | 'version'>;
  clock: Clock;
  base_url: string;
}

const ENTRIES = 50;
/** Looked at, because some name a time that is yet to come. */
const MOST_LOOKED_AT = 200;
const MOST_BYTES = 2 ** 20;

export function getFeed(deps: Deps): Handler<typeof interopContract.getFeed> {
  const { catalog, base_url } = deps;
  const once = onceAVersion(catalog, MOST_BYTES);
  return ({ params: { name } }) => {
    refuseWhileWarmingUp(catalog);
    return once(name, async (): Promise<Reply & { body: Uint8Array }> => {
      const isNew = name.startsWith('new.');
      const entries = isNew ? await newEntries(deps) : changedEntries(deps);
      const title = `${SERVICE.title}: ${isNew ? 'new' : 'changed'} listings`;
      const feed = { title, base_url, self: `${base_url}/feeds/${name}`, entries };
      return name.endsWith('.atom')
        ? { media_type: 'application/atom+xml; charset=utf-8', body: Buffer.from(atom(feed)), cache_control: CACHED }
        : {
            media_type: 'application/feed+json; charset=utf-8',
            body: Buffer.from(jsonFeed(feed)),
            cache_control: CACHED,
          };
    });
  };
}

const CACHED = 'public, max-age=300';

/** By when they were seen here for the first time. */
const newEntries = async ({ db }: Deps): Promise<FeedEntry[]> =>
  (await newestRows(db, ENTRIES)).map((row) => ({
    ...row,
    tags: JSON.parse(row.tags),
    published_at: row.first_seen_at,
    updated_at: row.first_seen_at,
  }));

/** By when their providers say that they changed: what counts downloads anew is no change to read about. */
function changedEntries({ catalog, clock }: Deps): FeedEntry[] {
  const now = isoTime(clock.now());
  return catalog
    .items(normalQuery({ sort: 'updated', limit: MOST_LOOKED_AT }))
    .items.flatMap((item) => {
      const { external_updated_at: updated_at } = item;
      return updated_at === null || updated_at > now ? [] : [{ ...item, published_at: null, updated_at }];
    })
    .slice(0, ENTRIES);
}
