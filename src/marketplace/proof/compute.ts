import { higherOf, LEVELS, type Level } from '#catalog/items/verification.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { CapabilityProofRow, ProofRunRow } from '#core/db/schema-proof.ts';
import { DAY_MS, HISTORY_DAYS } from './caller-weight.ts';
import { type Callers, hotScore, oneADay } from './hot-score.ts';
import { levelsOf, type Reached } from './level.ts';
import type { Score } from './scores.ts';
import type { Target, TargetMember } from './targets.ts';

/** Computes levels and score of a capability from its runs. Pure, so that an audit gets the same results as the service. */

export interface Computed {
  /** Null without recent runs. */
  score: Score | null;
  proofs: CapabilityProofRow[];
}

export interface AsOf {
  now_ms: number;
  log_size: number;
}

export const TREND_DAYS = 7;

/** `runs` are those of its listings within the validity of any level. */
export function compute(target: Target, runs: readonly ProofRunRow[], callers: Callers, as_of: AsOf): Computed {
  if (runs.length === 0) return { score: null, proofs: [] };
  const foreign = runs.filter((run) => !isNobodys(run) && (run.user_id === null || !target.owners.has(run.user_id)));
  const bySubject = Map.groupBy(foreign, (run) => run.subject);
  const members = target.members.map((member) => ({
    member,
    runs: bySubject.get(member.subject) ?? [],
    proofs: proofsOf(bySubject.get(member.subject) ?? [], callers, as_of.now_ms),
  }));
  return {
    proofs: members.flatMap(({ proofs }) => proofs),
    score: scoreOf(target, foreign, bestOf(members), callers, as_of),
  };
}

/** Deleted accounts do not count, because one could be the publisher's. */
const isNobodys = ({ caller, user_id }: ProofRunRow): boolean =>
  caller === 'nobody' || (caller === 'user' && user_id === null);

function proofsOf(runs: readonly ProofRunRow[], callers: Callers, nowMs: number): CapabilityProofRow[] {
  return [...Map.groupBy(runs, (run) => run.pin).values()].map((of): CapabilityProofRow => {
    const others = of.filter((proofRun) => proofRun.caller !== 'service');
    const checks = of.filter((proofRun) => proofRun.caller === 'service');
    const reached = levelsOf(
      others.map((run) => ({ ...timed(run), caller: run.user_id, is_operators: run.caller === 'operator' })),
      checks.map((check) => ({ ...timed(check), input_mac: check.input_mac, output_mac: check.output_mac })),
      callers,
      nowMs,
    );
    const last = of.reduce((a, b) => (b.leaf_index > a.leaf_index ? b : a));
    // Runs without a level are also shown while they count.
    const countedUntilMs = Date.parse(last.at) + HISTORY_DAYS * DAY_MS;
    const best = reached.at(-1) ?? { level: LEVELS[0], since_ms: Date.parse(last.at), expires_ms: countedUntilMs };
    return {
      subject: last.subject,
      pin: last.pin,
      version: last.version,
      level: best.level,
      reached_at: isoTime(best.since_ms),
      expires_at: isoTime(best.expires_ms),
      levels: JSON.stringify(reached.map(shownReached)),
      runs: of.length,
      completed: of.filter((run) => run.outcome === 'completed').length,
      callers: new Set(others.flatMap((run) => run.user_id ?? [])).size,
      last_run_at: last.at,
      last_receipt_id: last.receipt_id,
    };
  });
}

const shownReached = ({ level, since_ms, expires_ms }: Reached) => ({
  level,
  since: isoTime(since_ms),
  expires_at: isoTime(expires_ms),
});

const timed = ({ at, outcome }: ProofRunRow) => ({ at_ms: Date.parse(at), completed: outcome === 'completed' });

interface MemberProofs {
  member: TargetMember;
  runs: readonly ProofRunRow[];
  proofs: readonly CapabilityProofRow[];
}

/** The proof of the listing's current content. */
export function currentProof(
  { isCurrent }: TargetMember,
  proofs: readonly CapabilityProofRow[],
): CapabilityProofRow | null {
  const current = proofs.filter((proof) => isCurrent === null || isCurrent(proof));
  // If files changed under one version name, the last run has the current ones.
  return current.length === 0 ? null : current.reduce((a, b) => (b.last_run_at > a.last_run_at ? b : a));
}

/** The proof with the highest level among all listings. */
function bestOf(members: readonly MemberProofs[]): CapabilityProofRow | null {
  const proofs = members.flatMap(({ member, proofs }) => currentProof(member, proofs) ?? []);
  return proofs.length === 0
    ? null
    : proofs.reduce((a, b) =>
        a.level !== b.level && higherOf(a.level as Level, b.level as Level) === b.level ? b : a,
      );
}

function scoreOf(
  { id, members }: Target,
  foreign: readonly ProofRunRow[],
  best: CapabilityProofRow | null,
  callers: Callers,
  { now_ms, log_size }: AsOf,
): Score {
  const others = foreign.filter((proofRun) => proofRun.caller !== 'service');
  const hasLevel = best !== null && best.level !== LEVELS[0];
  const counted = others.flatMap((proofRun) =>
    proofRun.user_id === null ? [] : [{ ...timed(proofRun), caller: proofRun.user_id }],
  );
  const firstDay = Math.floor(now_ms / DAY_MS) - TREND_DAYS + 1;
  const lately = others.filter((proofRun) => Date.parse(proofRun.at) >= firstDay * DAY_MS);
  const trend = Array.from({ length: TREND_DAYS }, () => 0);
  for (const { at } of lately) {
    const day = Math.floor(Date.parse(at) / DAY_MS) - firstDay;
    if (day < TREND_DAYS) trend[day] = (trend[day] as number) + 1;
  }
  const good = lately.filter((proofRun) => proofRun.outcome === 'completed').length;
  return {
    id,
    level: (best?.level ?? LEVELS[0]) as Level,
    level_subject: best?.subject ?? (members[0]?.subject as string),
    reached_at: hasLevel ? best.reached_at : null,
    expires_at: hasLevel ? best.expires_at : null,
    hot_score: rounded(hotScore(oneADay(counted), callers, now_ms), 4),
    runs: lately.length,
    success_rate: lately.length === 0 ? 0 : rounded(good / lately.length, 4),
    callers: new Set(lately.flatMap((proofRun) => proofRun.user_id ?? [])).size,
    trend,
    log_size,
    computed_at: isoTime(now_ms),
  };
}

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
