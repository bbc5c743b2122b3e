import type { Kysely } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Routes } from '#core/http/operation.ts';
import type { ReadCapabilityId } from './capability-id.ts';
import type { Catalog } from '#catalog/index/catalog.ts';
import type { registryContract } from './contract.ts';
import type { EnsureDetail } from '#catalog/details/fetch-details.ts';
import { exportItems } from './export.ts';
import type { FlaggedListings } from './flagged.ts';
import { getItem } from './get.ts';
import { getSkillsMd } from './get-skills-md.ts';
import { getStats } from './get-stats.ts';
import { getSync } from '#catalog/sync/get.ts';
import type { ProviderId } from './kinds.ts';
import { listItems } from './list.ts';
import { listRejected } from '#catalog/sync/list-rejected.ts';
import type { ListOwnItems } from './own-listings.ts';
import type { ReadStats } from './read-stats.ts';
import type { ReadRunnable } from './runnable.ts';
import type { ReadVerification } from './verification.ts';

export interface RegistryDeps {
  db: Kysely<Schema>;
  catalog: Catalog;
  clock: Clock;
  /** Where others reach the service; null leaves links relative. */
  public_url: string | null;
  /** The providers that the configuration has synced. */
  enabled: readonly ProviderId[];
  stats: ReadStats;
  /** Whether a listing can be run now, and its tools. */
  runnable: ReadRunnable;
  capabilityIdOf: ReadCapabilityId;
  /** How far a listing was proved. */
  verification: ReadVerification;
  /** First-party skills and what is published here. */
  own: ListOwnItems;
  flagged: FlaggedListings;
  /** Asks a provider for what its list leaves out. */
  ensureDetail: EnsureDetail;
}

export const registryRoutes = ({
  db,
  catalog,
  clock,
  public_url,
  enabled,
  stats,
  runnable,
  capabilityIdOf,
  verification,
  own,
  flagged,
  ensureDetail,
}: RegistryDeps): Routes<typeof registryContract> => ({
  listItems: listItems({ catalog, flagged }),
  getStats: getStats(stats),
  getSkillsMd: getSkillsMd({ catalog, public_url, own, flagged }),
  getItem: getItem({ db, clock, runnable, capabilityIdOf, verification, ensureDetail }),
  // Served by getItem's route; the router mounts none of its own.
  getItemMd: getItem({ db, clock, runnable, capabilityIdOf, verification, ensureDetail }),
  exportItems: exportItems({ db }),
  getSync: getSync({ db, enabled }),
  listRejected: listRejected({ db }),
});
