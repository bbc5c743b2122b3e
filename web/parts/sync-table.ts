import type { Operations, Stats } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { providerName } from './icon.ts';
import { type Look, plainState } from './state.ts';
import { ago, count, cut } from './words.ts';

/** The sync status of each provider. */

export type Sync = Operations['sync']['get']['answer']['providers'][number];

const WORDS: Record<string, readonly [words: string, look: Look]> = {
  never: ['never', ''],
  running: ['syncing', 'busy'],
  succeeded: ['up to date', 'good'],
  partial: ['partial', 'warn'],
  failed: ['failed', 'bad'],
  disabled: ['off', ''],
};

export const syncTable = (
  syncs: readonly Sync[],
  stats: Stats | null,
  now_ms: number,
): Html => html`<table class="syncs">
<thead><tr><th scope="col">Provider</th><th scope="col" class="number">Listings</th><th scope="col">Sync</th><th scope="col">Last run</th><th scope="col">Next</th></tr></thead>
<tbody>${syncs.map((sync) => row(sync, stats?.by_provider.find(({ provider }) => provider === sync.provider)?.count ?? null, now_ms))}</tbody>
</table>
${offNotes(syncs)}`;

function row(sync: Sync, many: number | null, nowMs: number): Html {
  const [words, look] = WORDS[sync.status] ?? [sync.status, '' as const];
  return html`<tr id="${sync.provider}">
<th scope="row"><a href="/marketplace?provider=${sync.provider}">${providerName(sync.provider)}</a></th>
<td class="number" data-label="Listings">${many === null ? '' : count(many)}</td>
<td data-label="Sync">${plainState(look, words)}${sync.status === 'running' && progress(sync)}${sync.error !== null && sync.status !== 'disabled' && failure(sync.error)}</td>
<td data-label="Last run">${sync.status === 'running' ? html`started ${ago(sync.started_at, nowMs)}` : (ago(sync.finished_at, nowMs) ?? '')}${changes(sync)}</td>
<td data-label="Next">${sync.next_run_at === null ? '' : ago(sync.next_run_at, nowMs)}</td>
</tr>`;
}

/** Each reason once, because it is often the same for many. */
function offNotes(syncs: readonly Sync[]): Html[] {
  const off = syncs.filter(({ status, error }) => status === 'disabled' && error !== null);
  const groups = Map.groupBy(off, ({ error }) => error?.detail ?? '');
  return [...groups].map(([detail, of]) => {
    const who =
      of.length === syncs.length ? 'All providers' : of.map(({ provider }) => providerName(provider)).join(', ');
    return html`<p class="fine"><strong>${who}:</strong> ${cut(detail, 300)} <a href="/docs/errors/${of[0]?.error?.code}">How to enable providers</a></p>`;
  });
}

/** Without a total, the progress bar is indeterminate. */
const progress = ({ provider, progress: { seen, total }, mode }: Sync): Html =>
  html`<progress${total !== null && html` value="${seen}" max="${Math.max(total, seen, 1)}"`} aria-label="Sync of ${providerName(provider)}"></progress><span class="fine">${count(seen)}${total !== null && ` of ${count(total)}`} seen, ${mode}</span>`;

const failure = ({ code, detail }: NonNullable<Sync['error']>): Html =>
  html`<span class="fine">${cut(detail, 300)} <a href="/docs/errors/${code}"><code>${code}</code></a></span>`;

function changes({ added, updated, removed, rejected }: Sync): Html | null {
  const parts = Object.entries({ added, updated, removed, rejected }).filter(([, many]) => many > 0);
  return parts.length === 0
    ? null
    : html`<span class="fine">${parts.map(([word, many]) => `${count(many)} ${word}`).join(', ')}</span>`;
}
