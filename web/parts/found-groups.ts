import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { type Asked, addressOf } from './asked.ts';
import { capabilityPath, confirmedMark, nameOf, stateOf } from './capabilities.ts';
import { valueWords } from './filter-words.ts';
import { flag } from './flag.ts';
import type { FoundGuide } from './found-guides.ts';
import { icon } from './icon.ts';
import { insteadOf } from './instead-of.ts';
import { marked } from './marked.ts';
import { runStateMark } from './state.ts';
import { count, cut } from './words.ts';

/** What a search finds, few of each kind: the panel of the search. Text of listings is untrusted. */

type Hits = Operations['listings']['search']['answer'];
type Hit = Hits['items'][number];

/** At most this many of a kind, so that every kind is seen. */
const MOST_OF_KIND = 3;
const KINDS = ['server', 'skill', 'harness', 'rig'] as const;

interface GroupsShown {
  asked: Asked;
  guides: readonly FoundGuide[];
}

export function foundGroups(hits: Hits, { asked, guides }: GroupsShown): Html {
  const groups = KINDS.map((kind) => ({ kind, items: hits.items.filter((hit) => hit.listing_type === kind) }));
  const isEmpty = hits.items.length === 0 && guides.length === 0;
  return html`<div id="found-groups">${insteadOf(hits, asked)}
${groups.map(({ kind, items }) => items.length > 0 && group(kind, items.slice(0, MOST_OF_KIND), manyOf(hits, kind)))}
${guides.length > 0 && html`<section aria-labelledby="in-docs"><h2 id="in-docs">Docs</h2><ul>${guides.map(guideLine)}</ul></section>`}
${isEmpty && html`<p class="none">No results. Try fewer or different words.</p>`}
<p class="fine all"><a href="${addressOf(asked)}">See all ${count(hits.total_count)} ${hits.total_count === 1 ? 'result' : 'results'}</a></p></div>`;
}

const manyOf = ({ facets }: Hits, kind: string): number =>
  facets.listing_type.find(({ value }) => value === kind)?.count ?? 0;

const group = (
  kind: string,
  items: readonly Hit[],
  many: number,
): Html => html`<section aria-labelledby="in-${kind}"><h2 id="in-${kind}">${valueWords('listing_type', kind)} <span>${count(items.length)} of ${count(Math.max(many, items.length))}</span></h2>
<ul>${items.map(line)}</ul></section>`;

function line(hit: Hit): Html {
  const state = hit.flagged ? null : stateOf(hit);
  const ranges = hit.highlights.find(({ field }) => field === 'description')?.ranges ?? [];
  return html`<li>${flag(hit.id)}<div><h3 class="named"><a href="${capabilityPath(hit.id)}"><bdi>${nameOf(hit)}</bdi></a>${confirmedMark(hit)}</h3>
<p class="about" dir="auto">${hit.tool === null ? marked(hit.description, ranges, 120) : html`Tool <code><bdi>${cut(hit.tool, 80)}</bdi></code>`}</p></div>
${hit.flagged ? html`<span class="tag bad">${icon('circle-alert')}Flagged</span>` : state !== null && runStateMark(state)}</li>`;
}

const guideLine = ({ name, title, lead }: FoundGuide): Html =>
  html`<li>${icon('file-text')}<div><h3 class="named"><a href="/docs/${name}">${title}</a></h3><p class="about">${cut(lead, 120)}</p></div></li>`;
