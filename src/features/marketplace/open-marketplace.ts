import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { connectionOver } from '../../platform/db/connection-over.ts';
import type { Database, DatabaseConfig } from '../../platform/db/open.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { JobTable } from '../../platform/jobs/jobs.ts';
import type { JobKind } from '../../platform/jobs/worker.ts';
import type { Log } from '../../platform/log.ts';
import type { OutboundFetch } from '../../platform/outbound.ts';
import type { Threads } from '../../platform/threads/threads.ts';
import type { Wallets } from '../auth/wallets/wallets.ts';
import type { Catalog } from '../registry/catalog/catalog.ts';
import type { WatchedIndex } from '../registry/catalog/gauge-indexes.ts';
import type { FlaggedListings } from '../registry/flagged.ts';
import type { ReadRunnable } from '../registry/runnable.ts';
import type { ReadVerification } from '../registry/verification.ts';
import type { SkillShelf } from '../skills/load-skills.ts';
import type { Holding } from '../users/holding.ts';
import type { Publisher } from '../users/profile.ts';
import type { StorageGate } from '../users/storage.ts';
import { RAW_HOSTS, type RawHosts } from './claims/place.ts';
import type { MarketplaceDeps, PublishingLimits } from './deps.ts';
import { publishingHolding } from './holding.ts';
import { leftToLink } from './identity/left-to-link.ts';
import { expireReportsKind, scheduleExpireReports } from './moderation/expire-reports.ts';
import { moderationHolding } from './moderation/holding.ts';
import { openPublishedSkills, type PublishedSkills } from './published-skills.ts';
import { findPublisherOf } from './publishers.ts';
import { carriedOf } from './search/carried-skills.ts';
import { flaggedListings } from './search/flagged-listings.ts';
import { openIndex } from './search/open-index.ts';
import { openShelf } from './shelf.ts';
import { scheduleStanding, standingKinds } from './standing-jobs.ts';
import { wellKnown } from './well-known.ts';

/** The door to the marketplace. */
export interface Marketplace {
  /** For the operations and tools, which are loaded with the first request. */
  deps: MarketplaceDeps;
  /** Released in this order. */
  holdings: Holding[];
  kinds: Record<string, JobKind>;
  schedule(jobs: Pick<JobTable, 'put'>): Promise<void>;
  /** How far listings of providers were proved. */
  verification: ReadVerification;
  /** Which listings are flagged. */
  flagged: FlaggedListings;
  /** Skills that users publish here, for clients that install skills. */
  published: PublishedSkills;
  findPublisher(user_id: string): Promise<Publisher | null>;
  /** Begins the index where there is something to find and room for it, so that the first visitor need not wait. */
  warmUp(): Promise<void>;
  /** Its index, for metrics. */
  watched: WatchedIndex;
  close(): Promise<void>;
}

export interface MarketplaceOptions {
  db: Kysely<Schema>;
  database: Pick<Database, 'db' | 'engine'>;
  clock: Clock;
  base_url: string;
  database_config: DatabaseConfig;
  log: Log;
  catalog: Catalog;
  /** Of the database, with the contract's version. */
  identity: string;
  runnable: ReadRunnable;
  skills: SkillShelf;
  wallets: Wallets;
  limits: PublishingLimits;
  storage: StorageGate;
  fetch: OutboundFetch;
  carried: MarketplaceDeps['carried'];
  rigs: MarketplaceDeps['rigs'];
  threads: Threads;
}

export function openMarketplace({
  catalog,
  skills,
  database,
  database_config,
  identity,
  log,
  threads,
  ...options
}: MarketplaceOptions): Marketplace {
  const { db, clock, limits } = options;
  const { engine } = database;
  const index = openIndex({ database: database_config, identity, carried: carriedOf(skills.skills), log, threads });
  const shelf = openShelf({ db, clock });
  const refreshShelves = threads.inEach('marketplace.shelf', shelf.refresh);
  const connection = connectionOver(db, engine);
  return {
    deps: {
      ...options,
      index,
      engine,
      skills,
      raw_hosts: rawHosts(limits),
      connection,
      leftToLink: leftToLink({ connection, clock }),
      well_known: wellKnown({ catalog, skills }),
      shelf: { ...shelf, refresh: async () => void (await refreshShelves()) },
    },
    published: openPublishedSkills({ db, shelf, taken: skills.skills.map(({ name }) => name) }),
    flagged: flaggedListings(index),
    close: index.close,
    watched: {
      index: 'marketplace',
      facts: index.facts,
      newest: async () => {
        const { readNewest } = await import('./search/read-documents.ts');
        const { seq, published } = await readNewest(connectionOver(db, engine));
        return seq + published;
      },
    },
    warmUp: async () => {
      if (process.availableMemory() < LEAST_FREE_BYTES) return;
      const { lastCapabilityChange } = await import('./identity/capability-changes.ts');
      if ((await lastCapabilityChange(db)) > 0) await index.view();
    },
    holdings: [moderationHolding({ clock }), publishingHolding({ clock })],
    kinds: { ...standingKinds({ ...options, engine }), ...expireReportsKind({ db, clock, ...limits }) },
    schedule: async (jobs) => {
      await scheduleStanding(jobs, clock);
      await scheduleExpireReports(jobs);
    },
    // Loaded with the first detail that is asked for.
    verification: async (rows) => (await import('./proof/verification-of.ts')).readVerification({ db, clock })(rows),
    findPublisher: async (user_id) => {
      const publisher = await findPublisherOf(db, user_id);
      return publisher === undefined ? null : { id: publisher.id, name: publisher.name };
    },
  };
}

/** Twice what the index of 100,000 capabilities takes with its thread. */
const LEAST_FREE_BYTES = 2 ** 30;

const rawHosts = ({ github_raw_url, gitlab_url }: PublishingLimits): RawHosts => ({
  github: github_raw_url ?? RAW_HOSTS.github,
  gitlab: gitlab_url ?? RAW_HOSTS.gitlab,
});
