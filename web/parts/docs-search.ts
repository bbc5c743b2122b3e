import { type Html, html } from '../server/html.ts';
import type { Site } from '../server/page.ts';
import { type DocsPiece, docsPieces } from './docs-pieces.ts';
import { leadIn } from './guides.ts';
import { count, cut } from './words.ts';

/** The results of a search in the docs. */

const SHOWN = 20;

export async function docsFound(site: Site, search: string): Promise<Html> {
  const { pieces, rank } = await indexOf(site);
  const found = rank(search, SHOWN).map((at) => pieces[at] as DocsPiece);
  return html`<h2 id="found">${found.length === 0 ? 'Nothing found' : `${count(found.length)} ${found.length === 1 ? 'result' : 'results'}`}</h2>
${found.length === 0 ? html`<p>No results. Try fewer or different words, or <a href="/docs">see all guides</a>.</p>` : html`<ul class="ledger">${found.map(row)}</ul>`}`;
}

const row = ({ kind, title, href, within, text }: DocsPiece): Html => html`<li><h3><a href="${href}">${title}</a></h3>
<p class="facts"><span class="tag">${kind}</span>${within !== '' && html`<span>${within}</span>`}</p>
<p class="about">${cut(leadIn(text), 200)}</p></li>`;

interface Index {
  pieces: readonly DocsPiece[];
  rank(text: string, limit: number): number[];
}

let made: Promise<Index> | undefined;

/** The docs do not change while the process runs. */
function indexOf(site: Site): Promise<Index> {
  made ??= docsPieces(site).then(async (pieces) => ({ pieces, rank: await site.ranking(pieces) }));
  return made;
}
