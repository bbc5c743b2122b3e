import { LEVELS } from '#catalog/items/verification.ts';
import type { CapabilityDocument, ShownCapability } from './document.ts';

/**
 * How good a capability is likely to be, whatever the query: proof and popularity. Providers count downloads differently, so a number
 * becomes its quantile among those of the same provider.
 */
export interface PriorInputs extends Pick<CapabilityDocument, 'used'> {
  /** Index in LEVELS. */
  level: number;
  hot_score: number | null;
}

export interface Quantiles {
  /** By `provider downloads` and `provider stars`: the hundredths of the numbers above 0, ascending. */
  steps: ReadonlyMap<string, Float64Array>;
}

export function quantilesOf(documents: Iterable<Pick<PriorInputs, 'used'>>): Quantiles {
  const numbers = new Map<string, number[]>();
  for (const { used } of documents)
    for (const { provider, downloads, stars } of used)
      for (const [key, value] of [
        [`${provider} downloads`, downloads],
        [`${provider} stars`, stars],
      ] as const) {
        if (value <= 0) continue;
        const known = numbers.get(key);
        if (known === undefined) numbers.set(key, [value]);
        else known.push(value);
      }
  return { steps: new Map([...numbers].map(([key, values]) => [key, stepsOf(values)])) };
}

const STEPS = 100;

function stepsOf(values: number[]): Float64Array {
  const sorted = Float64Array.from(values).sort();
  return Float64Array.from({ length: STEPS }, (_, i) => sorted[Math.floor((i * sorted.length) / STEPS)] as number);
}

/** The share of the provider's listings that have less, from 0 to 1. 0 if the provider does not count. */
export function quantileOf({ steps }: Quantiles, key: string, value: number): number {
  const known = steps.get(key);
  if (known === undefined || value <= 0) return 0;
  let below = 0;
  while (below < known.length && (known[below] as number) < value) below++;
  return below / STEPS;
}

/** From 0 to 255. */
export function priorOf({ used, level, hot_score }: PriorInputs, quantiles: Quantiles): number {
  const popularity = used.map(({ provider, downloads, stars }) =>
    Math.max(
      quantileOf(quantiles, `${provider} downloads`, downloads),
      STARS * quantileOf(quantiles, `${provider} stars`, stars),
    ),
  );
  const proof = level / (LEVELS.length - 1);
  const hot = hot_score === null ? 0 : hot_score / (1 + hot_score);
  return Math.round(255 * Math.min(1, PROOF * Math.max(proof, hot) + (1 - PROOF) * Math.max(0, ...popularity)));
}

/** Stars count less, because they are for everything in a repository. */
const STARS = 0.8;
/** Runs that took place here count as much as the numbers that providers report. */
const PROOF = 0.5;

/** The same for copies: the same author and the same beginning of the description. Null if that is too short to tell. */
export const copyKey = ({ author, description }: Pick<ShownCapability, 'author' | 'description'>): string | null =>
  description.length < LEAST_TEXT ? null : `${author}\n${description.slice(0, MOST_TEXT)}`;

const LEAST_TEXT = 20;
const MOST_TEXT = 400;
