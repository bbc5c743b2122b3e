import type { CapstanError } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import type { View } from '../server/page.ts';
import { capabilityPath } from './capabilities.ts';
import { errorLink } from './error-link.ts';
import { ago, cut } from './words.ts';

/** A removed capability with its remaining versions and digests, so that receipts and lock files can be resolved. */

interface Tombstone {
  name?: string;
  versions?: { version: string; digest: string; created_at: string }[];
}

/** By reason of `marketplace.gone`. */
const TITLES: Record<string, string> = {
  removed: 'No longer listed',
  unpublished: 'Unpublished',
  taken_down: 'Taken down',
};

export function goneView(error: CapstanError, id: string, now_ms: number): View {
  const title = TITLES[error.reason ?? ''] ?? 'No longer available';
  const { tombstone = {} } = error.body as { tombstone?: Tombstone };
  const content = html`<section class="problem">
<p class="status" aria-hidden="true">${error.status}</p>
<h1>${title}</h1>
<p class="lead" dir="auto">${cut(error.detail, 1_200)}</p>
${versionsLeft(tombstone, now_ms)}
<p class="ways"><a class="button" href="/marketplace">Search the marketplace</a> ${error.reason === 'taken_down' && html`<a href="${capabilityPath(id)}/standing">Decisions and appeals</a>`}</p>
<p class="fine">${errorLink(error)}</p>
</section>`;
  return { title, content, status: error.status, unlisted: true };
}

const versionsLeft = ({ name, versions = [] }: Tombstone, nowMs: number): Html | null =>
  versions.length === 0
    ? null
    : html`<div><h2>Versions of <bdi>${cut(name ?? '', 120)}</bdi></h2>
<dl class="left">${versions.map(
        (version) =>
          html`<div><dt>${version.version} <span class="label">${ago(version.created_at, nowMs)}</span></dt><dd><code>${version.digest}</code></dd></div>`,
      )}</dl></div>`;
