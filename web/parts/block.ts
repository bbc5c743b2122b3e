import { type Html, html, type Value } from '../server/html.ts';
import { type IconName, icon } from './icon.ts';

/** A titled card in the reading column, and what is shown where a list has nothing. */

interface Block {
  id: string;
  title: Value;
  shape?: IconName;
  /** At the right of the title. */
  label?: Value;
  /** In place of the label: links. */
  beside?: Value;
  content: Value;
  /** Lists and tables reach the edges of the card. */
  is_flush?: boolean;
}

export const block = ({ id, title, shape, label, beside, content, is_flush = false }: Block): Html =>
  html`<section class="block" aria-labelledby="${id}"><header>${shape !== undefined && icon(shape)}<h2 id="${id}">${title}</h2>${label !== undefined && html`<span class="label">${label}</span>`}${beside}</header>
${is_flush ? content : html`<div class="pad">${content}</div>`}</section>`;

interface Empty {
  shape: IconName;
  title: string;
  text: Value;
  action?: { href: string; words: string };
}

/** An empty list says what would be in it and how to fill it. */
export const emptyState = ({ shape, title, text, action }: Empty): Html =>
  html`<div class="empty">${icon(shape)}<h2>${title}</h2><p>${text}</p>${action !== undefined && html`<a class="button plain small" href="${action.href}" rel="nofollow">${action.words}</a>`}</div>`;

/** In the layout of what is being loaded. */
export const loading = (): Html =>
  html`<div class="card pad bones" aria-busy="true"><span class="hidden">Loading</span><span></span><span></span><span></span><span></span><span></span></div>`;

interface Broken {
  title: string;
  /** What happened, and what is safe. */
  text: Value;
  /** Where to try again. */
  again: string;
}

export const brokenState = ({ title, text, again }: Broken): Html =>
  html`<div class="empty">${icon('circle-alert')}<h2>${title}</h2><p>${text}</p><a class="button plain small" href="${again}" rel="nofollow">${icon('rotate-cw')}Try again</a></div>`;
