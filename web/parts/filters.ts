import type { Stats } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { type Asked, addressOf } from './asked.ts';
import { chipWords, filterLabel, valueMark, valueWords } from './filter-words.ts';
import type { Counts } from './stats.ts';
import { count, cut } from './words.ts';

/** The filters of the list as links, with counts where the totals provide them. */

interface Filter {
  name: string;
  values: readonly string[];
  /** Null if the totals do not provide them. */
  counts: Counts | null;
}

export function filtersPanel(asked: Asked, stats: Stats): Html {
  const shown = [typesOf(asked, stats), classesOf(asked, stats), providersOf(asked, stats)];
  const { tag } = asked.filters;
  const chosen = Object.keys(asked.filters).length;
  return html`<details class="filters"><summary>Filters${chosen > 0 && html` (${chosen})`}</summary>
${tag !== undefined && section(filterLabel('tag'), html`<li>${choice(asked, 'tag', tag, true, null)}</li>`)}
${shown.map(({ name, values, counts }) =>
  section(
    filterLabel(name),
    html`${values.map((value) => html`<li>${choice(asked, name, value, asked.filters[name] === value, counts?.[value] ?? null)}</li>`)}`,
  ),
)}
</details>`;
}

export const section = (label: string, items: Html): Html =>
  html`<section><h2>${label}</h2><ul>${items}</ul></section>`;

/** A selected value links to the list without it. */
export const choice = (asked: Asked, name: string, value: string, is_chosen: boolean, many: number | null): Html =>
  html`<a href="${addressOf(asked, { [name]: is_chosen ? '' : value, offset: '' })}" rel="nofollow"${is_chosen && html` aria-current="true"`}${many === 0 && !is_chosen && html` class="nothing"`}>${valueMark(name, value)}<bdi>${valueWords(name, value)}</bdi>${html`${many !== null && html`<span>${count(many)}</span>`}${is_chosen && html`<span class="hidden">, remove this filter</span>`}`}</a>`;

/** Totals exist by provider and type, and by provider and class, but not for a search or a tag. */
const isOpen = ({ search, filters }: Asked): boolean => search !== '' || filters.tag !== undefined;

function typesOf(asked: Asked, stats: Stats): Filter {
  const { provider, execution_class } = asked.filters;
  const known = !isOpen(asked) && execution_class === undefined;
  const counts = known ? countsOf(stats, provider).by_listing_type : null;
  return { name: 'listing_type', values: Object.keys(stats.by_listing_type), counts };
}

function classesOf(asked: Asked, stats: Stats): Filter {
  const { provider, listing_type } = asked.filters;
  const known = !isOpen(asked) && listing_type === undefined;
  const counts = known ? countsOf(stats, provider).by_execution_class : null;
  return { name: 'execution_class', values: Object.keys(stats.by_execution_class), counts };
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
  return { name: 'provider', values, counts: known ? Object.fromEntries(entries) : null };
}

const NONE = { by_listing_type: {}, by_execution_class: {} };

const countsOf = (stats: Stats, provider: string | undefined) =>
  provider === undefined ? stats : (stats.by_provider.find((entry) => entry.provider === provider) ?? NONE);

/** What is chosen, as links that remove it; null if nothing is. */
export function chosenFilters(asked: Asked): Html | null {
  const chosen = Object.entries(asked.filters).filter(([name]) => isShown(name));
  if (chosen.length === 0) return null;
  const none = Object.fromEntries(chosen.map(([name]) => [name, '']));
  return html`<ul class="chips chosen" aria-label="Chosen filters">${chosen.map(
    ([name, value]) =>
      html`<li><a href="${addressOf(asked, { [name]: '', offset: '' })}" rel="nofollow"><bdi>${chosenWords(name, value)}</bdi> <span aria-hidden="true">×</span><span class="hidden">, remove this filter</span></a></li>`,
  )}${chosen.length > 1 && html`<li><a href="${addressOf(asked, { ...none, offset: '' })}" rel="nofollow">Clear all</a></li>`}</ul>`;
}

const chosenWords = (name: string, value: string): string =>
  name === 'tag' ? `#${cut(value, 40)}` : cut(chipWords(name, value), 60);

/** On a phone: the filters that most people want, in a row above the results. */
export const quickFilters = (asked: Asked): Html =>
  html`<ul class="chips quick" aria-label="Frequent filters">${QUICK.filter(
    ([name]) => asked.filters[name] === undefined,
  ).map(
    ([name, value]) =>
      html`<li><a href="${addressOf(asked, { [name]: value, offset: '' })}" rel="nofollow">${chipWords(name, value)}</a></li>`,
  )}</ul>`;

const QUICK = [
  ['availability', 'runs'],
  ['listing_type', 'server'],
  ['listing_type', 'skill'],
  ['confirmed', 'true'],
] as const;

/** Whether a part of the address is shown as a filter. */
export const isShown = (name: string): boolean => name !== COPIES_OF;

/** Limits a search to the copies of one result. It is part of the address and has no facet. */
export const COPIES_OF = 'copies_of';
