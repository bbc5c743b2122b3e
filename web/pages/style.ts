import { readFileSync } from 'node:fs';
import { block, brokenState, emptyState, loading } from '../parts/block.ts';
import { capabilityLedger } from '../parts/capabilities.ts';
import { copyable } from '../parts/copy.ts';
import { featuredShelf } from '../parts/featured.ts';
import { flag } from '../parts/flag.ts';
import { ICONS, icon, kindTag, providerTile } from '../parts/icon.ts';
import { inputForm } from '../parts/input-form.ts';
import { LEVELS_IN_ORDER, levelMeans, levelRope } from '../parts/levels.ts';
import { notice } from '../parts/notice.ts';
import { paper } from '../parts/receipt.ts';
import { rope } from '../parts/rope.ts';
import { saidBlock } from '../parts/said.ts';
import { FIELDS, FILLED, LISTINGS, VERDICTS } from '../parts/specimens.ts';
import { plainState, RUN_STATES, runStateMark, stateMark } from '../parts/state.ts';
import { tabBar } from '../parts/tabs.ts';
import { trustList } from '../parts/trust-lines.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/-/style`: every shared part in all its states, for those who change the pages. No page links to it. */
export const style: Page = {
  get: ({ site, path }) => ({
    title: 'Parts and states',
    unlisted: true,
    content: html`<div class="head"><h1>Parts and states</h1><p class="lead">Made from the parts of the pages, with made-up listings.</p></div>
<div class="specimens">
${part('Listing icons', html`<p class="row-of">${FLAGGED.map((name) => flag(name))}</p><p class="row-of">${(['s', 'm', 'l', 'xl'] as const).map((size) => flag('harbour-tides', size))}</p>`)}
${part('Icons', html`<ul class="tiled">${ICONS.map((name) => html`<li>${icon(name)} ${name}</li>`)}</ul>`)}
${part('Colors', html`<ul class="tiled">${COLOURS.map(swatch)}</ul>`)}
${part('Type', type())}
${part('States', states(path))}
${part('Buttons', buttons())}
${part('Fields', html`<form class="fields-form pair-of">${inputForm(FIELDS, FILLED)}</form>`)}
${part('Rows', capabilityLedger(LISTINGS, { nowMs: site.now() }))}
${featuredShelf(LISTINGS.map((item) => ({ ...item, reason: { kind: 'curated' as const, by: 'operator' as const, text: `Picked for ${item.name}`, position: 1, since: null, until: null } })))}
${part('States of a list', lists())}
${part('A run in time', ropes())}
${part('Receipts', html`<div class="thirds">${VERDICTS.map((verdict, at) => paper(verdict, `receipt-${at}`))}</div>`)}
${part('Trust', block({ id: 'lines', title: 'Can I trust it?', label: levelRope('ran'), content: trustList(TRUST) }))}
${part('Notices', html`<div class="stack-wide">${NOTICES}${saidBlock({ done: 'rig_stored' })}</div>`)}
${part('Code', copyable('claude mcp add context7 -- npx -y @upstash/context7-mcp@4.1.1', 'command'))}
</div>`,
  }),
};

const part = (title: string, content: Value): Html =>
  html`<section aria-label="${title}"><h2>${title}</h2>${content}</section>`;

const FLAGGED = Array.from({ length: 24 }, (_, at) => `harbour-${at}`);

const COLOURS = [
  ...readFileSync(new URL('../style/tokens.css', import.meta.url), 'utf8').matchAll(
    /(--[a-z0-9-]{1,40}): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g,
  ),
].map(([, name = '', light = '', dark = '']) => ({ name, light, dark }));

const swatch = ({ name, light, dark }: (typeof COLOURS)[number]): Html =>
  html`<li><svg class="swatch" viewBox="0 0 10 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect width="10" height="10" fill="var(${name})"/></svg><code>${name}</code> <span class="fine">${light} ${dark}</span></li>`;

const type =
  (): Html => html`<div class="stack-wide hero-type"><p class="biggest">Prove what it did.</p><p class="as-h1">Page title, 36</p><h2>Section title, 22</h2>
<p class="lead">Lead text, 18. One sentence under a title.</p><p>Reading text, 16, at most 42 rem wide.</p><p class="fine">Fine text, 13. Facts and hints.</p><p><code>sha256:53170542adbacfc5</code></p></div>`;

const states = (path: string): Html => html`<div class="stack-wide">
<p class="row-of">${RUN_STATES.map((state) => runStateMark(state))}</p>
<p class="row-of">${(['good', 'warn', 'bad', 'busy', ''] as const).map((look) => plainState(look, look || 'no color'))}</p>
<ul class="tiled">${LEVELS_IN_ORDER.map((level) => html`<li>${levelRope(level)} <span class="fine">${levelMeans(level)}</span></li>`)}</ul>
<p class="row-of">${['skill', 'server', 'harness', 'rig'].map(kindTag)}${['good', 'warn', 'bad', 'busy', 'acc'].map((look) => html`<span class="tag ${look}">${look}</span>`)}${['mcp-registry', 'smithery', 'capstan'].map(providerTile)}</p>
<ul class="chips"><li><a href="${path}">Chip <span>12</span></a></li><li><a class="on" href="${path}">Chosen</a></li></ul>
${tabBar(path, TABS, TABS[0])}</div>`;

const TABS = [
  { id: 'readme', label: 'README' },
  { id: 'tools', label: 'Tools', count: 2 },
  { id: 'proof', label: 'Proof' },
] as const;

const buttons = (): Html => html`<p class="row-of">
<button type="button" class="button">${icon('play')}Primary</button>
<button type="button" class="button plain">Secondary</button>
<button type="button" class="button quiet">Quiet</button>
<button type="button" class="button danger">Danger</button>
<button type="button" class="button" disabled>Disabled</button>
<button type="button" class="button" aria-busy="true" aria-disabled="true">${icon('play')}Running</button>
<button type="button" class="button plain" aria-busy="true" aria-disabled="true">Running</button>
<button type="button" class="button small">Small</button>
<button type="button" class="button plain small">${icon('rotate-cw')}Small</button>
<button type="button" class="button quiet icon">${icon('ellipsis')}<span class="hidden">More</span></button></p>`;

const lists = (): Html =>
  html`<div class="thirds">${emptyState({ shape: 'inbox', title: 'No runs yet', text: 'Run a skill or call a tool and it appears here with its receipt.', action: { href: '/marketplace', words: 'Find something to run' } })}
${loading()}
${brokenState({ title: 'Could not load your runs', text: 'The service did not answer within 10 seconds. Your runs are safe.', again: '/-/style' })}</div>`;

const ropes = (): Html => html`<div class="thirds">
${block({
  id: 'working',
  title: 'Working',
  beside: stateMark('busy', 'loader-circle', '3.4 s'),
  content: rope([
    { look: 'done', words: 'Start the sandbox', at: '38 ms' },
    { look: 'now', words: html`Call <code>query-docs</code>`, at: '2.1 s' },
    { look: 'wait', words: 'Sign the receipt' },
  ]),
})}
${block({
  id: 'waiting',
  title: 'Waiting',
  beside: stateMark('warn', 'hand', 'Needs you'),
  content: rope([
    { look: 'done', words: 'Start the server', at: '1.2 s' },
    { look: 'stop', words: 'Sign in to the server', at: 'waiting' },
    { look: 'wait', words: html`Call <code>search</code>` },
  ]),
})}
${block({
  id: 'failed',
  title: 'Failed',
  beside: stateMark('bad', 'circle-x', '0.4 s'),
  content: rope([
    { look: 'done', words: 'Load the skill', at: '1 ms' },
    { look: 'bad', words: html`Run <code>scripts/run.py</code>`, at: '412 ms', fine: 'Exit code 2: expected text' },
    { look: 'done', words: 'Sign the receipt', at: '1 ms' },
  ]),
})}</div>`;

const TRUST = [
  { look: 'no', shape: 'circle-alert', claim: 'Flagged: malware.', why: 'A provider says why.' },
  { look: 'yes', shape: 'badge-check', claim: 'Publisher confirmed.', why: 'They proved it.' },
  { look: 'care', shape: 'globe', claim: 'It sends your input away.', why: 'You choose the hosts.' },
  { look: '', shape: 'circle-dashed', claim: 'Not run by users yet.', why: 'No account has run it.' },
] as const;

const NOTICES = [
  notice({ look: 'good', shape: 'circle-check', title: 'Connected.', text: '19 tools were added to your endpoint.' }),
  notice({
    look: 'warn',
    shape: 'triangle-alert',
    title: 'Providers are 3 hours behind.',
    text: 'Smithery has not answered since 11:20.',
  }),
  notice({
    look: 'bad',
    shape: 'circle-x',
    title: 'The run failed with exit code 2.',
    text: 'The input is not UTF-8 at byte 412.',
    action: { href: '/skills/csv-profile', words: 'Edit input' },
  }),
  notice({ shape: 'wrench', title: 'Its tools are not known yet.', text: 'No source lists them.' }),
];
