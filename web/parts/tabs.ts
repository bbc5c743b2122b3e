import { type Html, html } from '../server/html.ts';
import { count } from './words.ts';

/** The tabs of a page. Each is a link to the same path, so that it works without scripts and can be shared. */

export interface Tab {
  /** Value of `tab` in the address. */
  id: string;
  label: string;
  count?: number | undefined;
}

/** The first tab is the page without a query. */
const tabPath = (path: string, tabs: readonly Tab[], id: string): string =>
  tabs[0]?.id === id ? path : `${path}?tab=${id}`;

/** The tab that the address names, or else the first. */
export const currentTab = <T extends Tab>(tabs: readonly T[], query: URLSearchParams): T =>
  tabs.find(({ id }) => id === query.get('tab')) ?? (tabs[0] as T);

export const tabBar = (path: string, tabs: readonly Tab[], current: Tab): Html =>
  html`<nav class="tabs" aria-label="About this listing">${tabs.map((tab) => html`<a href="${tabPath(path, tabs, tab.id)}"${tab.id === current.id && html` aria-current="page"`}>${tab.label}${tab.count !== undefined && tab.count > 0 && html` <span class="num">${count(tab.count)}</span>`}</a>`)}</nav>`;
