import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import type { Asked } from './asked.ts';
import { filterLabel } from './filter-words.ts';
import { COPIES_OF, choice, section } from './filters.ts';

/** The marketplace's filters with the count of each value: from the facets of a search, otherwise from the totals. */

type Facets = Record<string, readonly { value: string | boolean; count: number }[]>;
type Stats = Operations['listings']['getStats']['answer'];

const MOST_TAGS = 10;

export function facetsPanel(asked: Asked, facets: Facets): Html {
  const chosen = Object.keys(asked.filters).filter((name) => name !== COPIES_OF).length;
  return html`<details class="filters"><summary>Filters${chosen > 0 && html` (${chosen})`}</summary>
${asked.place.filters.filter((name) => name !== COPIES_OF).map((name) => facet(asked, name, facets[name] ?? []))}
</details>`;
}

function facet(asked: Asked, name: string, values: Facets[string]): Html | null {
  const chosen = asked.filters[name];
  const counted = values.map(({ value, count }) => ({ value: `${value}`, count })).filter((entry) => entry.count > 0);
  const others = counted.filter(({ value }) => value !== chosen).slice(0, name === 'tag' ? MOST_TAGS : 20);
  // A filter that matches everything is useless.
  if (chosen === undefined && (others.length === 0 || (name === 'verified' && others.length === 1))) return null;
  const item = (value: string, many: number | null) =>
    html`<li>${choice(asked, name, value, value === chosen, many)}</li>`;
  return section(
    filterLabel(name),
    html`${chosen !== undefined && item(chosen, null)}${others.map(({ value, count }) => item(value, count))}`,
  );
}

/** Counts from the totals, which cannot combine filters. */
export function facetsOf(stats: Stats, asked: Asked): Facets {
  const chosen = Object.keys(asked.filters);
  const of = (name: string, counts: Record<string, number>): Facets[string] =>
    chosen.every((key) => key === name)
      ? Object.entries(counts)
          .map(([value, count]) => ({ value, count }))
          .toSorted((a, b) => b.count - a.count)
      : [];
  return {
    listing_type: of('listing_type', stats.by_listing_type),
    execution_class: of('execution_class', stats.by_execution_class),
    provider: of('provider', stats.by_provider),
  };
}
