import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { ProviderId } from '#catalog/items/kinds.ts';
import type { ListedNeeds } from '#catalog/items/listing-details.ts';
import { findRow, listingKey } from '#catalog/items/read-items.ts';
import type { Get, Provider } from '#catalog/sync/provider.ts';
import type { RetryPolicy } from '#catalog/sync/retry.ts';
import type { DetailsConfig, SyncConfig } from '#catalog/sync/sync-plan.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { coreProblem } from '#core/errors.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobHandler, JobKind } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { isProblem, type Problem } from '#core/problem/problem.ts';
import { dueAmong, findDetail, passOver, popularKeys, type Walked } from './details.ts';
import { fetchFile, notFetched, type ShownFile, storedFile } from './fetch-file.ts';
import { FAILED_MS, type FetchDeps, fetchListing, isMissingHere } from './fetch-listing.ts';
import { type SkillFiles, stepsFor } from './gather.ts';
import { createHostClients } from './host-clients.ts';
import { fetchIcon, hasIcon, lacksIcon, type ShownIcon, storedIcon } from './icon.ts';
import { RAW_URLS } from './raw-files.ts';
import { createReadDetails, type ReadDetails } from './read-details.ts';
import { createRoom } from './room.ts';
import { sweepHandler } from './sweep.ts';

/**
 * Fetches what a provider's list omits about a listing. Details that a request needs are fetched at once. A background job fetches
 * the rest, a few per minute, under the same rate limit as the sync. A listing is asked for again when its record changes, or after a
 * month if its record cannot tell.
 */
export interface Details {
  /**
   * Returns the listing with its detail, if that is due and arrives within `wait_ms`; otherwise the listing as it is. A failing
   * provider is not an error.
   */
  ensure(row: ListingRow, waitMs: number): Promise<ListingRow>;
  /** Reads what was fetched, without a request. */
  read: ReadDetails;
  /**
   * A file of a skill as text. Throws `registry.file_not_found`, `http.unavailable` (`fetching`) if it does not arrive in time, and the
   * Problems of its provider.
   */
  file: ReadFile;
  /** The icon that was fetched; null if there is none to show. */
  icon: ReadIcon;
  kinds: Record<string, JobKind>;
  schedule(): Promise<void>;
}

interface DetailsDeps {
  db: Kysely<Schema>;
  jobs: JobTable;
  clock: Clock;
  log: Log;
  config: SyncConfig;
  fetch: OutboundFetch;
  /** The texts of documents. */
  blobs: BlobStore;
  /** The synced providers. */
  providers: readonly Provider[];
  /** The rate-limited client of a provider, shared with its sync. */
  client(provider: Provider): (signal: AbortSignal) => Get;
  skillFiles?: SkillFiles | undefined;
  /** What a SKILL.md declares that it needs. */
  needsOf?: ((skillMd: string) => ListedNeeds | null) | undefined;
  retry?: RetryPolicy;
}

export type EnsureDetail = Details['ensure'];
export type ReadIcon = (row: ListingRow) => Promise<ShownIcon | null>;
export type ReadFile = (row: ListingRow, path: string) => Promise<ShownFile>;

/** For tests and commands that contact no provider. */
export const asListed: EnsureDetail = async (row) => row;

/** A page can be shown without the detail; a run or a connection needs it. */
export const DETAIL_WAITS_MS = { page: 1_500, use: 10_000 } as const;

export const detailsJob = (id: ProviderId): string => `registry.details.${id}`;
const SWEEP_JOB = 'registry.details.sweep';

const MINUTE_MS = 60_000;
const ROUND_EVERY_MS = MINUTE_MS;
/** Pause after a round that had nothing left to do. */
const IDLE_MS = 60 * MINUTE_MS;
const MOST_WAITING = 20;
/** Longer than callers wait: a late detail is still saved. */
const FETCH_TIMEOUT_MS = 60_000;

const DEFAULTS: DetailsConfig = { per_minute: 20, max_bytes: 2_048 * 1_048_576, github_raw_url: null };

export function createDetails(given: DetailsDeps): Details {
  const deps = openDeps(given);
  const { db, blobs, jobs, clock, providers, room } = deps;
  const byId = new Map<string, Provider>(providers.map((provider) => [provider.id, provider]));
  const underWay = new Map<string, Promise<ListingRow>>();
  const fetchOnce = (row: ListingRow, fetchNow: () => Promise<ListingRow>): Promise<ListingRow> | null => {
    const key = listingKey(row);
    const running = underWay.get(key);
    if (running !== undefined) return running;
    if (underWay.size >= MOST_WAITING) return null;
    const fetching = fetchNow()
      .catch((error) => {
        deps.log.warn({ error, listing: key }, 'failed to store the detail of a listing');
        return row;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, fetching);
    return fetching;
  };
  const isFetched = (row: ListingRow): boolean => {
    const provider = byId.get(row.provider_id);
    return provider !== undefined && (stepsFor(deps, provider, row).length > 0 || hasIcon(row));
  };
  const per_minute = deps.config.details?.per_minute ?? DEFAULTS.per_minute;
  const background = per_minute === 0 ? [] : providers;
  return {
    read: createReadDetails({
      db,
      blobs,
      isFetched,
      isUnderWay: (key) => underWay.has(listingKey(key)),
      needsOf: given.needsOf ?? (() => null),
    }),
    ensure: async (row, waitMs) => {
      const provider = byId.get(row.provider_id);
      if (provider === undefined || !isFetched(row)) return row;
      const age = await ageOf(deps, row);
      // The detail may have been saved after the row was read.
      if (age === 'newer') return (await findRow(db, row)) ?? row;
      if (age === 'fresh') return row;
      const fetching = fetchOnce(row, () => (age === 'icon' ? iconOnly(deps, row) : fetchAsked(deps, provider, row)));
      return fetching === null ? row : firstOf(fetching, row, waitMs);
    },
    file: createReadFile(deps, byId),
    icon: (row) => storedIcon({ db, blobs }, row),
    kinds: {
      ...Object.fromEntries(
        background.map((provider) => [
          detailsJob(provider.id),
          { handler: roundOf(deps, provider, { per_minute, isFetched }), concurrency: 1 },
        ]),
      ),
      [SWEEP_JOB]: { handler: sweepHandler({ db, blobs, clock, room }), concurrency: 1 },
    },
    schedule: async () => {
      await jobs.put({ kind: SWEEP_JOB, key: 'all', run_at_ms: clock.now() + MINUTE_MS });
      for (const { id } of background)
        await jobs.put({ kind: detailsJob(id), key: id, run_at_ms: clock.now() + MINUTE_MS });
    },
  };
}

/** Files that cannot be shown are remembered for a while: anyone may ask for them, and each request could fetch a whole archive. */
const MOST_MISSING = 2_000;
const MISSING_MS = 10 * MINUTE_MS;

/** Files of an archive arrive together, so that one request for it is enough. */
function createReadFile(deps: Deps, byId: ReadonlyMap<string, Provider>): ReadFile {
  const underWay = new Map<string, Promise<ShownFile>>();
  const missing = new LRUCache<string, { error: Problem; until_ms: number }>({ max: MOST_MISSING });
  return async (row, path) => {
    const stored = await storedFile(deps, row, path);
    if (stored !== null) return stored;
    const provider = byId.get(row.provider_id);
    if (provider === undefined) throw notFetched();
    const key = `${listingKey(row)} ${row.digest} ${path}`;
    const known = missing.get(key);
    if (known !== undefined && known.until_ms > deps.clock.now()) throw known.error;
    const running = underWay.get(key);
    if (running === undefined && underWay.size >= MOST_WAITING) throw stillFetching();
    const fetching =
      running ??
      fetchFileOnce(deps, row, path, provider)
        .catch((error) => {
          if (isProblem(error, 'registry.file_not_found'))
            missing.set(key, { error, until_ms: deps.clock.now() + MISSING_MS });
          throw error;
        })
        .finally(() => underWay.delete(key));
    underWay.set(key, fetching);
    const late = await firstOf(fetching, null, DETAIL_WAITS_MS.use);
    if (late === null) {
      fetching.catch((error) => deps.log.info({ error, listing: key }, 'failed to fetch a file of a listing'));
      throw stillFetching();
    }
    return late;
  };
}

async function fetchFileOnce(deps: Deps, row: ListingRow, path: string, provider: Provider): Promise<ShownFile> {
  if (await deps.room.isFull(row.provider_id)) await deps.room.makeRoom(row.provider_id);
  return fetchFile(deps, row, path, sourceOf(deps, provider, AbortSignal.timeout(FETCH_TIMEOUT_MS)));
}

const stillFetching = () =>
  coreProblem('http.unavailable', 'The file is being fetched. Retry in 5 s.', {
    reason: 'fetching',
    headers: { 'retry-after': '5' },
  });

type Deps = DetailsDeps & FetchDeps;

function openDeps(given: DetailsDeps): Deps {
  const { db, clock, config, fetch, retry, skillFiles = () => null } = given;
  const { max_bytes, github_raw_url } = config.details ?? DEFAULTS;
  return {
    ...given,
    skillFiles,
    hosts: createHostClients({ fetch, clock, config, ...defined({ retry }) }),
    raw: { ...RAW_URLS, ...defined({ github: github_raw_url ?? undefined }) },
    room: createRoom({ db, clock, max_bytes }),
  };
}

/** Also if only another process has the texts, and if the files of a skill were not needed before. */
async function ageOf(
  { db, blobs, clock, skillFiles }: Deps,
  row: ListingRow,
): Promise<'due' | 'newer' | 'icon' | 'fresh'> {
  const known = await findDetail(db, row);
  const dueAt = known?.due_at ?? null;
  if (known === undefined || dueAt === null || dueAt <= isoTime(clock.now())) return 'due';
  if (known.install !== null && row.install === null) return 'newer';
  if (known.error !== '') return 'fresh';
  const lacksFiles = row.listing_type === 'skill' && known.files === null && skillFiles(row) !== null;
  if (lacksFiles || (await isMissingHere(db, blobs, row))) return 'due';
  return (await lacksIcon({ db, clock }, row)) ? 'icon' : 'fresh';
}

async function firstOf<T, L>(fetching: Promise<T>, instead: L, waitMs: number): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(instead), waitMs);
  });
  try {
    return await Promise.race([fetching, late]);
  } finally {
    clearTimeout(timer);
  }
}

const sourceOf = ({ client, config }: Deps, provider: Provider, signal: AbortSignal) => ({
  provider,
  base_url: config.urls[provider.id] ?? provider.base_url,
  key: config.keys[provider.id] ?? null,
  get: client(provider)(signal),
  signal,
});

async function fetchAsked(deps: Deps, provider: Provider, row: ListingRow): Promise<ListingRow> {
  if (await deps.room.isFull(row.provider_id)) await deps.room.makeRoom(row.provider_id);
  const source = sourceOf(deps, provider, AbortSignal.timeout(FETCH_TIMEOUT_MS));
  return (await fetchListing(deps, row, { ...source, is_asked: true })).row;
}

/** Details that are complete are not requested again for a missing icon. */
async function iconOnly(deps: Deps, row: ListingRow): Promise<ListingRow> {
  await fetchIcon({ ...deps, icons: deps.hosts.icons }, row, AbortSignal.timeout(FETCH_TIMEOUT_MS));
  return row;
}

interface Round {
  per_minute: number;
  isFetched(row: ListingRow): boolean;
}

/** Listings that are looked through at once. */
const WALKED_AT_ONCE = 1_000;
/** Per round, so that it does not read a whole catalog for a few listings. */
const MOST_WALKED = 20;

/** A few listings per minute; a whole catalog takes hours. */
function roundOf(deps: Deps, provider: Provider, round: Round): JobHandler {
  const { clock, room } = deps;
  const walk: Walk = { after: null, due: [] };
  return async ({ signal }) => {
    const pause = (ms: number) => ({ again_at_ms: clock.now() + ms });
    if (await room.isFull(provider.id)) return pause(IDLE_MS);
    for (let fetched = 0; fetched < round.per_minute; ) {
      signal.throwIfAborted();
      const left = walk.due.length > 0 ? 'found' : await fill(deps, provider.id, walk);
      if (left !== 'found') return pause(PAUSES[left]);
      const result = await fetchDue(deps, provider, walk.due.shift() ?? '', { ...round, signal });
      if (result === 'failed') return pause(FAILED_MS);
      fetched += Number(result === 'fetched');
    }
    return pause(ROUND_EVERY_MS);
  };
}

const PAUSES = { end: IDLE_MS, later: ROUND_EVERY_MS };

async function fetchDue(
  deps: Deps,
  provider: Provider,
  external_id: string,
  { isFetched, signal }: Round & { signal: AbortSignal },
): Promise<'fetched' | 'failed' | 'passed'> {
  const row = await findRow(deps.db, { provider_id: provider.id, external_id });
  // Another process, or a request for it, may have been faster.
  if (row === undefined || row.removed_at !== null || !(await isPastDue(deps, row))) return 'passed';
  if (!isFetched(row)) {
    await passOver(deps.db, row);
    return 'passed';
  }
  const { failed } = await fetchListing(deps, row, { ...sourceOf(deps, provider, signal), is_asked: false });
  return failed ? 'failed' : 'fetched';
}

async function isPastDue({ db, clock }: Deps, row: ListingRow): Promise<boolean> {
  const { due_at = null } = (await findDetail(db, row)) ?? {};
  return due_at === null || due_at <= isoTime(clock.now());
}

/** Where a process is in the listings of a provider. */
interface Walk {
  after: Walked;
  due: string[];
}

/** Walks on to the next listings that are due. `end`: none was left. `later`: none was found yet. */
async function fill({ db, clock }: Deps, providerId: string, walk: Walk): Promise<'found' | 'end' | 'later'> {
  for (let walked = 0; walked < MOST_WALKED; walked++) {
    const keys = await popularKeys(db, providerId, walk.after, WALKED_AT_ONCE);
    const ids = keys.map(({ external_id }) => external_id);
    walk.due = await dueAmong(db, providerId, ids, isoTime(clock.now()));
    walk.after = keys.length < WALKED_AT_ONCE ? null : (keys.at(-1) ?? null);
    if (walk.due.length > 0) return 'found';
    if (walk.after === null) return 'end';
  }
  return 'later';
}
