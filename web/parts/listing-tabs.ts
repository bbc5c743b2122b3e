import type { ItemDetail, ListingDetail } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { block, emptyState } from './block.ts';
import { icon, providerName, providerTile } from './icon.ts';
import { baseOf, type Known } from './known.ts';
import { levelRope } from './levels.ts';
import { notice } from './notice.ts';
import { stateMark } from './state.ts';
import { toolChanges } from './tool-changes.ts';
import { countsAgainst, lookedAtWords, upstreamList } from './verification.ts';
import { ago, count, cut } from './words.ts';

/** Tabs of a listing's page: versions, security and proof. Untrusted text. */

/** Versions as a provider reports them. Those that were published here have more: `published.ts`. */
export function listedVersions({ versions, version, status, tool_changes }: ItemDetail, nowMs: number): Html {
  const rows = versions.length > 0 ? versions.slice(0, MOST_VERSIONS) : [{ version, published_at: null, changes: '' }];
  return html`<div class="stack-wide">${status !== null && status.status !== 'active' && statusNotice(status)}
<div><div class="scroll" tabindex="0" role="region" aria-label="Versions"><table class="t"><thead><tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col">What changed</th></tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row"><code><bdi>${cut(row.version, 60) || 'unnamed'}</bdi></code>${row.version === version && html` ${stateMark('good', 'circle-check', 'Current')}`}</th><td>${ago(row.published_at, nowMs) ?? 'Not reported'}</td><td dir="auto">${cut(row.changes, 400)}</td></tr>`)}</tbody></table></div>
${versions.length > MOST_VERSIONS && html`<p class="fine">And ${count(versions.length - MOST_VERSIONS)} more.</p>`}
${versions.length === 0 && html`<p class="fine">Its provider reports no earlier versions.</p>`}</div>
${toolChanges(tool_changes, nowMs)}</div>`;
}

const MOST_VERSIONS = 100;

const statusNotice = ({ status, message = '' }: NonNullable<ItemDetail['status']>): Html =>
  notice({
    look: 'warn',
    shape: 'triangle-alert',
    title: `Its provider calls it ${cut(status, 40)}.`,
    text: html`<span dir="auto">${cut(message, 400)}</span>`,
  });

type Finding = NonNullable<ReturnType<typeof baseOf>['verification']>['findings'][number];

const LOOKS: Record<Finding['severity'], 'bad' | 'warn' | ''> = { grave: 'bad', warning: 'warn', note: '' };
const SEVERITIES: Record<Finding['severity'], string> = { grave: 'Serious', warning: 'Warning', note: 'Note' };
const MOST_FINDINGS = 100;

export const findingsCount = (known: Known): number =>
  (known.version?.findings.items.length ?? 0) + (baseOf(known).verification?.findings.length ?? 0);

export function securityTab(known: Known, nowMs: number): Html {
  const { verification } = baseOf(known);
  const found = verification?.findings ?? [];
  const own = known.version?.findings.items ?? [];
  const looked = verification === null ? '' : lookedAtWords(verification);
  return html`<div class="stack-wide">
${found.length + own.length === 0 ? nothingFound(looked) : null}
${found.length > 0 && block({ id: 'findings', title: 'Findings', shape: 'triangle-alert', label: count(found.length), is_flush: true, content: html`<ul class="finding-list">${found.slice(0, MOST_FINDINGS).map(finding)}</ul>` })}
${own.length > 0 && block({ id: 'rules', title: 'Checks of the files', shape: 'file-text', label: count(own.length), is_flush: true, content: html`<ul class="finding-list">${own.slice(0, MOST_FINDINGS).map((item) => html`<li>${icon('file-text')}<div><p><code>${item.path}${item.line > 0 && `:${item.line}`}</code> ${cut(item.detail, 300)}</p><p class="fine">${cut(item.fix, 200)} <span class="label">${item.rule}</span></p></div></li>`)}</ul>` })}
${whoChecked(known, nowMs, looked)}
</div>`;
}

function nothingFound(looked: string): Html {
  return looked === ''
    ? emptyState({
        shape: 'circle-dashed',
        title: 'Not checked yet',
        text: 'The static checks have not read this listing.',
      })
    : notice({ look: 'good', shape: 'shield-check', title: 'No findings.', text: `The static checks read ${looked}.` });
}

const finding = (item: Finding): Html =>
  html`<li class="${countsAgainst(item) ? LOOKS[item.severity] : ''}">${icon(item.severity === 'note' ? 'file-text' : 'triangle-alert')}<div><p><strong>${SEVERITIES[item.severity]}:</strong> ${cut(item.detail, 300)}</p>
<p class="fine">In <code><bdi>${cut(item.place, 120)}</bdi></code> <span class="label">${item.rule}</span>${item.overruled !== null && html` An operator considers it harmless: <span dir="auto">${cut(item.overruled, 300)}</span>`}</p></div></li>`;

function whoChecked(known: Known, nowMs: number, looked: string): Html {
  const { verification } = baseOf(known);
  const rows: [string, Value][] = [
    [
      'This service',
      looked === ''
        ? 'Not checked yet'
        : html`Read ${looked}${verification?.checked_at != null && html`, ${ago(verification.checked_at, nowMs)}`}`,
    ],
    ['Providers', verification !== null && upstreamList(verification.upstream, nowMs)],
    [
      'Operators',
      (known.listing?.flags ?? []).some(({ by }) => by === 'operator') && 'Flagged it: see the top of the page',
    ],
  ];
  return block({
    id: 'checked',
    title: 'Who checked it',
    shape: 'shield-check',
    content: html`<dl class="pairs">${rows.map(([name, value]) => value !== false && value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p class="fine">A finding is a reason to take a closer look, not a verdict. Checks of text cannot show what a server does.</p>`,
  });
}

const MOST_RECEIPTS = 20;

export function proofTab({ proof, listing }: Known, nowMs: number): Html {
  if (proof === null || (proof.versions.length === 0 && proof.receipts.length === 0))
    return emptyState({
      shape: 'receipt',
      title: 'No runs yet',
      text: 'The first run here appears with its receipt, which anyone can verify.',
    });
  const hot = listing?.hot_score ?? null;
  return html`<div class="stack-wide">
${
  proof.versions.length > 0 &&
  block({
    id: 'runs',
    title: 'Runs in 90 days',
    shape: 'circle-play',
    label: hot === null ? undefined : `Score ${hot.toFixed(2)}`,
    is_flush: true,
    content: html`<div class="scroll" tabindex="0" role="region" aria-label="Runs by version"><table class="t"><thead><tr><th scope="col">Version</th><th scope="col">Level</th><th scope="col" class="number">Runs</th><th scope="col" class="number">Succeeded</th><th scope="col" class="number">Accounts</th><th scope="col">Last run</th></tr></thead>
<tbody>${proof.versions.slice(0, MOST_RECEIPTS).map((version) => html`<tr><th scope="row"><code><bdi>${cut(version.version, 60) || 'unnamed'}</bdi></code></th><td>${levelRope(version.level)}</td><td class="number">${count(version.runs)}</td><td class="number">${share(version)}</td><td class="number">${count(version.callers)}</td><td>${ago(version.last_run_at, nowMs)}</td></tr>`)}</tbody></table></div>`,
  })
}
${
  proof.receipts.length > 0 &&
  block({
    id: 'receipts',
    title: 'Receipts',
    shape: 'receipt',
    label: `The last ${count(proof.receipts.length)}`,
    is_flush: true,
    content: html`<div class="scroll" tabindex="0" role="region" aria-label="Receipts"><table class="t"><thead><tr><th scope="col">Run</th><th scope="col">By</th><th scope="col">Result</th><th scope="col">Receipt</th></tr></thead>
<tbody>${proof.receipts.slice(0, MOST_RECEIPTS).map((receipt) => html`<tr><td>${ago(receipt.at, nowMs)}</td><td>${RUN_BY[receipt.by]}</td><td>${receipt.outcome === 'completed' ? stateMark('good', 'circle-check', 'Succeeded') : stateMark('bad', 'circle-x', 'Failed')}</td><td><a href="/receipts/${receipt.id}" rel="nofollow">View<span class="hidden"> the receipt of ${receipt.at}</span></a></td></tr>`)}</tbody></table></div>`,
  })
}</div>`;
}

const RUN_BY = {
  account: 'An account',
  service: 'This service, as a check',
  operator: 'An operator',
  nobody: 'A deleted account',
} as const;

const share = ({ runs, completed }: { runs: number; completed: number }): string =>
  runs === 0 ? '' : `${Math.floor((100 * completed) / runs)}%`;

/** What each source says, in its own words, for a listing that has no other text. */
export const quotes = (members: NonNullable<ListingDetail['members']>, nowMs: number): Html =>
  html`<ul class="quotes">${members.map(
    (
      member,
    ) => html`<li>${providerTile(member.provider)}<div>${member.description !== '' ? html`<p dir="auto"><q>${cut(member.description, 300)}</q></p>` : html`<p class="fine">No description.</p>`}
<p class="facts"><span>${providerName(member.provider)}</span><span class="num"><bdi>${cut(member.version, 40)}</bdi></span>${ago(member.updated_at, nowMs)}${member.is_copy && html`<span class="tag warn">Copy by another owner</span>`}</p></div></li>`,
  )}</ul>`;
