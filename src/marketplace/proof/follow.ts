import { isoTime } from '#core/clock/clock.ts';
import type { JobHandler, JobRun } from '#core/jobs/worker.ts';
import { DAY_MS, HISTORY_DAYS } from './caller-weight.ts';
import type { FollowDeps } from './deps.ts';
import { changedAmong, readMark, setMark } from './marks.ts';
import { readLogPage } from './read-log.ts';
import { computeAll, type KnownCallers, keep } from './recompute.ts';
import { forgetRuns, insertRuns, subjectsRun } from './runs.ts';
import { pageOfScores } from './scores.ts';
import { idsOfSubjects } from './targets.ts';
import { whoseRun } from './whose-run.ts';

const A_PAGE = 500;
const IDS_A_PAGE = 100;
/** Runs again soon after new receipts, for those that arrived meanwhile; otherwise rarely, in case a call was lost. */
const AGAIN_MS = { busy: 1_000, idle: 15_000 };
const HOUR_MS = 3_600_000;
/** Longer than any run counts, so that an audit of an earlier hour has its data. */
const KEPT_DAYS = HISTORY_DAYS + 30;

/** Processes new entries of the log, and capabilities that were merged or split since. */
export const followRuns =
  (deps: FollowDeps): JobHandler =>
  async (run) => {
    const runs = await followLog(deps, run);
    const merges = await followCapabilities(deps, run);
    return { again_at_ms: deps.clock.now() + (runs + merges > 0 ? AGAIN_MS.busy : AGAIN_MS.idle) };
  };

async function followLog(deps: FollowDeps, run: JobRun): Promise<number> {
  while (!run.signal.aborted && (await deps.log()) > 0);
  for (let seen = 0; ; ) {
    run.signal.throwIfAborted();
    const from = await readMark(deps.db, 'proof_receipts');
    const { next, rows } = await readLogPage(deps.db, from, whoseRun(deps.db, deps.commitment), A_PAGE);
    if (next === from) return seen;
    await deps.db.transaction().execute(async (trx) => {
      await run.fence(trx);
      await insertRuns(trx, rows);
    });
    const subjects = [...new Set(rows.map(({ subject }) => subject))];
    await recompute(deps, run, await idsOfSubjects(deps.reader, subjects), next);
    // Last, so that after a crash the same page is processed again, which is idempotent.
    await deps.db.transaction().execute(async (trx) => {
      await run.fence(trx);
      await setMark(trx, 'proof_receipts', next);
    });
    seen += next - from;
  }
}

async function followCapabilities(deps: FollowDeps, run: JobRun): Promise<number> {
  const since = await readMark(deps.db, 'proof_capabilities');
  const { last, ids } = await changedAmong(deps.reader, since);
  if (last === since) return 0;
  await recompute(deps, run, ids, await readMark(deps.db, 'proof_receipts'));
  await deps.db.transaction().execute(async (trx) => {
    await run.fence(trx);
    await setMark(trx, 'proof_capabilities', last);
  });
  return ids.length;
}

/** Page by page, one transaction each. */
async function recompute(
  deps: FollowDeps,
  run: JobRun,
  ids: readonly string[],
  log_size: number,
  known: KnownCallers = new Map(),
): Promise<void> {
  for (let at = 0; at < ids.length; at += IDS_A_PAGE) {
    run.signal.throwIfAborted();
    const some = ids.slice(at, at + IDS_A_PAGE);
    const now_ms = deps.clock.now();
    const computed = await computeAll(deps, some, { now_ms, log_size }, known);
    await deps.db.transaction().execute(async (trx) => {
      await run.fence(trx);
      await keep(trx, deps.readerOf(trx), some, computed, now_ms);
    });
  }
}

/** Recomputes everything with recent runs or a row, because scores, levels and accounts change with time. */
export const recomputeAll =
  (deps: FollowDeps): JobHandler =>
  async (run) => {
    const nowMs = deps.clock.now();
    const logSize = await readMark(deps.db, 'proof_receipts');
    const known: KnownCallers = new Map();
    const from = isoTime(nowMs - HISTORY_DAYS * DAY_MS);
    for (let after = ''; ; ) {
      const subjects = await subjectsRun(deps.db, from, after, A_PAGE);
      const last = subjects.at(-1);
      if (last === undefined) break;
      await recompute(deps, run, await idsOfSubjects(deps.reader, subjects), logSize, known);
      after = last;
    }
    for (let after = ''; ; ) {
      const rows = await pageOfScores(deps.db, after, A_PAGE);
      const last = rows.at(-1);
      if (last === undefined) break;
      const left = rows.filter(({ computed_at }) => Date.parse(computed_at) < nowMs).map(({ id }) => id);
      await recompute(deps, run, left, logSize, known);
      after = last.id;
    }
    await forgetRuns(deps.db, isoTime(nowMs - KEPT_DAYS * DAY_MS));
    return { again_at_ms: (Math.floor(deps.clock.now() / HOUR_MS) + 1) * HOUR_MS };
  };
