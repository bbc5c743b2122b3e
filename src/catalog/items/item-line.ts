import type { CarriedDetails } from '#catalog/details/carried-details.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { factsIn } from './facts.ts';
import type { Listing } from './item.ts';
import { extrasOf, itemOf } from './listing-row.ts';
import type { TakenDown } from './taken-down.ts';
import { verdictsIn } from './verdicts.ts';

/** An import skips longer lines. */
export const MAX_LINE_BYTES = 4 * 1_048_576;

/** A listing as a line of NDJSON, as `export` writes and `import` reads it. Empty extras are omitted. */
export function lineOf(row: ListingRow, readme = '', details?: CarriedDetails): string {
  const { license, repository, install, manifest, reported } = extrasOf(row);
  return `${JSON.stringify({
    ...itemOf(row),
    ...defined({
      license: license || undefined,
      repository: repository || undefined,
      install: install ?? undefined,
      manifest: manifest ?? undefined,
      reported: isGuess(reported, row) ? undefined : reported,
      verdicts: row.verdicts == null ? undefined : verdictsIn(row.verdicts),
      facts: row.facts == null ? undefined : factsIn(row.facts),
      readme: readme || undefined,
      details,
    }),
  })}\n`;
}

/** A removed listing in a delta. For a takedown it includes the kind of reason, so that mirrors can follow. */
export const tombstoneLine = ({ provider_id, external_id, removed_at, seq, taken_down }: ListingRow): string =>
  `${JSON.stringify({ provider_id, external_id, removed_at, seq, ...kindOf(taken_down) })}\n`;

const kindOf = (takenDown: string | null) =>
  takenDown === null ? {} : { taken_down: (JSON.parse(takenDown) as TakenDown).kind };

type Counted = Pick<Listing, 'downloads' | 'stars' | 'external_updated_at'>;

/** Default of `reported`: numbers above 0 and times were reported. */
export const guessReported = (row: Counted): Listing['reported'] => ({
  downloads: row.downloads > 0,
  stars: row.stars > 0,
  updated_at: row.external_updated_at !== null,
});

function isGuess(reported: Listing['reported'], row: Counted): boolean {
  const guess = guessReported(row);
  return (['downloads', 'stars', 'updated_at'] as const).every((key) => reported[key] === guess[key]);
}
