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

const nameOf = (it: Pair): string => [it.a.join(' '), it.b.join(' ')].sort().join('\n');

/** Half of the pairs by a hash of them: rules were made looking at the one, and not at the other. */
const isHeldOut = (it: Pair): boolean => hash('sha256', nameOf(it), 'hex').charCodeAt(0) % 2 === 0;

export function measure(areOne: (a: string, b: string) => boolean): Record<string, Record<string, number>> {
  const rows: Record<string, Record<string, number>> = {};
  const add = (name: string, some: Pair[], weightOf?: (it: Pair) => number) => {
    rows[name] = rowOf(some, areOne, weightOf);
  };
  add('all', pairs);
  add(
    'made with',
    pairs.filter((it) => !isHeldOut(it)),
  );
  add('held out', pairs.filter(isHeldOut));
  const across = pairs.filter(({ a, b }) => a[0] !== b[0]);
  add('across providers', across);
  add('all, weighted', pairs, weightIn);
  add('across providers, weighted', across, weightIn);
  for (const [kind, some] of Map.groupBy(pairs, (it) => it.kind)) add(kind, some);
  return rows;
}

function rowOf(some: readonly Pair[], areOne: (a: string, b: string) => boolean, weightOf = (_: Pair) => 1) {
  let [right, wrong, missed] = [0, 0, 0];
  for (const it of some) {
    const is_one = areOne(it.a.join(' '), it.b.join(' '));
    if (is_one && it.same) right += weightOf(it);
    else if (is_one) wrong += weightOf(it);
    else if (it.same) missed += weightOf(it);
  }
  const share = (part: number, of: number) => (of === 0 ? Number.NaN : Number((part / of).toFixed(3)));
  const row = { pairs: some.length, right, wrong, missed };
  for (const key of ['right', 'wrong', 'missed'] as const) row[key] = Math.round(row[key]);
  return { ...row, precision: share(right, right + wrong), recall: share(right, right + missed) };
}

/** As `about.weights` of the file says. */
function weightIn(it: Pair): number {
  const providers = [it.a[0], it.b[0]].sort().join();
  const of = strata.find(({ kind, providers: both }) => kind === it.kind && [...both].sort().join() === providers);
  if (of === undefined) return 1;
  const weight = of.candidates / of.judged;
  return it.same ? weight : (weight * (of.different + of.left_out)) / of.different;
}
