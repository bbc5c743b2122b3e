import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { ProviderId } from '#catalog/items/kinds.ts';
import { findRow, type ListingKey } from '#catalog/items/read-items.ts';
import type { Get, Provider } from '#catalog/sync/provider.ts';
import { packValidators, type SyncConfig, unpackValidators } from '#catalog/sync/sync-plan.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobHandler, JobKind } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { findDetail, listingsDue, saveDetail } from './details.ts';
import { createReadDetails, type ReadDetails } from './read-details.ts';

/**
 * Fetches what a provider's list omits about a listing. Details that a request needs are fetched at once. A background job fetches
 * the rest, a few per minute, under the same rate limit as the sync. Details are revalidated after a week.
 */
export interface Details {
  /**
   * Returns the listing with its detail, if that is due and arrives within `wait_ms`; otherwise the listing as it is. A failing
   * provider is not an error.
   */
  ensure(row: ListingRow, waitMs: number): Promise<ListingRow>;
  /** Reads what was fetched, without a request. */
  read: ReadDetails;
  kinds: Record<string, JobKind>;
  schedule(): Promise<void>;
}

interface DetailsDeps {
  db: Kysely<Schema>;
  jobs: JobTable;
  clock: Clock;
  log: Log;
  config: SyncConfig;
  /** The texts of documents. */
  blobs: BlobStore;
  /** The synced providers. */
  providers: readonly Provider[];
  /** The rate-limited client of a provider, shared with its sync. */
  client(provider: Provider): (signal: AbortSignal) => Get;
}

export type EnsureDetail = Details['ensure'];

/** For tests and commands that contact no provider. */
export const asListed: EnsureDetail = async (row) => row;

/** A page can be shown without the detail; a run or a connection needs it. */
export const DETAIL_WAITS_MS = { page: 1_500, use: 10_000 } as const;

export const detailsJob = (id: ProviderId): string => `registry.details.${id}`;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FRESH_MS = 7 * DAY_MS;
/** Listings per round of the background job. */
const A_ROUND = 20;
const ROUND_EVERY_MS = MINUTE_MS;
/** Pause after a round that had nothing left to do. */
const IDLE_MS = 60 * MINUTE_MS;
/** Pause after a failed request. */
const FAILED_MS = 15 * MINUTE_MS;
const MOST_WAITING = 20;
/** Longer than callers wait: a late detail is still saved. */
const FETCH_TIMEOUT_MS = 30_000;

export function createDetails(deps: DetailsDeps): Details {
  const { db, blobs, jobs, clock, providers } = deps;
  const withDetails = providers.filter((provider) => provider.detail !== undefined);
  const byId = new Map<string, Provider>(withDetails.map((provider) => [provider.id, provider]));
  const underWay = new Map<string, Promise<ListingRow>>();
  const fetchOnce = (provider: Provider, row: ListingRow): Promise<ListingRow> | null => {
    const key = keyOf(row);
    const running = underWay.get(key);
    if (running !== undefined) return running;
    if (underWay.size >= MOST_WAITING) return null;
    const fetching = fetchDetail(deps, provider, row, AbortSignal.timeout(FETCH_TIMEOUT_MS))
      .then(({ row: now }) => now)
      .catch((error) => {
        deps.log.warn({ error, listing: key }, 'failed to store the detail of a listing');
        return row;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, fetching);
    return fetching;
  };
  const isFetched = (row: ListingRow): boolean => byId.get(row.provider_id)?.detail?.listing_type === row.listing_type;
  return {
    read: createReadDetails({ db, blobs, isFetched, isUnderWay: (key) => underWay.has(keyOf(key)) }),
    ensure: async (row, waitMs) => {
      const provider = byId.get(row.provider_id);
      if (provider === undefined || !isFetched(row)) return row;
      const known = await findDetail(db, row);
      const dueAt = known?.due_at ?? null;
      if (dueAt !== null && dueAt > isoTime(clock.now())) {
        // The detail may have been saved after the row was read.
        const isOlder = known?.install !== null && row.install === null;
        return isOlder ? ((await findRow(db, row)) ?? row) : row;
      }
      const fetching = fetchOnce(provider, row);
      return fetching === null ? row : firstOf(fetching, row, waitMs);
    },
    kinds: Object.fromEntries(
      withDetails.map((provider) => [detailsJob(provider.id), { handler: roundOf(deps, provider), concurrency: 1 }]),
    ),
    schedule: async () => {
      for (const { id } of withDetails)
        await jobs.put({ kind: detailsJob(id), key: id, run_at_ms: clock.now() + MINUTE_MS });
    },
  };
}

const keyOf = ({ provider_id, external_id }: ListingKey): string => `${provider_id}/${external_id}`;

async function firstOf(fetching: Promise<ListingRow>, row: ListingRow, waitMs: number): Promise<ListingRow> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ListingRow>((resolve) => {
    timer = setTimeout(() => resolve(row), waitMs);
  });
  try {
    return await Promise.race([fetching, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A few listings per minute; a whole catalog takes hours. */
const roundOf =
  (deps: DetailsDeps, provider: Provider): JobHandler =>
  async ({ signal }) => {
    const { db, clock } = deps;
    const listing_type = provider.detail?.listing_type as string;
    const now = isoTime(clock.now());
    const due = await listingsDue(db, { provider_id: provider.id, listing_type, now, limit: A_ROUND });
    for (const row of due) {
      signal.throwIfAborted();
      const { failed } = await fetchDetail(deps, provider, row, signal);
      if (failed) return { again_at_ms: clock.now() + FAILED_MS };
    }
    return { again_at_ms: clock.now() + (due.length < A_ROUND ? IDLE_MS : ROUND_EVERY_MS) };
  };

/** `failed` means that the provider could not be reached, so the round stops. */
async function fetchDetail(
  { db, clock, log, config, client }: DetailsDeps,
  provider: Provider,
  row: ListingRow,
  signal: AbortSignal,
): Promise<{ row: ListingRow; failed: boolean }> {
  const known = await findDetail(db, row);
  const kept = unpackValidators(config, known?.validators ?? '{}');
  const save = async (edit: Parameters<typeof saveDetail>[2]): Promise<ListingRow> =>
    (await saveDetail(db, row, edit, isoTime(clock.now()))) ?? row;
  const inMs = (ms: number): string => isoTime(clock.now() + ms);
  const read = { failures: 0, fetched_at: isoTime(clock.now()), due_at: inMs(FRESH_MS) };
  try {
    const answer = await provider.detail?.fetch({
      get: client(provider)(signal),
      base_url: config.urls[provider.id] ?? provider.base_url,
      key: config.keys[provider.id] ?? null,
      external_id: row.external_id,
      validators: kept,
    });
    if (answer === undefined || answer.unchanged) return { row: await save(read), failed: false };
    const edit = {
      ...read,
      install: answer.install === null ? null : JSON.stringify(answer.install),
      digest: digestOf(answer.text),
      validators: packValidators(config, answer.validators),
    };
    return { row: await save(edit), failed: false };
  } catch (error) {
    if (signal.aborted) throw error;
    if (statusOf(error) === 404) return { row: await save({ ...read, install: null, digest: null }), failed: false };
    const failures = (known?.failures ?? 0) + 1;
    log.info({ error, provider: provider.id, external_id: row.external_id }, 'failed to fetch the detail of a listing');
    const waitMs = Math.min(DAY_MS, FAILED_MS * 2 ** Math.min(failures - 1, 10));
    return { row: await save({ failures, due_at: inMs(waitMs) }), failed: !isOfListing(error) };
  }
}

const statusOf = (error: unknown): number =>
  error instanceof Problem ? Number(error.extensions.upstream_status ?? 0) : 0;

/** A malformed response concerns this listing only. */
const isOfListing = (error: unknown): boolean => isProblem(error, 'registry.provider_failed', 'format');

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
