import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { ProviderId } from '#catalog/items/kinds.ts';
import { findRow } from '#catalog/items/read-items.ts';
import type { Get, Provider } from '#catalog/sync/provider.ts';
import { packValidators, type SyncConfig, unpackValidators } from '#catalog/sync/sync-plan.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobHandler, JobKind } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import { Problem } from '#core/problem/problem.ts';
import { findDetail, listingsDue, saveDetail } from './details.ts';

/**
 * Asks a provider for what its list leaves out of a listing. Where somebody needs it, it is asked for at once; a
 * background job asks for the rest, a few a minute, through the same paced line as the sync. What came is asked for
 * again after a week, with its validators.
 */
export interface Details {
  /**
   * The listing with its provider's detail, where that is missing or due and comes within `wait_ms`; else as it is.
   * Never throws for a provider that fails: the listing is there all the same.
   */
  ensure(row: ListingRow, wait_ms: number): Promise<ListingRow>;
  kinds: Record<string, JobKind>;
  schedule(): Promise<void>;
}

export interface DetailsDeps {
  db: Kysely<Schema>;
  jobs: JobTable;
  clock: Clock;
  log: Log;
  config: SyncConfig;
  /** Those that are synced. */
  providers: readonly Provider[];
  /** The paced line to a provider, which its sync uses too. */
  line(provider: Provider): (signal: AbortSignal) => Get;
}

/** The part of it that whoever reads a listing is given. */
export type EnsureDetail = Details['ensure'];

/** Where no provider is asked. */
export const asListed: EnsureDetail = async (row) => row;

/** A page is shown without what is late; a run, or a connection, has nothing without it. */
export const DETAIL_WAITS_MS = { page: 1_500, use: 10_000 } as const;

export const detailsJob = (id: ProviderId): string => `registry.details.${id}`;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FRESH_MS = 7 * DAY_MS;
/** Of one round of the background job. */
const A_ROUND = 20;
const ROUND_EVERY_MS = MINUTE_MS;
/** After a round with nothing to do. */
const IDLE_MS = 60 * MINUTE_MS;
/** After a provider refused or failed. */
const FAILED_MS = 15 * MINUTE_MS;
const MOST_WAITING = 20;
/** However long whoever asked wanted to wait, what came is kept. */
const FETCH_TIMEOUT_MS = 30_000;

export function createDetails(deps: DetailsDeps): Details {
  const { db, jobs, clock, providers } = deps;
  const doors = providers.filter((provider) => provider.detail !== undefined);
  const by_id = new Map<string, Provider>(doors.map((provider) => [provider.id, provider]));
  const under_way = new Map<string, Promise<ListingRow>>();
  const fetchOnce = (provider: Provider, row: ListingRow): Promise<ListingRow> | null => {
    const key = `${row.provider_id}/${row.external_id}`;
    const running = under_way.get(key);
    if (running !== undefined) return running;
    if (under_way.size >= MOST_WAITING) return null;
    const fetching = fetchDetail(deps, provider, row, AbortSignal.timeout(FETCH_TIMEOUT_MS))
      .then(({ row: now }) => now)
      .catch((error) => {
        deps.log.warn({ error, listing: key }, 'failed to store the detail of a listing');
        return row;
      })
      .finally(() => under_way.delete(key));
    under_way.set(key, fetching);
    return fetching;
  };
  return {
    ensure: async (row, wait_ms) => {
      const provider = by_id.get(row.provider_id);
      if (provider?.detail?.listing_type !== row.listing_type) return row;
      const known = await findDetail(db, row);
      const due_at = known?.due_at ?? null;
      if (due_at !== null && due_at > isoTime(clock.now())) {
        // It came after the row was read.
        const is_older = known?.install !== null && row.install === null;
        return is_older ? ((await findRow(db, row)) ?? row) : row;
      }
      const fetching = fetchOnce(provider, row);
      return fetching === null ? row : firstOf(fetching, row, wait_ms);
    },
    kinds: Object.fromEntries(
      doors.map((provider) => [detailsJob(provider.id), { handler: roundOf(deps, provider), concurrency: 1 }]),
    ),
    schedule: async () => {
      for (const { id } of doors) await jobs.put({ kind: detailsJob(id), key: id, run_at_ms: clock.now() + MINUTE_MS });
    },
  };
}

async function firstOf(fetching: Promise<ListingRow>, row: ListingRow, wait_ms: number): Promise<ListingRow> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ListingRow>((resolve) => {
    timer = setTimeout(() => resolve(row), wait_ms);
  });
  try {
    return await Promise.race([fetching, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A few listings each minute, so that a whole catalogue takes hours and nobody notices. */
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

/** `failed`: the provider could not be asked, so the next listing would fare no better. */
async function fetchDetail(
  { db, clock, log, config, line }: DetailsDeps,
  provider: Provider,
  row: ListingRow,
  signal: AbortSignal,
): Promise<{ row: ListingRow; failed: boolean }> {
  const known = await findDetail(db, row);
  const kept = unpackValidators(config, known?.validators ?? '{}');
  const save = async (edit: Parameters<typeof saveDetail>[2]): Promise<ListingRow> =>
    (await saveDetail(db, row, edit, isoTime(clock.now()))) ?? row;
  const in_ms = (ms: number): string => isoTime(clock.now() + ms);
  const read = { failures: 0, fetched_at: isoTime(clock.now()), due_at: in_ms(FRESH_MS) };
  try {
    const answer = await provider.detail?.fetch({
      get: line(provider)(signal),
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
    const wait_ms = Math.min(DAY_MS, FAILED_MS * 2 ** Math.min(failures - 1, 10));
    return { row: await save({ failures, due_at: in_ms(wait_ms) }), failed: !isOfListing(error) };
  }
}

const statusOf = (error: unknown): number =>
  error instanceof Problem ? Number(error.extensions.upstream_status ?? 0) : 0;

/** What is wrong with this one answer says nothing of the others. */
const isOfListing = (error: unknown): boolean => error instanceof Problem && error.code === 'registry.provider_shape';

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
