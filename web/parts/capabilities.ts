import type { Listing, Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { flag } from './flag.ts';
import { icon, kindTag, providerName, providerTile } from './icon.ts';
import { levelRope } from './levels.ts';
import { marked, type Ranges } from './marked.ts';
import { type RunState, runStateMark } from './state.ts';
import { findingsWords } from './verification.ts';
import { ago, count, counted, cut } from './words.ts';

/** A list of capabilities. Their text is untrusted. */

type Hit = Operations['listings']['search']['answer']['items'][number];
type Shown = Listing & Partial<Pick<Hit, 'highlights' | 'tool' | 'copies' | 'resembles'>>;

/** Skills that ship with the service have separate pages. */
export const capabilityPath = (id: string): string =>
  isOwnSkill(id)
    ? `/skills/${encodeURIComponent(id.slice(OWN_SKILL.length))}`
    : `/marketplace/${encodeURIComponent(id)}`;

const OWN_SKILL = 'skill/';
export const isOwnSkill = (id: string): boolean => id.startsWith(OWN_SKILL);

/** `copiesAddress`: where the copies of a result are listed. */
export const capabilityLedger = (
  items: readonly Shown[],
  shown: RowsShown,
  copiesAddress: CopiesAddress = capabilityPath,
): Html => html`<ol class="ledger listings">${items.map((item) => line(item, shown, copiesAddress))}</ol>`;

/** What rows need beside their listings. */
export interface RowsShown {
  nowMs: number;
}

type CopiesAddress = (id: string) => string;

const line = (shown: Shown, { nowMs }: RowsShown, copiesAddress: CopiesAddress): Html => html`<li>
${flag(shown.id)}
<div class="what">
<div class="named"><h3><a href="${capabilityPath(shown.id)}"><bdi>${shown.name.trim() === '' ? shown.id : marked(shown.name, rangesOf(shown, 'name'), 120)}</bdi></a></h3>${confirmedMark(shown)}${kindTag(shown.listing_type)}</div>
${shown.description !== '' && html`<p class="about" dir="auto">${marked(shown.description, rangesOf(shown, 'description'))}</p>`}
${foundTool(shown)}${resemblesLine(shown)}
<p class="facts">${shown.author !== '' && html`<span>by <bdi>${marked(shown.author, rangesOf(shown, 'author'), 60)}</bdi></span>`}
<span><span class="provs">${providersOf(shown.sources).slice(0, MOST_TILES).map(providerTile)}</span>${sourcesWords(shown.sources)}</span>
${licenseFact(shown)}${versionFact(shown)}
${counted(shown.stars, 'star')}
${updated(shown, nowMs)}
${copiesLink(shown, copiesAddress)}
${foundTags(shown)}</p>
</div>
${aside(shown)}
</li>`;

/** Null if no tool of it fits the search. */
const foundTool = ({ tool = null }: Shown): Html | null =>
  tool === null ? null : html`<p class="about">Tool <code><bdi>${cut(tool, 80)}</bdi></code></p>`;

/** Null unless its name was made to look like another one. */
const resemblesLine = ({ resembles = null }: Shown): Html | null =>
  resembles === null
    ? null
    : html`<p class="about"><span class="tag warn">${icon('triangle-alert')}Look-alike</span> <bdi>${resembles.detail}</bdi> <a href="${capabilityPath(resembles.id)}">See that one</a></p>`;

const copiesLink = ({ id, copies = 0 }: Shown, copiesAddress: CopiesAddress): Html | null =>
  copies === 0
    ? null
    : html`<a href="${copiesAddress(id)}">and ${count(copies)} ${copies === 1 ? 'copy' : 'copies'} of its text</a>`;

/** What is known of its state here; null if nothing is. */
function aside(shown: Shown): Html | null {
  const { flagged, status, verification, downloads } = shown;
  const state = flagged === true ? null : stateOf(shown);
  const findings = findingsWords(verification);
  const parts = [
    flagged === true ? html`<span class="tag bad">${icon('circle-alert')}Flagged</span>` : null,
    status === 'deprecated' ? html`<span class="tag warn">${icon('triangle-alert')}Deprecated</span>` : null,
    state === null ? null : runStateMark(state),
    verification.level === 'listed' ? null : levelRope(verification.level),
    findings === '' ? null : html`<span>${findings}</span>`,
    downloads === 0 ? null : html`<span class="got">${icon('download')}${counted(downloads, 'download')}</span>`,
  ];
  return parts.every((part) => part === null) ? null : html`<p class="facts aside">${parts}</p>`;
}

/** Null if nothing is known: then the row says nothing instead of guessing. */
export const stateOf = ({ availability }: Pick<Listing, 'availability'>): RunState | null => STATES[availability];

const STATES: Record<Listing['availability'], RunState | null> = {
  runs: { name: 'runs', words: 'Runs now' },
  untried: null,
  sign_in: { name: 'sign-in', words: 'Needs sign-in' },
  settings: { name: 'key', words: 'Needs your settings' },
  key: { name: 'key', words: 'Needs a key' },
  model: { name: 'model', words: 'Needs a model' },
  install: { name: 'install', words: 'Install only' },
  silent: { name: 'silent', words: 'Not answering' },
  unknown: null,
};

/** Null unless the ownership was shown: published here, or claimed with a proof. */
export const confirmedMark = ({ publisher }: Pick<Listing, 'publisher'>): Html | null =>
  publisher === null
    ? null
    : html`<span class="confirmed" title="Publisher confirmed">${icon('badge-check')}<span class="hidden">Publisher confirmed</span></span>`;

const licenseFact = ({ license }: Shown): Html | null =>
  license.trim() === ''
    ? null
    : html`<span>${icon('scale')}<span class="hidden">License: </span><bdi>${cut(license, 30)}</bdi></span>`;

/** Commits and digests are shortened. */
const versionFact = ({ version }: Shown): Html | null =>
  version.trim() === ''
    ? null
    : html`<span><span class="hidden">Version </span><bdi>${/^(?:sha256:)?[0-9a-f]{12,}$/.test(version) ? version.replace(/^sha256:/, '').slice(0, 7) : cut(version, 20)}</bdi></span>`;

const MOST_TILES = 3;

const providersOf = (sources: readonly { provider: string }[]): string[] => [
  ...new Set(sources.map(({ provider }) => provider)),
];

/** Null unless a provider reports it: otherwise the time is when we found the listing. */
function updated({ sources }: Shown, nowMs: number): Html | null {
  const last = sources.map((source) => source.updated_at ?? '').reduce((a, b) => (a > b ? a : b), '');
  return last === '' ? null : html`<span>updated ${ago(last, nowMs)}</span>`;
}

const rangesOf = ({ highlights = [] }: Shown, field: string): Ranges =>
  highlights.find((highlight) => highlight.field === field)?.ranges ?? [];

/** Only tags that match the search are shown. */
const foundTags = ({ highlights = [], tags }: Shown): Html[] =>
  highlights.slice(0, 20).flatMap(({ field, ranges }) => {
    const tag = tags[Number(/^tags\/(\d+)$/.exec(field)?.[1] ?? Number.NaN)];
    return tag === undefined ? [] : [html`<span class="tag">#<bdi>${marked(tag, ranges, 40)}</bdi></span>`];
  });

const MOST_SOURCES = 3;

/** The provider `capstan` is this service. */
export function sourcesWords(sources: readonly { provider: string }[]): string {
  const names = [
    ...new Set(sources.map(({ provider }) => (provider === 'capstan' ? 'published here' : providerName(provider)))),
  ];
  const more = names.length - MOST_SOURCES;
  return `${names.slice(0, MOST_SOURCES).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

/** The short form for narrow places. */
export const nameOf = ({ name, id }: { name: string; id: string }, most = 80): string => cut(name, most) || id;
