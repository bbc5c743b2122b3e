import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProofRunRow } from '#core/db/schema-proof.ts';
import type { PublishedKey } from '#runtime/receipts/receipt-keys.ts';
import { auditLog } from './audit-log.ts';
import { DAY_MS, HISTORY_DAYS } from './caller-weight.ts';
import { readMark } from './marks.ts';
import { proofsOf, sameRow } from './proofs.ts';
import { computeAll } from './recompute.ts';
import { eachRun } from './runs.ts';
import { pageOfScores, type Score } from './scores.ts';
import { memorySource, type RunSource } from './source.ts';
import { idsOfSubjects, type OwnersOf } from './targets.ts';
import type { Commitment } from './whose-run.ts';

/** Recomputes every level and score from the receipts log alone, and reports differences from the stored values. */

export interface AuditDeps {
  db: Kysely<Schema>;
  reader: Pick<Connection, 'query'>;
  ownersOf: OwnersOf;
  commitment: Commitment;
  keys: readonly PublishedKey[];
  now_ms: number;
}

interface RankingAudit {
  entries: number;
  /** Differences in the log, runs, levels and scores, one sentence each. */
  differences: string[];
  /** Differences from recently changed or deleted accounts, which are recomputed within the hour. */
  waiting: string[];
  capabilities: number;
}

const A_PAGE = 100;
/** An hour and some time for the computation. */
const AN_HOUR_MS = 65 * 60_000;

export async function auditRanking(deps: AuditDeps): Promise<RankingAudit> {
  const { db, reader, now_ms } = deps;
  const log = await auditLog(deps);
  const mark = await readMark(db, 'proof_receipts');
  const followed = log.rows.filter((row) => row.leaf_index < mark);
  const differences = [...log.faults, ...(await runDifferences(db, followed, now_ms))];
  const waiting: string[] = [];
  const seen = new Set<string>();
  const source = memorySource(log.rows);
  for (let after = ''; ; ) {
    const stored = await pageOfScores(db, after, A_PAGE);
    const last = stored.at(-1);
    if (last === undefined) break;
    after = last.id;
    for (const score of stored) {
      seen.add(score.id);
      const found = await scoreDifferences(deps, source, score);
      (found.is_waiting ? waiting : differences).push(...found.differences);
    }
  }
  const from = isoTime(now_ms - HISTORY_DAYS * DAY_MS);
  const ran = new Set(followed.filter((row) => row.at > from).map(({ subject }) => subject));
  const ids = await idsOfSubjects(reader, [...ran]);
  for (const id of await missing(
    deps,
    source,
    ids.filter((id) => !seen.has(id)),
    mark,
  ))
    differences.push(`${id}: has receipts but no score.`);
  return { entries: log.size, differences, waiting, capabilities: seen.size };
}

/** The table of runs is a copy of the log, so any difference is tampering. */
async function runDifferences(db: Kysely<Schema>, rows: readonly ProofRunRow[], nowMs: number): Promise<string[]> {
  const from = isoTime(nowMs - HISTORY_DAYS * DAY_MS);
  const expected = new Map(rows.filter((row) => row.at > from).map((row) => [row.leaf_index, row]));
  const found: string[] = [];
  for await (const row of eachRun(db, from)) {
    const proofRun = expected.get(row.leaf_index);
    expected.delete(row.leaf_index);
    if (proofRun === undefined) found.push(`Run ${row.leaf_index} of ${row.subject} has no receipt.`);
    else if (textOf(proofRun) !== textOf(row))
      found.push(`Run ${row.leaf_index} of ${row.subject} does not match its receipt.`);
  }
  for (const { leaf_index, subject } of expected.values())
    found.push(`Run ${leaf_index} of ${subject} has a receipt but is not counted.`);
  return found;
}

const textOf = ({ caller: _, ...row }: ProofRunRow): string =>
  JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));

const NUMBERS = [
  'level',
  'level_subject',
  'reached_at',
  'expires_at',
  'hot_score',
  'runs',
  'success_rate',
  'callers',
] as const;

async function scoreDifferences(deps: AuditDeps, source: RunSource, stored: Score) {
  const now_ms = Date.parse(stored.computed_at);
  const asOf = { now_ms, log_size: stored.log_size };
  const [computed] = await computeAll({ ...deps, source }, [stored.id], asOf);
  if (computed === undefined || computed.score === null)
    return { is_waiting: false, differences: [`${stored.id}: has a score but no receipts.`] };
  const { score, target, proofs } = computed;
  const differences = NUMBERS.filter((name) => String(stored[name]) !== String(score[name])).map(
    (name) => `${stored.id}: ${name} is ${stored[name]}, but the receipts give ${score[name]}.`,
  );
  if (JSON.stringify(stored.trend) !== JSON.stringify(score.trend)) differences.push(`${stored.id}: trend differs.`);
  const kept = await proofsOf(
    deps.db,
    target.members.map(({ subject }) => subject),
  );
  const same =
    kept.length === proofs.length &&
    proofs.every((proof) => kept.some((row) => row.pin === proof.pin && sameRow(row, proof)));
  if (!same) differences.push(`${stored.id}: version levels do not match the receipts.`);
  const ran = await source.runsOf(
    target.members.map(({ subject }) => subject),
    '',
    stored.log_size,
  );
  const isNew = deps.now_ms - now_ms <= AN_HOUR_MS;
  const is_waiting = differences.length > 0 && isNew && (await changedSince(deps.db, ran, stored.computed_at));
  return { differences, is_waiting };
}

/** Whether an account that ran it has since been changed or deleted, or has signed in from a new network. */
async function changedSince(db: Kysely<Schema>, ran: readonly ProofRunRow[], since: string): Promise<boolean> {
  if (ran.some((proofRun) => proofRun.caller === 'nobody')) return true;
  const ids = [...new Set(ran.flatMap((proofRun) => proofRun.user_id ?? []))];
  for (let at = 0; at < ids.length; at += 500) {
    const changed = await db
      .selectFrom('users')
      .select('id')
      .where('id', 'in', ids.slice(at, at + 500))
      .where('updated_at', '>', since)
      .limit(1)
      .execute();
    const signedIn = await db
      .selectFrom('account_networks')
      .select('user_id')
      .where('user_id', 'in', ids.slice(at, at + 500))
      .where('first_seen_at', '>', since)
      .limit(1)
      .execute();
    if (changed.length + signedIn.length > 0) return true;
  }
  return false;
}

async function missing(
  deps: AuditDeps,
  source: RunSource,
  ids: readonly string[],
  log_size: number,
): Promise<string[]> {
  const computed = await computeAll({ ...deps, source }, ids, { now_ms: deps.now_ms, log_size });
  return computed.flatMap(({ score, target }) => (score === null ? [] : [target.id]));
}
