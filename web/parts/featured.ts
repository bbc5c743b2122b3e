import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { capabilityPath, nameOf } from './capabilities.ts';
import { cut } from './words.ts';

/** What is featured, each with why. */

type Item = Operations['featured']['list']['answer']['items'][number];

export function featuredShelf(items: readonly Item[]): Html {
  const [first, ...others] = items;
  // Where all are there for one reason, it is said once.
  const common = others.length > 0 && others.every((it) => it.reason.text === first?.reason.text);
  return html`<section class="shelf" aria-labelledby="featured"><h2 id="featured">Featured</h2>
${common && html`<p class="fine" dir="auto">${cut(first?.reason.text ?? '', 300)}</p>`}
<ol class="featured">${items.map((it) => card(it, !common))}</ol></section>`;
}

const card = (it: Item, with_reason: boolean): Html => html`<li>
<h3><a href="${capabilityPath(it.id)}"><bdi>${nameOf(it)}</bdi></a></h3>
<p class="about" dir="auto">${cut(it.description, 160)}</p>
${with_reason && html`<p class="why"><span class="label">${BY[it.reason.by]}</span> <span dir="auto">${cut(it.reason.text, 200)}</span></p>`}
<p class="facts"><span class="kind ${it.execution_class}">${it.listing_type}</span>${it.author !== '' && html`<span>by <bdi>${cut(it.author, 50)}</bdi></span>`}</p>
</li>`;

const BY: Record<string, string> = { operator: 'Chosen here:', proof: 'By its runs:', service: '' };
