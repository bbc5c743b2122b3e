import { isoTime } from '#core/clock/clock.ts';
import { listedReceipts } from '#runtime/receipts/log-entries.ts';
import { auditLog } from './audit-log.ts';
import type { AuditDeps } from './audit-ranking.ts';
import { DAY_MS, HISTORY_DAYS, type Weighed } from './caller-weight.ts';
import { type CountedRun, independent, oneADay, WINDOW_DAYS } from './hot-score.ts';
import { readMark } from './marks.ts';
import { statementIn } from './read-log.ts';
import { type ComputedTarget, computeAll } from './recompute.ts';
import { runOfReceipt } from './run-of-receipt.ts';
import type { Score } from './scores.ts';
import { memorySource } from './source.ts';
import { idsOfSubjects } from './targets.ts';

/** Explains the ranking of a capability: each run, and why it counts or not. Callers are numbered, not named. */

interface ExplainedRun {
  leaf_index: number;
  receipt_id: string;
  at: string;
  subject: string;
  /** Null if the account is unknown or the run does not count. */
  caller: number | null;
  weight: number | null;
  verdict: string;
}

export interface Explanation {
  id: string;
  score: Score | null;
  runs: ExplainedRun[];
}

const WHY: Record<string, string> = {
  not_ended: 'not counted: cancelled or interrupted',
  not_its_fault: 'not counted: failed because of the input, access or runner, not the capability',
};

/** `id` is a capability or merged id, or a subject such as `skill/json-diff`. Null without runs. */
export async function explainRanking(deps: AuditDeps, id: string): Promise<Explanation | null> {
  const [merged] = await deps.reader.query<{ stands_id: string }>('SELECT stands_id FROM capabilities WHERE id = ?', [
    id,
  ]);
  const wanted = merged?.stands_id ?? (await idsOfSubjects(deps.reader, [id]))[0] ?? id;
  const log = await auditLog(deps);
  const log_size = await readMark(deps.db, 'proof_receipts');
  const asOf = { now_ms: deps.now_ms, log_size };
  const [computed] = await computeAll({ ...deps, source: memorySource(log.rows) }, [wanted], asOf);
  if (computed === undefined) return null;
  const subjects = new Set(computed.target.members.map(({ subject }) => subject));
  const counted = verdicts(
    computed,
    log.rows.filter((row) => subjects.has(row.subject)),
    deps.now_ms,
  );
  const others = await uncounted(deps, subjects);
  const runs = [...counted, ...others].sort((a, b) => a.leaf_index - b.leaf_index);
  return runs.length === 0 ? null : { id: wanted, score: computed.score, runs };
}

type Row = Awaited<ReturnType<typeof auditLog>>['rows'][number];

function verdicts({ target, callers }: ComputedTarget, rows: readonly Row[], nowMs: number): ExplainedRun[] {
  const numbers = new Map([...callers.keys()].map((key, at) => [key, at + 1]));
  const runs = rows.map((row) => ({ row, counted: countedOf(row) }));
  const days = new Set<CountedRun>(
    oneADay(
      runs.flatMap(({ row, counted }) => (row.user_id === null || target.owners.has(row.user_id) ? [] : [counted])),
    ),
  );
  return runs.map(({ row, counted }) => {
    const caller = row.user_id === null ? undefined : callers.get(row.user_id);
    return {
      leaf_index: row.leaf_index,
      receipt_id: row.receipt_id,
      at: row.at,
      subject: row.subject,
      caller: row.user_id === null ? null : (numbers.get(row.user_id) ?? null),
      weight: caller === undefined ? null : Math.round(caller.weight * 1_000) / 1_000,
      verdict: verdictOf(
        row,
        { caller, is_of_day: days.has(counted), is_own: target.owners.has(row.user_id ?? '') },
        nowMs,
      ),
    };
  });
}

const countedOf = ({ user_id, at, outcome }: Row): CountedRun => ({
  caller: user_id ?? '',
  at_ms: Date.parse(at),
  completed: outcome === 'completed',
});

interface About {
  caller: Weighed | undefined;
  is_of_day: boolean;
  is_own: boolean;
}

function verdictOf({ caller: kind, at, outcome }: Row, { caller, is_of_day, is_own }: About, nowMs: number): string {
  const ageDays = (nowMs - Date.parse(at)) / DAY_MS;
  if (kind === 'service') return `${outcome}: check run of this service; counts for the level only`;
  if (is_own) return 'not counted: run by its publisher or a related account';
  if (ageDays > HISTORY_DAYS) return `not counted: older than ${HISTORY_DAYS} days`;
  if (kind === 'operator') return `${outcome}: from the command line; counts for the level only`;
  if (caller === undefined) return `${outcome}: deleted account; counts for the level only`;
  if (ageDays > WINDOW_DAYS) return `${outcome}: counts for the level only; older than ${WINDOW_DAYS} days`;
  if (!is_of_day) return 'not counted: superseded by a later run of the same account that day';
  const alone = independent([{ caller, mass: caller.weight }])[0] as number;
  const how =
    caller.cluster !== null
      ? ', together with related accounts'
      : caller.established
        ? ''
        : ', together with all accounts that are not established';
  return `${outcome}: counted with ${alone.toFixed(3)} at most${how}`;
}

/** Receipts that name it and do not count as runs. */
async function uncounted({ db }: AuditDeps, subjects: ReadonlySet<string>): Promise<ExplainedRun[]> {
  const found: ExplainedRun[] = [];
  for (let from = 0; ; ) {
    const page = await listedReceipts(db, from, 500);
    const last = page.at(-1);
    if (last === undefined) return found;
    for (const receipt of page) {
      const statement = statementIn(receipt);
      const why = runOfReceipt(statement);
      const { predicate } = statement;
      const listing = 'listing' in predicate ? predicate.listing : undefined;
      const name = statement.subject[0]?.name as string;
      const subject = listing === undefined ? name.slice(0, name.lastIndexOf('@')) : `listing/${listing.name}`;
      if (typeof why !== 'string' || !subjects.has(subject)) continue;
      const { leaf_index, id: receipt_id } = receipt;
      const at = isoTime(Date.parse(predicate.finished_at));
      found.push({ leaf_index, receipt_id, at, subject, caller: null, weight: null, verdict: WHY[why] ?? why });
    }
    from = last.leaf_index + 1;
  }
}
