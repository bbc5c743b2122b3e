import type { Kysely } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';

/** Recurring jobs for moderation, featured entries and claims. Loaded with the first due one. */

interface StandingJobsDeps {
  db: Kysely<Schema>;
  engine: Database['engine'];
  clock: Clock;
  base_url: string;
  fetch: OutboundFetch;
}

const CARRY_OVER = 'marketplace.carry_over';
const CARRY_OVER_EVERY_MS = 10_000;
const RECHECK = 'marketplace.recheck_claims';
const RECHECK_EVERY_MS = 3_600_000;
const LAPSE = 'marketplace.lapse_tools';
const LAPSE_EVERY_MS = 600_000;
const RECHECK_VERSIONS = 'marketplace.recheck_versions';
const RECHECK_VERSIONS_EVERY_MS = 3_600_000;
const MORE_IN_MS = 1_000;
const FIRST_IN_MS = 10_000;
const REFRESH = 'marketplace.refresh_featured';
const REFRESH_EVERY_MS = 600_000;

export const standingKinds = (deps: StandingJobsDeps): Record<string, JobKind> => ({
  [CARRY_OVER]: {
    concurrency: 1,
    handler: async ({ fence }) => {
      await (await import('./carry-over.ts')).carryOver(deps, fence);
      return { again_at_ms: deps.clock.now() + CARRY_OVER_EVERY_MS };
    },
  },
  [RECHECK]: {
    concurrency: 1,
    handler: async ({ fence, signal }) => {
      const isMore = await (await import('#marketplace/claims/recheck.ts')).recheckDue(deps, fence, signal);
      return { again_at_ms: deps.clock.now() + (isMore ? MORE_IN_MS : RECHECK_EVERY_MS) };
    },
  },
  [LAPSE]: {
    concurrency: 1,
    handler: async ({ fence }) => {
      const isMore = await (await import('#marketplace/proof/lapse-tools.ts')).lapseTools(deps, fence);
      return { again_at_ms: deps.clock.now() + (isMore ? MORE_IN_MS : LAPSE_EVERY_MS) };
    },
  },
  [RECHECK_VERSIONS]: {
    concurrency: 1,
    handler: async ({ fence, signal }) => {
      const isMore = await (await import('#marketplace/publishing/recheck-versions.ts')).recheckVersions(
        deps,
        fence,
        signal,
      );
      return { again_at_ms: deps.clock.now() + (isMore ? MORE_IN_MS : RECHECK_VERSIONS_EVERY_MS) };
    },
  },
  [REFRESH]: {
    concurrency: 1,
    handler: async ({ fence }) => {
      await (await import('#marketplace/featured/refresh.ts')).refreshFeatured(deps, fence);
      return { again_at_ms: deps.clock.now() + REFRESH_EVERY_MS };
    },
  },
});

/** Delays the jobs, because the first seconds of a process belong to requests. */
export async function scheduleStanding(jobs: Pick<JobTable, 'put'>, clock: Clock): Promise<void> {
  const run_at_ms = clock.now() + FIRST_IN_MS;
  for (const kind of [CARRY_OVER, RECHECK, LAPSE, RECHECK_VERSIONS, REFRESH])
    await jobs.put({ kind, key: 'all', run_at_ms });
}
