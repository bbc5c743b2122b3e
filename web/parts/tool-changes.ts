import type { ItemDetail } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { block } from './block.ts';
import { ago, count, counted, cut } from './words.ts';

/** How the tools of a server changed from one probe to the next. Names are untrusted. */

type Change = ItemDetail['tool_changes'][number];

/** Null if they never did. */
export function toolChanges(changes: readonly Change[], nowMs: number): Html | null {
  if (changes.length === 0) return null;
  return block({
    id: 'tool-changes',
    title: 'Tool changes',
    shape: 'wrench',
    label: counted(changes.length, 'change'),
    is_flush: true,
    content: html`<div class="scroll" tabindex="0" role="region" aria-label="Tools that changed, by version"><table class="t"><thead><tr><th scope="col">Version</th><th scope="col">Seen</th><th scope="col">Tools</th></tr></thead>
<tbody>${changes.map((change) => html`<tr><th scope="row">${versionWords(change)}</th><td>${ago(change.changed_at, nowMs)}</td><td>${lines(change)}</td></tr>`)}</tbody></table></div>
<p class="more fine">As this service saw them. A changed description or schema changes what models do with a tool.</p>`,
  });
}

function versionWords({ from_version, version }: Change): Value {
  if (version === '' && from_version === '') return html`<span class="fine">Not versioned</span>`;
  const name = (text: string): Html => html`<code><bdi>${cut(text, 40) || 'unnamed'}</bdi></code>`;
  return from_version === version ? name(version) : html`${name(from_version)} to ${name(version)}`;
}

const PARTS: Record<Change['changed'][number]['parts'][number], string> = {
  title: 'title',
  description: 'description',
  input_schema: 'input',
  output_schema: 'output',
  annotations: 'hints',
};

function lines({ added, removed, renamed, changed, omitted }: Change): Html {
  const name = (text: string): Html => html`<code><bdi>${cut(text, 80)}</bdi></code>`;
  const rows: [string, Html[]][] = [
    ['Removed', removed.map(name)],
    ['Renamed', renamed.map(({ from, to }) => html`${name(from)} to ${name(to)}`)],
    [
      'Changed',
      changed.map(({ name: tool, parts }) => html`${name(tool)} (${parts.map((part) => PARTS[part]).join(', ')})`),
    ],
    ['Added', added.map(name)],
  ];
  return html`<ul class="plain-list">${rows.map(([verb, names]) => names.length > 0 && html`<li><strong>${verb}</strong> ${names.map((each, at) => html`${at > 0 && ', '}${each}`)}</li>`)}${omitted > 0 && html`<li>And ${count(omitted)} more</li>`}</ul>`;
}
