import type { Level } from '#catalog/items/verification.ts';
import { DAY_MS, type Weighed } from './caller-weight.ts';
import { type Callers, clusterMass } from './hot-score.ts';

/** The levels that the runs of one version reach, with start and expiry. Pure. */

export interface LevelRun {
  at_ms: number;
  completed: boolean;
  /** The account; null if unknown. */
  caller: string | null;
  /** Whether it was run from the service's command line. */
  is_operators?: boolean;
}

/** A check run of the service. Runs of one round share a key, so that equal inputs and outputs have equal MACs. */
interface CheckRun {
  at_ms: number;
  completed: boolean;
  input_mac: string;
  output_mac: string;
}

export interface Reached {
  level: Level;
  since_ms: number;
  expires_ms: number;
}

const HOLDS_DAYS = { ran: 90, reproduced: 30, used: 30 } as const;
/** Required number and weight of independent established callers; a cluster counts once. */
interface Enough {
  callers: number;
  /** Total weight. */
  weight: number;
}
const RAN: Enough = { callers: 3, weight: 1 };
const USED: Enough = { callers: 5, weight: 3 };
/** Maximum time between the runs of one round of checks. */
const ROUND_MS = 3_600_000;

/** Lowest level first. Expects runs without those of the publisher. */
export function levelsOf(
  runs: readonly LevelRun[],
  checks: readonly CheckRun[],
  callers: Callers,
  now_ms: number,
): Reached[] {
  const found = [
    ranOf(runs, checks, callers, now_ms),
    reproducedOf(checks, now_ms),
    byCallers('used', USED, runs, callers, now_ms),
  ];
  return found.filter((level) => level !== null);
}

/** One run of the service or its operator is enough; otherwise several independent callers are required. */
function ranOf(
  runs: readonly LevelRun[],
  checks: readonly CheckRun[],
  callers: Callers,
  nowMs: number,
): Reached | null {
  const trusted = [
    ...within(checks, HOLDS_DAYS.ran, nowMs),
    ...within(runs, HOLDS_DAYS.ran, nowMs).filter(isOperators),
  ];
  const times = trusted.map(({ at_ms }) => at_ms);
  const byService = times.length === 0 ? null : reached('ran', leastOf(times), mostOf(times));
  const callersProof = byCallers('ran', RAN, runs, callers, nowMs);
  if (byService === null || callersProof === null) return byService ?? callersProof;
  return {
    level: 'ran',
    since_ms: Math.min(byService.since_ms, callersProof.since_ms),
    expires_ms: Math.max(byService.expires_ms, callersProof.expires_ms),
  };
}

const isOperators = (run: { is_operators?: boolean }): boolean => run.is_operators === true;

// No spread, because there may be more items than a call accepts as arguments.
const leastOf = (times: readonly number[]): number => times.reduce((a, b) => Math.min(a, b));
const mostOf = (times: readonly number[]): number => times.reduce((a, b) => Math.max(a, b));

const reached = (level: keyof typeof HOLDS_DAYS, since_ms: number, lastMs: number): Reached => ({
  level,
  since_ms,
  expires_ms: lastMs + HOLDS_DAYS[level] * DAY_MS,
});

const within = <R extends { at_ms: number; completed: boolean }>(
  runs: readonly R[],
  days: number,
  nowMs: number,
): R[] => runs.filter((run) => run.completed && run.at_ms <= nowMs && run.at_ms > nowMs - days * DAY_MS);

/** One input gave the same output twice, and another input of the same round completed, too. */
function reproducedOf(checks: readonly CheckRun[], nowMs: number): Reached | null {
  const good = within(checks, HOLDS_DAYS.reproduced, nowMs).sort((a, b) => a.at_ms - b.at_ms);
  const rounds = good.flatMap((run, at) => {
    const same = good
      .slice(0, at)
      .find((checkRun) => checkRun.input_mac === run.input_mac && checkRun.output_mac === run.output_mac);
    const other = good.find(
      (checkRun) => checkRun.input_mac !== run.input_mac && Math.abs(checkRun.at_ms - run.at_ms) <= ROUND_MS,
    );
    return same === undefined || other === undefined ? [] : [Math.max(run.at_ms, other.at_ms)];
  });
  return rounds.length === 0 ? null : reached('reproduced', leastOf(rounds), mostOf(rounds));
}

/** A level by runs of enough independent callers. */
function byCallers(
  level: 'ran' | 'used',
  enough: Enough,
  runs: readonly LevelRun[],
  callers: Callers,
  nowMs: number,
): Reached | null {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  for (const { caller, at_ms } of within(runs, HOLDS_DAYS[level], nowMs)) {
    if (caller === null || callers.get(caller)?.established !== true) continue;
    first.set(caller, Math.min(at_ms, first.get(caller) ?? at_ms));
    last.set(caller, Math.max(at_ms, last.get(caller) ?? at_ms));
  }
  const sinceMs = enoughAt(
    [...first].sort((a, b) => a[1] - b[1]),
    callers,
    enough,
  );
  const lostWith = enoughAt(
    [...last].sort((a, b) => b[1] - a[1]),
    callers,
    enough,
  );
  return sinceMs === null || lostWith === null ? null : reached(level, sinceMs, lostWith);
}

/** The time of the caller, in this order, with whom there are enough; null if there never are. */
function enoughAt(
  times: readonly (readonly [string, number])[],
  callers: Callers,
  { callers: least, weight: leastWeight }: Enough,
): number | null {
  const clusters = new Map<string, number>();
  let alone = 0;
  let weight = 0;
  for (const [name, atMs] of times) {
    const caller = callers.get(name) as Weighed;
    if (caller.cluster === null) {
      alone++;
      weight += caller.weight;
    } else {
      const mass = clusters.get(caller.cluster) ?? 0;
      clusters.set(caller.cluster, mass + caller.weight);
      weight += clusterMass(mass + caller.weight) - clusterMass(mass);
    }
    if (alone + clusters.size >= least && weight >= leastWeight) return atMs;
  }
  return null;
}
