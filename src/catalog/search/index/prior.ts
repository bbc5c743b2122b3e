import { LEVELS } from '#catalog/items/verification.ts';
import type { CapabilityDocument, ShownCapability } from './document.ts';

/**
 * How good a capability is likely to be, before anybody asks: proof first, then how much it is used. Providers count in
 * their own ways, so a number is turned into its place among those of the same provider.
 */
export interface Used extends Pick<CapabilityDocument, 'used'> {
  /** Its place in LEVELS. */
  level: number;
  hot_score: number | null;
}

export interface Quantiles {
  /** By `provider downloads` and `provider stars`: the numbers above 0 at each hundredth, ascending. */
  steps: ReadonlyMap<string, Float64Array>;
}

export function quantilesOf(documents: Iterable<Pick<Used, 'used'>>): Quantiles {
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

/** The share of its provider's that are used less, from 0 to 1; 0 where nothing was counted. */
function placeOf({ steps }: Quantiles, key: string, value: number): number {
  const known = steps.get(key);
  if (known === undefined || value <= 0) return 0;
  let below = 0;
  while (below < known.length && (known[below] as number) < value) below++;
  return below / STEPS;
}

/** From 0 to 255. */
export function priorOf({ used, level, hot_score }: Used, quantiles: Quantiles): number {
  const places = used.map(({ provider, downloads, stars }) =>
    Math.max(
      placeOf(quantiles, `${provider} downloads`, downloads),
      STARS * placeOf(quantiles, `${provider} stars`, stars),
    ),
  );
  const proof = level / (LEVELS.length - 1);
  const hot = hot_score === null ? 0 : hot_score / (1 + hot_score);
  return Math.round(255 * Math.min(1, PROOF * Math.max(proof, hot) + (1 - PROOF) * Math.max(0, ...places)));
}

/** A repository's stars are for all that is in it. */
const STARS = 0.8;
/** Runs that happened say more than numbers that are told. */
const PROOF = 0.5;

/** Copies are told by their author and the text that describes them. */
export const textKey = ({ author, description }: Pick<ShownCapability, 'author' | 'description'>): string | null =>
  description.length < LEAST_TEXT ? null : `${author}\n${description.slice(0, MOST_TEXT)}`;

const LEAST_TEXT = 20;
const MOST_TEXT = 400;
