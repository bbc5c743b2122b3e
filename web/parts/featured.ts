import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { capabilityPath, nameOf } from './capabilities.ts';
import { flag } from './flag.ts';
import { kindTag } from './icon.ts';
import { cut } from './words.ts';

/** Featured capabilities with the reason for each. */

type Item = Pick<
  Operations['featured']['list']['answer']['items'][number],
  'id' | 'name' | 'description' | 'author' | 'listing_type' | 'reason'
>;

export function featuredShelf(items: readonly Item[]): Html {
  const [first, ...others] = items;
  // A reason that all of them share is shown once.
  const common = others.length > 0 && others.every((featuredItem) => featuredItem.reason.text === first?.reason.text);
  return html`<section class="shelf" aria-labelledby="featured"><h2 id="featured">Featured</h2>
${common && html`<p class="fine" dir="auto">${cut(first?.reason.text ?? '', 300)}</p>`}
<ol class="featured">${items.map((featuredItem) => card(featuredItem, common ? null : featuredItem.reason))}</ol></section>`;
}

/** Capabilities without a reason for each. */
export const capabilityCards = (items: readonly Omit<Item, 'reason'>[]): Html =>
  html`<ol class="featured">${items.map((item) => card(item, null))}</ol>`;

const card = (item: Omit<Item, 'reason'>, reason: Item['reason'] | null): Html => html`<li>
<div class="named">${flag(item.id, 'm')}<h3><a href="${capabilityPath(item.id)}"><bdi>${nameOf(item)}</bdi></a></h3></div>
<p class="about" dir="auto">${cut(item.description, 160)}</p>
${reason !== null && html`<p class="why"><span class="label">${BY[reason.by]}</span> <span dir="auto">${cut(reason.text, 200)}</span></p>`}
<p class="facts">${kindTag(item.listing_type)}${item.author !== '' && html`<span>by <bdi>${cut(item.author, 50)}</bdi></span>`}</p>
</li>`;

const BY: Record<string, string> = { operator: 'Picked by the operators:', proof: 'Based on its runs:', service: '' };
