import type { Stats } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { type Asked, addressOf } from './asked.ts';
import type { Counts } from './stats.ts';
import { count } from './words.ts';

/** The filters of the list as links, with counts where the totals provide them. */

interface Filter {
  name: string;
  label: string;
  values: readonly string[];
  /** Null if the totals do not provide them. */
  counts: Counts | null;
}

export function filtersPanel(asked: Asked, stats: Stats): Html {
  const shown = [typesOf(asked, stats), classesOf(asked, stats), providersOf(asked, stats)];
  const { tag } = asked.filters;
  const chosen = Object.keys(asked.filters).length;
  return html`<details class="filters"${chosen > 0 && html` open`}><summary>Filters${chosen > 0 && html` (${chosen})`}</summary>
${tag !== undefined && section('Tag', html`<li>${choice(asked, 'tag', tag, true, null)}</li>`)}
${shown.map(({ name, label, values, counts }) =>
  section(
    label,
    html`${values.map((value) => html`<li>${choice(asked, name, value, asked.filters[name] === value, counts?.[value] ?? null)}</li>`)}`,
  ),
)}
</details>`;
}

export const section = (label: string, items: Html): Html =>
  html`<section><h2>${label}</h2><ul>${items}</ul></section>`;

/** A selected value links to the list without it. */
export const choice = (
  asked: Asked,
  name: string,
  value: string,
  is_chosen: boolean,
  many: number | null,
  label = value,
): Html =>
  html`<a href="${addressOf(asked, { [name]: is_chosen ? '' : value, offset: '' })}" rel="nofollow"${is_chosen && html` aria-current="true"`}${many === 0 && !is_chosen && html` class="nothing"`}><bdi>${label}</bdi>${
    is_chosen
      ? html`<span aria-hidden="true">×</span><span class="hidden">, remove this filter</span>`
      : many !== null && html`<span>${count(many)}</span>`
  }</a>`;

/** Totals exist by provider and type, and by provider and class, but not for a search or a tag. */
const isOpen = ({ search, filters }: Asked): boolean => search !== '' || filters.tag !== undefined;

function typesOf(asked: Asked, stats: Stats): Filter {
  const { provider, execution_class } = asked.filters;
  const known = !isOpen(asked) && execution_class === undefined;
  const counts = known ? countsOf(stats, provider).by_listing_type : null;
  return { name: 'listing_type', label: 'Type', values: Object.keys(stats.by_listing_type), counts };
}

function classesOf(asked: Asked, stats: Stats): Filter {
  const { provider, listing_type } = asked.filters;
  const known = !isOpen(asked) && listing_type === undefined;
  const counts = known ? countsOf(stats, provider).by_execution_class : null;
  return { name: 'execution_class', label: 'Runs as', values: Object.keys(stats.by_execution_class), counts };
}

function providersOf(asked: Asked, stats: Stats): Filter {
  const { listing_type, execution_class } = asked.filters;
  const known = !isOpen(asked) && (listing_type === undefined || execution_class === undefined);
  const entries = stats.by_provider.map((entry): [string, number] => {
    if (listing_type !== undefined) return [entry.provider, entry.by_listing_type[listing_type] ?? 0];
    if (execution_class !== undefined) return [entry.provider, entry.by_execution_class[execution_class] ?? 0];
    return [entry.provider, entry.count];
  });
  const values = stats.by_provider.map(({ provider }) => provider);
  return { name: 'provider', label: 'Provider', values, counts: known ? Object.fromEntries(entries) : null };
}

const NONE = { by_listing_type: {}, by_execution_class: {} };

const countsOf = (stats: Stats, provider: string | undefined) =>
  provider === undefined ? stats : (stats.by_provider.find((entry) => entry.provider === provider) ?? NONE);
