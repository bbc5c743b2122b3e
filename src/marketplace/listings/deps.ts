import type { Kysely } from 'kysely';
import type { Wallets } from '#accounts/wallets/wallets.ts';
import type { ReadDetails } from '#catalog/details/read-details.ts';
import type { CountUnlinked } from '#catalog/identity/progress.ts';
import type { ReadRunnable } from '#catalog/items/runnable.ts';
import type { CapabilityIndex } from '#catalog/search/marketplace-index.ts';
import type { Nearest } from '#catalog/search/nearest.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { RawHosts } from '#marketplace/claims/place.ts';
import type { WellKnown } from '#marketplace/claims/well-known.ts';
import type { CarriedItem } from '#marketplace/featured/carried.ts';
import type { RepositoryHosts } from '#runtime/bundles/repository-archive.ts';
import type { Rigs } from '#runtime/runs/rig/open-rigs.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { PublishedCache } from './published-cache.ts';
import type { MARKETPLACE_SETTINGS } from './settings.ts';

export type PublishingLimits = Values<typeof MARKETPLACE_SETTINGS>;

/** Dependencies of the marketplace's operations and tools. */
export interface MarketplaceDeps {
  db: Kysely<Schema>;
  /** Plain SQL over the same database. */
  connection: Pick<Connection, 'query'>;
  engine: Database['engine'];
  clock: Clock;
  /** Public URL of the service, which claims contain. */
  base_url: string;
  wallets: Wallets;
  well_known: WellKnown;
  limits: PublishingLimits;
  storage: StorageGate;
  published_cache: PublishedCache;
  index: CapabilityIndex;
  countUnlinked: CountUnlinked;
  /** Built-in skills, which are capabilities without a row. */
  skills: Pick<SkillStore, 'skills'>;
  /** Whether this service has a language model. */
  has_model: boolean;
  /** For names that nothing has. */
  nearest?: Nearest | undefined;
  /** Reads whether a provider's listing can be run. */
  runnable: ReadRunnable;
  /** Reads what was fetched about a provider's listing; if omitted, nothing was. */
  readDetails?: ReadDetails | undefined;
  /** Runs rigs. Their locks are verified before publication. */
  rigs: Pick<Rigs, 'ofFiles'>;
  /** Fetches claim files. */
  fetch: OutboundFetch;
  raw_hosts: RawHosts;
  /** Make archives of repositories. */
  repository_hosts: RepositoryHosts;
  /** Built-in skills that can be run. */
  carried(): Promise<readonly CarriedItem[]>;
}
