import { cpuTimeOf } from './cpu-time.ts';

/** Finds the texts for which a reader takes longer per character the longer the text is. */

/** Characters of the shorter text; the longer one is four times as long. */
const SHORT = 4_000;
const LONG = 4 * SHORT;
/** What grows faster than any power shows here, before it would take for ever. */
const FIRST = [20, 24];
const FIRST_MS = 20;
/** Linear is 4, quadratic is 16. */
const MOST_GROWTH = 9;
const CLEARLY_LINEAR = 6;
const MOST_ROUNDS = 8;
const MOST_SPENT_MS = 250;
/** Below this nothing grows that matters, and clocks are too coarse to tell. */
const NO_MATTER_MS = 6;
const LONGEST = 1024 * 1024;
const MEASURED_MS = 25;
/** Each slow text costs time, and the first ones say where to look. */
const MOST_TOLD = 2;

export type Pump = (length: number) => string;

/** Each alone and each pair of them, repeated, with an end and without. */
export const pumpsOf = (pieces: readonly string[]): Pump[] =>
  pieces.flatMap((one) => ['', ...pieces].flatMap((other) => ['', '!\n'].map((end) => pumpOf(one + other, { end }))));

export const pumpOf =
  (piece: string, { start = '', end = '' } = {}): Pump =>
  (length) =>
    start + piece.repeat(Math.ceil(length / piece.length)) + end;

/** What was slow, each as one line; empty where the time of every text grows with its length alone. */
export function growing(read: (text: string) => unknown, pumps: readonly Pump[], most = MOST_TOLD): string[] {
  const found: string[] = [];
  for (const pump of pumps) {
    const fault = faultOf(read, pump);
    if (fault !== null) found.push(`${fault}: ${JSON.stringify(pump(24).slice(0, 60))}`);
    if (found.length === most) break;
  }
  return found;
}

const onceTimeOf = (act: () => unknown): number => cpuTimeOf(act, Number.MAX_VALUE);

function faultOf(read: (text: string) => unknown, pump: Pump): string | null {
  for (const length of FIRST) {
    const ms = cpuTimeOf(() => read(pump(length)), FIRST_MS);
    if (ms > FIRST_MS) return `${Math.round(ms)} ms for ${length} characters`;
  }
  // A quadratic one shows at the shorter text already, where it costs little to find.
  const firstMs = cpuTimeOf(() => read(pump(SHORT)), NO_MATTER_MS / 8);
  if (firstMs <= NO_MATTER_MS / 8) return null;
  for (let length = LONG; length <= LONGEST; length *= 4) {
    const longMs = onceTimeOf(() => read(pump(length)));
    if (longMs <= NO_MATTER_MS) return null;
    // Compiling and collecting garbage disturb what is shorter.
    if (longMs < MEASURED_MS) continue;
    const { growth, least_ms } = growthOf(read, pump(length), pump(length / 4), longMs);
    if (growth <= MOST_GROWTH) return null;
    return `${growth.toFixed(1)} times for four times the text (${Math.round(least_ms)} ms for ${length} characters)`;
  }
  return null;
}

/**
 * How many times longer the long text takes than the short one. A busy machine only makes either slower, and collecting garbage may
 * fall on either, so each counts with the least of several rounds. What takes long is disturbed less and needs fewer.
 */
function growthOf(read: (text: string) => unknown, long: string, short: string, firstMs: number) {
  let leastMs = firstMs;
  let shortMs = Number.POSITIVE_INFINITY;
  for (let spentMs = firstMs, round = 0; ; round++) {
    for (let twice = 0; twice < 2; twice++)
      shortMs = Math.min(
        shortMs,
        onceTimeOf(() => read(short)),
      );
    if (leastMs <= CLEARLY_LINEAR * shortMs || round === MOST_ROUNDS || (round > 0 && spentMs > MOST_SPENT_MS)) break;
    const longMs = onceTimeOf(() => read(long));
    leastMs = Math.min(leastMs, longMs);
    spentMs += longMs;
  }
  return { growth: leastMs / shortMs, least_ms: leastMs };
}
