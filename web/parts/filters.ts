import { type Html, html } from '../server/html.ts';
import { type Asked, addressOf } from './asked.ts';
import { chipWords, valueMark, valueWords } from './filter-words.ts';
import { count, cut } from './words.ts';

export const section = (label: string, items: Html): Html =>
  html`<section><h2>${label}</h2><ul>${items}</ul></section>`;

/** A selected value links to the list without it. */
export const choice = (asked: Asked, name: string, value: string, is_chosen: boolean, many: number | null): Html =>
  html`<a href="${addressOf(asked, { [name]: is_chosen ? '' : value, offset: '' })}" rel="nofollow"${is_chosen && html` aria-current="true"`}${many === 0 && !is_chosen && html` class="nothing"`}>${valueMark(name, value)}<bdi>${valueWords(name, value)}</bdi>${html`${many !== null && html`<span>${count(many)}</span>`}${is_chosen && html`<span class="hidden">, remove this filter</span>`}`}</a>`;

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
