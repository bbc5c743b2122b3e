import type { ListingDetail, VersionDetail } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { capabilityPath } from './capabilities.ts';
import { encodedPath } from './encoded-path.ts';
import { type Look, plainState } from './state.ts';
import { ago, count, cut } from './words.ts';

/** The files, findings, versions and history of a capability that was published here. */

export const versionPath = (id: string, version: string): string =>
  `${capabilityPath(id)}/versions/${encodeURIComponent(version)}`;

export const filePath = (id: string, version: string, path: string): string =>
  `${versionPath(id, version)}/files/${encodedPath(path)}`;

export const filesSection = ({ listing_id, version, files, digest, status }: VersionDetail): Html =>
  html`<section aria-labelledby="files"><h2 id="files">Files <span class="label">${count(files.length)}</span></h2>
<table class="contents-of"><thead><tr><th scope="col">Path</th><th scope="col" class="number">Bytes</th><th scope="col">SHA-256</th></tr></thead>
<tbody>${files.map(
    ({
      path,
      size,
      sha256,
    }) => html`<tr><th scope="row">${status === 'yanked' ? html`<code>${path}</code>` : html`<a href="${filePath(listing_id, version, path)}"><code>${path}</code></a>`}</th>
<td class="number">${count(size)}</td><td><code title="${sha256}">${sha256.slice(0, 12)}…</code></td></tr>`,
  )}</tbody></table>
<p class="fine whole-digest">Digest of version ${version}: <code>${digest}</code></p></section>`;

export function findingsSection({ findings }: VersionDetail): Html | null {
  if (findings.items.length === 0) return null;
  return html`<section aria-labelledby="findings"><h2 id="findings">Findings <span class="label">${count(findings.items.length)}</span></h2>
<p class="fine">Results of the static checks. A finding is a reason to take a closer look, not a verdict.</p>
<ul class="bare">${findings.items
    .slice(0, 50)
    .map(
      (violation) =>
        html`<li><code>${violation.path}${violation.line > 0 && `:${violation.line}`}</code> ${cut(violation.detail, 300)} ${cut(violation.fix, 200)} <span class="label">${violation.rule}</span></li>`,
    )}</ul></section>`;
}

const LOOKS: Record<string, Look> = { live: 'good', deprecated: 'warn', yanked: 'bad', unpublished: 'bad' };

export function versionsSection(id: string, { versions = [], history = [] }: ListingDetail, now_ms: number): Html {
  const newest = versions.toReversed();
  return html`<section aria-labelledby="versions"><h2 id="versions">Versions <span class="label">${count(newest.length)}</span></h2>
<ol class="versions">${newest.map((version, at) => {
    const before = newest[at + 1];
    return html`<li><p class="facts"><strong><a href="${versionPath(id, version.version)}">${version.version}</a></strong>
${plainState(LOOKS[version.status] ?? '', version.status)}<span>${ago(version.created_at, now_ms)}</span>
<span>${version.license}</span>${version.claimed && html`<span>signed by a wallet</span>`}
${before !== undefined && html`<a href="${diffPath(id, before.version, version.version)}" rel="nofollow">what changed since ${before.version}</a>`}</p>
${version.status_reason !== '' && html`<p class="fine" dir="auto">${cut(version.status_reason, 500)}</p>`}</li>`;
  })}</ol>
${
  newest.length > 2 &&
  compareForm(
    id,
    newest.map(({ version }) => version),
  )
}
${
  history.length > 0 &&
  html`<details class="history"><summary>History</summary><ol>${history
    .toReversed()
    .map(
      (entry) =>
        html`<li>${ago(entry.at, now_ms)}: ${entry.change} ${entry.version} by ${entry.actor === 'operator' ? 'an operator' : 'its publisher'}${entry.reason !== '' && html`: <span dir="auto">${cut(entry.reason, 500)}</span>`}</li>`,
    )}</ol></details>`
}
</section>`;
}

const diffPath = (id: string, from: string, to: string): string =>
  `${capabilityPath(id)}/diff?${new URLSearchParams({ from, to })}`;

export const compareForm = (id: string, versions: readonly string[], [from, to] = [versions[1], versions[0]]): Html =>
  html`<form class="compare" action="${capabilityPath(id)}/diff">
${choose('from', 'From', versions, from)} ${choose('to', 'to', versions, to)}
<button type="submit" class="button plain">Compare</button></form>`;

const choose = (name: string, label: string, versions: readonly string[], chosen: string | undefined): Html =>
  html`<label>${label} <select name="${name}">${versions.map((version) => html`<option${version === chosen && html` selected`}>${version}</option>`)}</select></label>`;
