import { block, emptyState } from '../../parts/block.ts';
import { capabilityPath } from '../../parts/capabilities.ts';
import { board } from '../../parts/dashboard.ts';
import { flag } from '../../parts/flag.ts';
import { icon, kindTag } from '../../parts/icon.ts';
import { attentionBlock, type OwnPublisher } from '../../parts/publishing-attention.ts';
import { type Look, plainState } from '../../parts/state.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { type Html, html } from '../../server/html.ts';
import { ownPage } from '../../server/own-page.ts';

/** `/dashboard/publishing`: what needs an answer first, then listings, claims and appeals of the reader. */

type Listing = OwnPublisher['listings'][number];

export const publishing = ownPage({
  show: async ({ capstan, site }, said) => {
    const own = await capstan.publishers.getOwn();
    const nowMs = site.now();
    const { publisher, attention, listings, claims, appeals } = own;
    const isEmpty = listings.length + claims.length + appeals.length === 0;
    const content = isEmpty
      ? emptyState({
          shape: 'upload',
          title: 'Nothing published yet',
          text: 'Share a skill, a harness or a rig. It is checked before it is public.',
          action: { href: '/publish', words: 'Publish something' },
        })
      : html`<div class="stack-wide">${attentionBlock(attention, nowMs)}
${listings.length > 0 && listingsBlock(listings, nowMs)}
${claims.length > 0 && claimsBlock(claims, nowMs)}
${appeals.length > 0 && appealsBlock(appeals, nowMs)}</div>`;
    const beside = html`<span class="ways">${publisher !== null && html`<a href="/publishers/${encodeURIComponent(publisher.id)}">Public page of <bdi>${publisher.name}</bdi></a>`}${!isEmpty && html`<a class="button small" href="/publish">${icon('upload')}Publish</a>`}</span>`;
    return board({ title: 'Publishing', place: '/publishing', said, content, beside });
  },
});

const listingsBlock = (listings: readonly Listing[], nowMs: number): Html =>
  block({
    id: 'listings',
    title: 'Listings',
    label: count(listings.length),
    is_flush: true,
    content: html`<div class="scroll"><table class="t published-table"><thead><tr><th scope="col">Listing</th><th scope="col">State</th><th scope="col" class="num">Runs</th><th scope="col" class="num">Findings</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
<tbody>${listings.toReversed().map((listing) => listingRow(listing, nowMs))}</tbody></table></div>
<p class="more fine">Runs of the last 90 days, with a receipt.</p>`,
  });

function stateOf({ taken_down, status, flags, open_reports, latest }: Listing): readonly [Look, string] {
  if (taken_down) return ['bad', 'Taken down'];
  if (status === 'unpublished') return ['', 'Unpublished'];
  if (flags > 0) return ['bad', 'Flagged'];
  if (open_reports > 0) return ['warn', open_reports === 1 ? '1 report' : `${count(open_reports)} reports`];
  return latest === null ? ['', 'No current version'] : ['good', 'Listed'];
}

function listingRow(listing: Listing, nowMs: number): Html {
  const { id, name, latest, runs, completed_runs, findings, trusted_publishers, listing_type, updated_at } = listing;
  const failed = runs - completed_runs;
  const isListed = latest !== null && listing.status === 'live' && !listing.taken_down;
  return html`<tr><th scope="row"><span class="named">${flag(id, 's')}<a href="${capabilityPath(id)}"><bdi>${cut(name, 120)}</bdi></a></span>
<span class="fine">${kindTag(listing_type)}${latest !== null && ` ${latest}`} · changed ${ago(updated_at, nowMs)}${trusted_publishers > 0 && ' · published from CI'}</span></th>
<td data-label="State">${plainState(...stateOf(listing))}</td>
<td class="num" data-label="Runs">${count(runs)}${failed > 0 && html` <span class="label">${count(failed)} failed</span>`}</td>
<td class="num" data-label="Findings">${findings === 0 ? '0' : html`<a href="${capabilityPath(id)}?tab=security">${count(findings)}</a>`}</td>
<td class="acts-of"><div class="row-acts"><a class="button plain small" href="/publish${isListed && `?from=${encodeURIComponent(id)}`}" rel="nofollow">New version<span class="hidden"> of ${cut(name, 120)}</span></a> <a class="button plain small" href="/dashboard/publishing/${encodeURIComponent(id)}">Manage<span class="hidden"> ${cut(name, 120)}</span></a></div></td></tr>`;
}

const CLAIM_STATES: Record<string, readonly [Look, string]> = {
  verified: ['good', 'Confirmed'],
  pending: ['warn', 'Waiting for its file'],
  lapsed: ['', 'Ended'],
};

const claimsBlock = (claims: OwnPublisher['claims'], nowMs: number): Html =>
  block({
    id: 'claims',
    title: 'Claims',
    label: count(claims.length),
    is_flush: true,
    content: html`<ul class="answers">${claims
      .toReversed()
      .map(({ capability_id, name, status, failing_since, checked_at, created_at, method }) => {
        const [look, words] =
          failing_since === null ? (CLAIM_STATES[status] ?? ['', status]) : (['warn', 'No longer confirmed'] as const);
        return html`<li>${flag(capability_id, 's')}<div><p><a href="${capabilityPath(capability_id)}"><bdi>${cut(name || capability_id, 120)}</bdi></a></p><p class="fine">By ${method === 'wallet' ? 'a wallet' : 'a file in its repository'}, ${checked_at === null ? html`started ${ago(created_at, nowMs)}` : html`checked ${ago(checked_at, nowMs)}`}</p></div>${plainState(look, words)}</li>`;
      })}</ul>`,
  });

const APPEAL_STATES: Record<string, readonly [Look, string]> = {
  open: ['busy', 'Waiting for the operators'],
  granted: ['good', 'Granted'],
  upheld: ['bad', 'Rejected'],
  withdrawn: ['', 'Withdrawn'],
};

const appealsBlock = (appeals: OwnPublisher['appeals'], nowMs: number): Html =>
  block({
    id: 'appeals',
    title: 'Appeals',
    label: count(appeals.length),
    is_flush: true,
    content: html`<ul class="answers">${appeals
      .toReversed()
      .map(
        ({ capability_id, text, status, outcome, created_at }) =>
          html`<li>${icon('scale')}<div><p dir="auto">${cut(text, 200)}</p><p class="fine" dir="auto">${outcome !== '' && html`${cut(outcome, 300)} `}<a href="${capabilityPath(capability_id)}/standing">History</a>, sent ${ago(created_at, nowMs)}</p></div>${plainState(...(APPEAL_STATES[status] ?? (['', status] as const)))}</li>`,
      )}</ul>`,
  });
