import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { count, cut } from './words.ts';

/** Collections that operators put together. */

type Collection = Operations['collections']['list']['answer']['items'][number];

/** Empty ones are not shown. */
export const filled = (items: readonly Collection[]): Collection[] => items.filter((item) => item.count > 0);

export const collectionCards = (items: readonly Collection[]): Html =>
  html`<ul class="collections">${items.map(({ slug, title, description, count: many }) => html`<li><a class="card pad" href="/collections/${slug}"><strong><bdi>${cut(title, 80)}</bdi></strong><span class="fine" dir="auto">${cut(description, 300)}</span><span class="label">${count(many)} ${many === 1 ? 'listing' : 'listings'}</span></a></li>`)}</ul>`;
