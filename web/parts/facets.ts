import { type Html, html } from '../server/html.ts';
import type { Asked } from './asked.ts';
import { filterLabel, valuesOf } from './filter-words.ts';
import { choice, isShown, section } from './filters.ts';

/** The filters of Browse with the count of each value, in the order of the question people have: can I run it, what is it, whose is it. */

type Counts = readonly { value: string | boolean; count: number }[];
type Facets = Record<string, Counts>;

const MOST_TAGS = 10;

export function facetsPanel(asked: Asked, facets: Facets): Html {
  const chosen = Object.keys(asked.filters).filter(isShown).length;
  return html`<details class="filters"><summary>Filters${chosen > 0 && html` (${chosen})`}</summary>
${PANEL.map((name) => facet(asked, name, countsOf(name, facets[name] ?? [])))}
</details>`;
}

const PANEL = [
  ...(['availability', 'listing_type', 'confirmed', 'level', 'license', 'updated', 'provider'] as const),
  ...(['category', 'execution_class', 'tag'] as const),
];

/** What can be used without anything is what runs, and what was not tried. */
export const READY = ['runs', 'untried'] as const;

function countsOf(name: string, counts: Counts): ReadonlyMap<string, number> {
  const found = new Map(counts.map(({ value, count }) => [`${value}`, count]));
  if (name === 'availability')
    found.set(
      'ready',
      READY.reduce((sum, value) => sum + (found.get(value) ?? 0), 0),
    );
  return found;
}

/** Values keep their places whatever else is chosen. Only tags are as they are found. */
function facet(asked: Asked, name: string, counts: ReadonlyMap<string, number>): Html | null {
  const chosen = asked.filters[name];
  const fixed = valuesOf(name);
  const known = fixed.length > 0 ? fixed : [...counts.keys()].slice(0, MOST_TAGS);
  const values = chosen === undefined || known.includes(chosen) ? known : [chosen, ...known];
  if (values.length === 0) return null;
  return section(
    filterLabel(name),
    html`${values.map((value) => html`<li>${choice(asked, name, value, value === chosen, counts.get(value) ?? 0)}</li>`)}`,
  );
}
