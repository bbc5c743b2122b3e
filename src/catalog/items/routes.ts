import type { Kysely } from 'kysely';
import type { EnsureDetail, ReadFile, ReadIcon } from '#catalog/details/fetch-details.ts';
import type { ReadDetails } from '#catalog/details/read-details.ts';
import type { ListingSearch } from '#catalog/search/listing-search.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Routes } from '#core/http/operation.ts';
import type { ReadCapabilityId } from './capability-id.ts';
import type { itemsContract } from './contract.ts';
import { exportItems } from './export.ts';
import type { FlaggedListings } from './flagged.ts';
import { getItem } from './get.ts';
import { getItemFile } from './get-file.ts';
import { getItemIcon } from './get-icon.ts';
import { getSkillsMd } from './get-skills-md.ts';
import { getStats } from './get-stats.ts';
import { listItems } from './list.ts';
import type { ListOwnItems } from './own-listings.ts';
import { probeItem } from './probe.ts';
import type { ReadStats } from './read-stats.ts';
import type { ProbeAsked, ReadRunnable } from './runnable.ts';
import type { ReadVerification } from './verification.ts';

interface ItemsDeps {
  db: Kysely<Schema>;
  catalog: Catalog;
  search: Pick<ListingSearch, 'views' | 'listings'>;
  clock: Clock;
  /** Base URL of links; null for relative links. */
  public_url: string | null;
  stats: ReadStats;
  /** Reads whether a listing can be run, and its tools. */
  runnable: ReadRunnable;
  /** Asks the server of a listing now. */
  probeAsked: ProbeAsked;
  capabilityIdOf: ReadCapabilityId;
  /** Reads the level of a listing. */
  verification: ReadVerification;
  /** Lists built-in skills and published listings. */
  own: ListOwnItems;
  flagged: FlaggedListings;
  /** Fetches a listing's detail from its provider. */
  ensureDetail: EnsureDetail;
  /** Reads what was fetched. */
  readDetails: ReadDetails;
  /** Reads a file of a skill, or fetches it. */
  readFile: ReadFile;
  readIcon: ReadIcon;
  blobs: BlobStore;
}

export const itemsRoutes = ({
  db,
  catalog,
  search,
  clock,
  public_url,
  stats,
  runnable,
  probeAsked,
  capabilityIdOf,
  verification,
  own,
  flagged,
  ensureDetail,
  readDetails,
  readFile,
  readIcon,
  blobs,
}: ItemsDeps): Routes<typeof itemsContract> => ({
  list: listItems({ catalog, search, flagged }),
  getStats: getStats(stats),
  getSkillsMd: getSkillsMd({ catalog, search, public_url, own, flagged }),
  get: getItem({ db, clock, runnable, capabilityIdOf, verification, ensureDetail, readDetails }),
  // Served by the route of getItem; the router does not mount it separately.
  getMd: getItem({ db, clock, runnable, capabilityIdOf, verification, ensureDetail, readDetails }),
  getFile: getItemFile({ db, clock, readFile }),
  getIcon: getItemIcon({ db, clock, readIcon }),
  probe: probeItem({ db, clock, runnable, probeAsked }),
  export: exportItems({ db, blobs }),
});
