import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Precision and recall of pairs that are in one group, against the labels. */

interface Pair {
  a: [string, string];
  b: [string, string];
  same: boolean;
  kind: string;
}
interface Stratum {
  kind: string;
  providers: [string, string];
  candidates: number;
  judged: number;
  different: number;
  left_out: number;
}

const { pairs, strata } = JSON.parse(readFileSync(new URL('../identity-pairs.json', import.meta.url), 'utf8')) as {
  pairs: Pair[];
  strata: Stratum[];
};

const nameOf = (pair: Pair): string => [pair.a.join(' '), pair.b.join(' ')].sort().join('\n');

/** Half of the pairs by a hash of them: rules were made looking at the one, and not at the other. */
const isHeldOut = (pair: Pair): boolean => hash('sha256', nameOf(pair), 'hex').charCodeAt(0) % 2 === 0;

export function measure(areOne: (a: string, b: string) => boolean): Record<string, Record<string, number>> {
  const rows: Record<string, Record<string, number>> = {};
  const add = (name: string, some: Pair[], weightOf?: (pair: Pair) => number) => {
    rows[name] = rowOf(some, areOne, weightOf);
  };
  add('all', pairs);
  add(
    'made with',
    pairs.filter((pair) => !isHeldOut(pair)),
  );
  add('held out', pairs.filter(isHeldOut));
  const across = pairs.filter(({ a, b }) => a[0] !== b[0]);
  add('across providers', across);
  add('all, weighted', pairs, weightIn);
  add('across providers, weighted', across, weightIn);
  for (const [kind, some] of Map.groupBy(pairs, (pair) => pair.kind)) add(kind, some);
  return rows;
}

function rowOf(some: readonly Pair[], areOne: (a: string, b: string) => boolean, weightOf = (_: Pair) => 1) {
  let [right, wrong, missed] = [0, 0, 0];
  for (const pair of some) {
    const isOne = areOne(pair.a.join(' '), pair.b.join(' '));
    if (isOne && pair.same) right += weightOf(pair);
    else if (isOne) wrong += weightOf(pair);
    else if (pair.same) missed += weightOf(pair);
  }
  const share = (part: number, of: number) => (of === 0 ? Number.NaN : Number((part / of).toFixed(3)));
  const row = { pairs: some.length, right, wrong, missed };
  for (const key of ['right', 'wrong', 'missed'] as const) row[key] = Math.round(row[key]);
  return { ...row, precision: share(right, right + wrong), recall: share(right, right + missed) };
}

/** As `about.weights` of the file says. */
function weightIn(pair: Pair): number {
  const providers = [pair.a[0], pair.b[0]].sort().join();
  const of = strata.find(({ kind, providers: both }) => kind === pair.kind && [...both].sort().join() === providers);
  if (of === undefined) return 1;
  const weight = of.candidates / of.judged;
  return pair.same ? weight : (weight * (of.different + of.left_out)) / of.different;
}
