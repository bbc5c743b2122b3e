import { readFileSync } from 'node:fs';
import { FEATURE_COUNT, FEATURES, type Feature } from './order-features.ts';

/** The learned weights of order-weights.json: of each feature for all queries, and what single words and long queries add. */
export interface OrderWeights {
  about: string;
  weights: Partial<Record<Feature, { always: number; one_word?: number; long?: number }>>;
}

/** From this many telling words on, a query is long. */
export const LONG_QUERY = 4;

let table: { one: Float64Array; few: Float64Array; long: Float64Array } | undefined;

function readTable() {
  const { weights } = JSON.parse(
    readFileSync(new URL('./order-weights.json', import.meta.url), 'utf8'),
  ) as OrderWeights;
  return tableOf(weights);
}

function tableOf(weights: OrderWeights['weights']) {
  const of = (more: 'one_word' | 'long' | null): Float64Array =>
    Float64Array.from(FEATURES, (feature) => {
      const known = weights[feature];
      return known === undefined ? 0 : known.always + (more === null ? 0 : (known[more] ?? 0));
    });
  return { one: of('one_word'), few: of(null), long: of('long') };
}

/** For experiments: uses these weights from now on. */
export function useWeights(weights: OrderWeights['weights'] | null): void {
  table = weights === null ? undefined : tableOf(weights);
}

/** Writes the weights for a query of so many groups to `out`, times `factor`. */
export function readWeights(groups: number, factor: number, out: Float64Array): void {
  table ??= readTable();
  const from = groups <= 1 ? table.one : groups >= LONG_QUERY ? table.long : table.few;
  for (let f = 0; f < FEATURE_COUNT; f++) out[f] = (from[f] as number) * factor;
}
