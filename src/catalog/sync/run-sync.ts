import type { Kysely, Transaction } from 'kysely';
import { lazySeq } from '#catalog/changes/changes.ts';
import { catalogProblem } from '#catalog/errors.ts';
import { keyVariable } from '#catalog/items/settings.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import type { Log } from '#core/log.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { type Ending, finishUnchanged } from './finish-run.ts';
import { createPageGuard } from './page-guard.ts';
import type { Get, Page, Provider, Validators } from './provider.ts';
import { isTemporary } from './retry.ts';
import { savePage } from './save-page.ts';
import { intervalOf, packValidators, planRun, retryDelay, type SyncConfig, unpackValidators } from './sync-plan.ts';
import type { SyncReport } from './sync-report.ts';
import { packError, readSyncState, type SyncState, writeSyncState } from './sync-states.ts';

/** One run of one provider: fetches, adapts and saves page by page. */

interface SyncRun {
  db: Kysely<Schema>;
  config: SyncConfig;
  provider: Provider;
  get: Get;
  clock: Clock;
  log: Log;
  report: SyncReport;
  signal: AbortSignal;
  /** Throws inside a transaction if this process has lost the job's lease. */
  fence: (trx: Transaction<Schema>) => Promise<void>;
  accept_fewer: boolean;
  /** A full run, even if an incremental one is possible. */
  full: boolean;
}

/** Runs what is due and returns the new state. Throws only for an abort, a lost lease or a database error. */
export async function runSync(run: SyncRun): Promise<SyncState> {
  const before = await readSyncState(run.db, run.provider.id);
  const key = run.config.keys[run.provider.id] ?? null;
  if (run.provider.key === 'required' && key === null) return disable(run, before, 'An API key is required.');
  const planned = planRun(run.config, run.provider, before, run.clock.now(), run);
  await inTransaction(run, (trx) => writeSyncState(trx, planned));
  // A provider that refused requests without a key is tried at each interval, without logging the start.
  if (before.status !== 'disabled') run.report.started(run.provider, planned);
  const walk: Walk = { state: planned, progressed: false };
  try {
    return await walkPages(run, walk, key);
  } catch (error) {
    if (run.signal.aborted || !(error instanceof Problem)) throw error;
    if (isProblem(error, 'registry.provider_failed', 'forbidden') && key === null && run.provider.key !== 'none') {
      return disable(
        run,
        { ...walk.state, status: before.status },
        'The provider refuses requests without an API key.',
      );
    }
    return fail(run, walk, before, error);
  }
}

/** Progress of a run, which the caller keeps if the run throws. */
interface Walk {
  state: SyncState;
  progressed: boolean;
}

async function walkPages(run: SyncRun, walk: Walk, key: string | null): Promise<SyncState> {
  const guard = createPageGuard(walk.state.cursor);
  let validators: Validators = {};
  for (;;) {
    run.signal.throwIfAborted();
    const page = await fetchPage(run, walk.state, key);
    validators = { ...validators, ...page.validators };
    const nowMs = run.clock.now();
    const ending: Ending = {
      validators: page.validators === undefined ? null : packValidators(run.config, validators),
      next_run_at: isoTime(nowMs + intervalOf(run.config, run.provider)),
      accept_fewer: run.accept_fewer,
    };
    if (page.unchanged) walk.state = await saveUnchanged(run, walk.state, nowMs, ending);
    else {
      const before = walk.state;
      walk.state = await inTransaction(run, (trx) => savePage(trx, before, page, nowMs, ending));
      guard.check(page, walk.state.seen - before.seen);
    }
    walk.progressed = true;
    if (walk.state.status === 'running') continue;
    run.report.ended(run.provider, walk.state);
    return walk.state;
  }
}

/** If an adapter throws anything but a Problem, it is a bug. It fails this provider's run only. */
async function fetchPage(
  { provider, config, get, signal, log }: SyncRun,
  state: SyncState,
  key: string | null,
): Promise<Page> {
  const request = {
    get,
    base_url: config.urls[provider.id] ?? provider.base_url,
    key,
    mode: state.mode as 'full' | 'incremental',
    cursor: state.cursor,
    since: state.mode === 'incremental' ? state.watermark : null,
    validators: state.mode === 'full' && state.cursor === null ? unpackValidators(config, state.validators) : {},
  };
  try {
    return await provider.fetchPage(request);
  } catch (error) {
    if (signal.aborted || error instanceof Problem) throw error;
    log.error({ error, provider: provider.id }, 'unhandled error in a provider adapter');
    const detail = `The response of ${provider.title} could not be read because of an internal error. See the log.`;
    throw coreProblem('http.internal', detail, { cause: error });
  }
}

const saveUnchanged = (run: SyncRun, state: SyncState, nowMs: number, ending: Ending): Promise<SyncState> =>
  inTransaction(run, async (trx) => {
    const save = { run: state.run_id, now: isoTime(nowMs), seq: lazySeq(trx) };
    const ended = await finishUnchanged(trx, state, save, ending);
    await writeSyncState(trx, ended);
    return ended;
  });

/** Keeps the cursor if the failure is temporary or the run made progress. Otherwise the cursor may be the cause. */
async function fail(run: SyncRun, { state, progressed }: Walk, before: SyncState, problem: Problem) {
  const nowMs = run.clock.now();
  const intervalMs = intervalOf(run.config, run.provider);
  const retryAfterMs = Number(problem.extensions.retry_after_ms ?? 0);
  const resumable = !isProblem(problem, 'registry.provider_failed', 'loop') && (progressed || isTemporary(problem));
  const failed: SyncState = {
    ...state,
    status: 'failed',
    cursor: resumable ? state.cursor : null,
    finished_at: isoTime(nowMs),
    error: packError(problem),
    failures: state.failures + 1,
    next_run_at: isoTime(nowMs + retryDelay(intervalMs, state.failures, retryAfterMs)),
  };
  await inTransaction(run, (trx) => writeSyncState(trx, failed));
  run.report.failed(run.provider, problem, before);
  return failed;
}

async function disable(run: SyncRun, before: SyncState, why: string): Promise<SyncState> {
  const nowMs = run.clock.now();
  const reason = keyMissing(`${why} Set ${keyVariable(run.provider.id)} and restart.`);
  const disabled: SyncState = {
    ...before,
    status: 'disabled',
    cursor: null,
    finished_at: isoTime(nowMs),
    error: packError(reason),
    next_run_at: isoTime(nowMs + intervalOf(run.config, run.provider)),
  };
  await inTransaction(run, (trx) => writeSyncState(trx, disabled));
  if (before.status !== 'disabled') run.report.disabled(run.provider, reason.message);
  return disabled;
}

const keyMissing = (detail: string): Problem =>
  catalogProblem('registry.provider_failed', detail, { reason: 'key_required' });

const inTransaction = <T>({ db, fence }: SyncRun, write: (trx: Transaction<Schema>) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await fence(trx);
    return write(trx);
  });
