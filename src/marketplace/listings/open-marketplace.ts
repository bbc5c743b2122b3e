import type { Kysely } from 'kysely';
import type { Holding } from '#accounts/users/holding.ts';
import type { Publisher } from '#accounts/users/profile.ts';
import type { Wallets } from '#accounts/wallets/wallets.ts';
import type { ReadDetails } from '#catalog/details/read-details.ts';
import { unlinkedCounter } from '#catalog/identity/progress.ts';
import type { FlaggedListings } from '#catalog/items/flagged.ts';
import type { ReadRunnable } from '#catalog/items/runnable.ts';
import type { ReadVerification } from '#catalog/items/verification.ts';
import { flaggedListings } from '#catalog/search/flagged-listings.ts';
import type { WatchedIndex } from '#catalog/search/index-metrics.ts';
import type { OpenedIndex } from '#catalog/search/marketplace-index.ts';
import { embedKind, scheduleEmbed } from '#catalog/search/model/embed-job.ts';
import type { ModelOptions } from '#catalog/search/model/open-search-models.ts';
import type { Nearest } from '#catalog/search/nearest.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import type { Clock } from '#core/clock/clock.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { Threads } from '#core/threads/threads.ts';
import { RAW_HOSTS, type RawHosts } from '#marketplace/claims/place.ts';
import { wellKnown } from '#marketplace/claims/well-known.ts';
import { builtInSkillsOf } from '#marketplace/documents/built-in-skills.ts';
import { expireReportsKind, scheduleExpireReports } from '#marketplace/moderation/expire-reports.ts';
import { moderationHolding } from '#marketplace/moderation/holding.ts';
import { scheduleStanding, standingKinds } from '#marketplace/moderation/standing-jobs.ts';
import { findPublisherOf } from '#marketplace/publishers/publishers.ts';
import { openPublishedSkills, type PublishedSkills } from '#marketplace/publishing/published-skills.ts';
import { REPOSITORY_HOSTS } from '#runtime/bundles/repository-archive.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { MarketplaceDeps, PublishingLimits } from './deps.ts';
import { publishingHolding } from './holding.ts';
import { openPublishedCache } from './published-cache.ts';

/** The marketplace: its operations, jobs and readers. */
interface Marketplace {
  /** Dependencies of operations and tools, which are loaded with the first request. */
  deps: MarketplaceDeps;
  /** Erased in this order. */
  holdings: Holding[];
  kinds: Record<string, JobKind>;
  schedule(jobs: Pick<JobTable, 'put'>): Promise<void>;
  /** Reads the levels of providers' listings. */
  verification: ReadVerification;
  /** The flagged listings. */
  flagged: FlaggedListings;
  /** Published skills, for clients that install skills. */
  published: PublishedSkills;
  findPublisher(userId: string): Promise<Publisher | null>;
  /** Starts building the index if there is content and enough memory, so that the first search need not wait. */
  warmUp(): Promise<void>;
  /** The index, for metrics. */
  watched: WatchedIndex;
  close(): Promise<void>;
}

interface MarketplaceOptions {
  db: Kysely<Schema>;
  database: Pick<Database, 'db' | 'engine'>;
  clock: Clock;
  base_url: string;
  catalog: Catalog;
  index: OpenedIndex;
  /** Whether this service has a language model. */
  has_model: boolean;
  runnable: ReadRunnable;
  readDetails: ReadDetails;
  skills: SkillStore;
  nearest?: Nearest;
  wallets: Wallets;
  limits: PublishingLimits;
  storage: StorageGate;
  fetch: OutboundFetch;
  /** Of GitHub's archives, if the operator has a mirror. */
  github_url: string | null;
  carried: MarketplaceDeps['carried'];
  rigs: MarketplaceDeps['rigs'];
  threads: Threads;
  search_models: ModelOptions;
}

export function openMarketplace({
  catalog,
  skills,
  index,
  database,
  threads,
  search_models,
  ...options
}: MarketplaceOptions): Marketplace {
  const { db, clock, limits } = options;
  const { engine } = database;
  const published_cache = openPublishedCache({ db, clock });
  const refreshCaches = threads.inEach('marketplace.published_cache', published_cache.refresh);
  const connection = connectionOver(db, engine);
  return {
    deps: {
      ...options,
      index,
      engine,
      skills,
      raw_hosts: rawHosts(limits),
      repository_hosts: {
        github: options.github_url ?? REPOSITORY_HOSTS.github,
        gitlab: limits.gitlab_url ?? REPOSITORY_HOSTS.gitlab,
      },
      connection,
      countUnlinked: unlinkedCounter({ connection, clock }),
      well_known: wellKnown({ catalog, skills }),
      published_cache: { ...published_cache, refresh: async () => void (await refreshCaches()) },
    },
    published: openPublishedSkills({ db, published_cache, taken: skills.skills.map(({ name }) => name) }),
    flagged: flaggedListings(index),
    close: index.close,
    watched: {
      index: 'marketplace',
      facts: index.facts,
      newest: async () => {
        const { readNewest } = await import('#marketplace/documents/read-documents.ts');
        const { seq, published } = await readNewest(connectionOver(db, engine));
        return seq + published;
      },
    },
    warmUp: async () => {
      if (process.availableMemory() < LEAST_FREE_BYTES) return;
      const { lastCapabilityChange } = await import('#catalog/identity/capabilities.ts');
      if ((await lastCapabilityChange(db)) > 0) await index.view();
    },
    holdings: [moderationHolding({ clock }), publishingHolding({ clock })],
    kinds: {
      ...standingKinds({ ...options, engine }),
      ...expireReportsKind({ db, clock, ...limits }),
      ...embedKind({
        ...search_models,
        db,
        connection,
        clock,
        loadSource: async () =>
          (await import('#marketplace/documents/read-documents.ts')).documentSource(builtInSkillsOf(skills.skills)),
      }),
    },
    schedule: async (jobs) => {
      await scheduleStanding(jobs, clock);
      await scheduleExpireReports(jobs);
      await scheduleEmbed(jobs, clock);
    },
    // Loaded with the first request for a detail.
    verification: async (rows) =>
      (await import('#marketplace/proof/verification-of.ts')).readVerification({ db, clock })(rows),
    findPublisher: async (userId) => {
      const publisher = await findPublisherOf(db, userId);
      return publisher === undefined ? null : { id: publisher.id, name: publisher.name };
    },
  };
}

/** Twice the memory of the index and its thread with 100,000 capabilities. */
const LEAST_FREE_BYTES = 2 ** 30;

const rawHosts = ({ github_raw_url, gitlab_url }: PublishingLimits): RawHosts => ({
  github: github_raw_url ?? RAW_HOSTS.github,
  gitlab: gitlab_url ?? RAW_HOSTS.gitlab,
});
