import { DAY_MS, type Weighed } from './caller-weight.ts';

/**
 * Hot = Wilson lower bound of success × Σ over callers of weight · 2^(−age / 3 d) × surge over a 28-day baseline, with a limited
 * rise per hour. A function of the runs alone, so it can be recomputed for any time.
 */

/** At most one per caller and UTC day. */
export interface CountedRun {
  caller: string;
  at_ms: number;
  completed: boolean;
}

export type Callers = ReadonlyMap<string, Weighed>;

const HALF_LIFE_DAYS = 3;
const RECENT_DAYS = 3;
const BASELINE_DAYS = 28;
/** Older runs do not count. */
export const WINDOW_DAYS = RECENT_DAYS + BASELINE_DAYS;
const Z = 1.96;
/** Smaller weights count as 0, because their squares underflow. */
const NOTHING = 1e-9;
/** Upper limit for all new accounts together, in callers of full weight. */
const YOUNG_MOST = 1.5;
/** Upper limit for all accounts of one cluster. */
const CLUSTER_MOST = 1;
/** Fewer independent callers give no score, so neither two accounts nor any number of new ones can create one. */
const LEAST_INDEPENDENT = 3;
const SURGE = { least: 0.5, most: 2 };
const RISE_PER_HOUR = 1;
const HOURS_BACK = 72;
const HOUR_MS = 3_600_000;

/** Grows with `sum` but never reaches `most`: the first callers count almost fully, later ones less and less. */
export const bounded = (sum: number, most: number): number => most * (1 - Math.exp(-sum / most));

/** The combined mass of the accounts of one cluster. */
export const clusterMass = (sum: number): number => bounded(sum, CLUSTER_MOST);

interface Part {
  caller: Weighed;
  mass: number;
}

/** The remaining mass of each part after limiting clusters and new accounts. */
export function independent(parts: readonly Part[]): number[] {
  const clusters = new Map<string, number>();
  for (const { caller, mass } of parts) add(clusters, clusterKey(caller), mass);
  const kept = (caller: Weighed): number => {
    const sum = clusters.get(clusterKey(caller)) as number;
    return caller.cluster === null || sum === 0 ? 1 : clusterMass(sum) / sum;
  };
  const inside = parts.map(({ caller, mass }) => mass * kept(caller));
  const young = sum(parts.map(({ caller }, at) => (caller.established ? 0 : (inside[at] as number))));
  const ofYoung = young === 0 ? 1 : bounded(young, YOUNG_MOST) / young;
  return parts.map(({ caller }, at) => (inside[at] as number) * (caller.established ? 1 : ofYoung));
}

const clusterKey = ({ cluster, established }: Weighed): string => `${established} ${cluster}`;
const add = <K>(map: Map<K, number>, key: K, by: number) => map.set(key, (map.get(key) ?? 0) + by);
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Lower bound of the 95 % interval for the share of `good`. Both counts may be fractional. */
export function wilson(good: number, bad: number): number {
  const n = good + bad;
  if (n < NOTHING) return 0;
  const share = good / n;
  const spread = Z * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  return Math.max(0, (share + (Z * Z) / (2 * n) - spread) / (1 + (Z * Z) / n));
}

/** The score of the runs that ended by `now_ms`, without the limit per hour. */
export function rawScore(runs: readonly CountedRun[], callers: Callers, now_ms: number): number {
  const from = now_ms - WINDOW_DAYS * DAY_MS;
  const seen = runs.filter((run) => run.at_ms <= now_ms && run.at_ms > from && callers.has(run.caller));
  if (independentCallers(seen, callers) < LEAST_INDEPENDENT) return 0;
  return successOf(seen, callers) * presence(seen, callers, now_ms) * surge(seen, callers, now_ms);
}

/** Number of established callers with a successful run; a cluster counts once. */
function independentCallers(runs: readonly CountedRun[], callers: Callers): number {
  const found = new Set<string>();
  for (const { caller, completed } of runs) {
    const { established, cluster } = callers.get(caller) as Weighed;
    if (completed && established) found.add(cluster === null ? `account ${caller}` : `cluster ${cluster}`);
  }
  return found.size;
}

/** Each caller has one vote, split by the results of its runs, so frequent runs do not outvote others. */
function successOf(runs: readonly CountedRun[], callers: Callers): number {
  const votes = new Map<string, { all: number; good: number }>();
  for (const { caller, completed } of runs) {
    const vote = votes.get(caller) ?? { all: 0, good: 0 };
    votes.set(caller, { all: vote.all + 1, good: vote.good + Number(completed) });
  }
  const parts = [...votes].map(([name, vote]) => {
    const caller = callers.get(name) as Weighed;
    return { caller, mass: caller.weight, good: vote.good / vote.all };
  });
  const masses = independent(parts);
  const good = sum(parts.map((part, at) => (masses[at] as number) * part.good));
  return wilson(good, sum(masses) - good);
}

/** Sum over callers with successful runs, by weight and age. */
function presence(runs: readonly CountedRun[], callers: Callers, nowMs: number): number {
  const newest = new Map<string, number>();
  for (const { caller, completed, at_ms } of runs)
    if (completed) newest.set(caller, Math.max(at_ms, newest.get(caller) ?? 0));
  return massOf(newest, callers, (atMs) => 2 ** (-(nowMs - atMs) / (HALF_LIFE_DAYS * DAY_MS)));
}

const massOf = (of: ReadonlyMap<string, number>, callers: Callers, part: (atMs: number) => number): number =>
  sum(
    independent(
      [...of].map(([name, atMs]) => {
        const caller = callers.get(name) as Weighed;
        return { caller, mass: caller.weight * part(atMs) };
      }),
    ),
  );

/** Recent daily activity relative to the four weeks before. One caller of full weight per day is added to both. */
function surge(runs: readonly CountedRun[], callers: Callers, nowMs: number): number {
  const days = new Map<number, Map<string, number>>();
  for (const { caller, completed, at_ms } of runs) {
    if (!completed) continue;
    const back = Math.floor((nowMs - at_ms) / DAY_MS);
    const day = days.get(back) ?? new Map<string, number>();
    days.set(back, day.set(caller, at_ms));
  }
  let recent = 0;
  let before = 0;
  for (const [back, day] of days) {
    const mass = massOf(day, callers, () => 1);
    if (back < RECENT_DAYS) recent += mass / RECENT_DAYS;
    else before += mass / BASELINE_DAYS;
  }
  return Math.min(SURGE.most, Math.max(SURGE.least, (recent + 1) / (before + 1)));
}

/** The shown score: a rise of more than `RISE_PER_HOUR` is spread over the following hours. */
export function hotScore(runs: readonly CountedRun[], callers: Callers, now_ms: number): number {
  let least = rawScore(runs, callers, now_ms);
  for (let hours = 1; hours <= HOURS_BACK && hours * RISE_PER_HOUR < least; hours++)
    least = Math.min(least, rawScore(runs, callers, now_ms - hours * HOUR_MS) + hours * RISE_PER_HOUR);
  return least;
}

/** Keeps the last run of each caller and UTC day. */
export function oneADay(runs: readonly CountedRun[]): CountedRun[] {
  const last = new Map<string, CountedRun>();
  for (const run of runs) {
    const key = `${Math.floor(run.at_ms / DAY_MS)} ${run.caller}`;
    const known = last.get(key);
    if (known === undefined || run.at_ms >= known.at_ms) last.set(key, run);
  }
  return [...last.values()];
}
