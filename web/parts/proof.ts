import type { ItemDetail, ListingDetail, Operations } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { levelMarks, levelMeans, levelWords } from './levels.ts';
import { runsWords } from './trust.ts';
import { findingsList, lookedAtWords, upstreamList } from './verification.ts';
import { ago, count, cut } from './words.ts';

/** The evidence for a capability: its verification level, the runs behind it, and whether it runs now. */

export type Proof = Operations['proof']['get']['answer'];

export interface Known {
  listing: ListingDetail;
  /** The source listing, if a provider lists the capability. */
  item: ItemDetail | null;
  proof: Proof | null;
}

export function proofBlock({ listing, item, proof }: Known, now_ms: number): Html {
  const { level, since, expires_at } = listing.verification;
  const detail = item?.verification.level === level ? item.verification : null;
  const shown = proof?.versions.find((one) => one.level === level) ?? proof?.versions[0];
  const reached = shown?.levels.find((one) => one.level === level);
  const rows: [string, Value][] = [
    ['Since', ago(reached?.since ?? detail?.since ?? since, now_ms)],
    ['Until', ago(reached?.expires_at ?? detail?.expires_at ?? expires_at, now_ms)],
    ['Runs', shown !== undefined && html`${count(shown.runs)} in 90 days, ${count(shown.completed)} succeeded`],
    [
      'Run by',
      shown !== undefined &&
        shown.callers > 0 &&
        `${count(shown.callers)} ${shown.callers === 1 ? 'account' : 'accounts'}`,
    ],
    ['Last run', shown !== undefined && ago(shown.last_run_at, now_ms)],
    ['Receipts', receiptsOf(proof, now_ms)],
    ['Hot score', listing.hot_score?.toFixed(2)],
    ['Checked', lookedAtWords(listing.verification)],
    ['Findings', findingsList(listing.verification.findings)],
    ['Providers say', upstreamList(listing.verification.upstream, now_ms)],
  ];
  return html`<section class="trust" aria-labelledby="trust"><h2 id="trust">Proof</h2>
<p class="level">${levelMarks(level)} <strong>${levelWords(level)}</strong></p>
<p class="fine">${levelMeans(level)} No level guarantees that it is safe or correct.</p>
<dl class="pairs">${rows.map(([name, value]) => value !== null && value !== undefined && value !== false && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${runsNow(listing, now_ms)}
</section>`;
}

function runsNow({ runnable, versions, run }: ListingDetail, nowMs: number): Html | null {
  if (run !== undefined && versions?.some(({ status }) => status === 'live' || status === 'deprecated'))
    return html`<p class="runs"><span class="state">Runs as a task</span></p><p class="fine">${run.detail}</p>`;
  if (runnable === undefined || runnable === null) return null;
  const [words, look] = runsWords(runnable);
  return html`<p class="runs"><span class="state ${look}">${words}</span>${runnable.checked_at !== null && html` <span class="label">checked ${ago(runnable.checked_at, nowMs)}</span>`}</p>
${runnable.detail !== '' && html`<p class="fine"><bdi>${cut(runnable.detail, 400)}</bdi></p>`}`;
}

const MOST_RECEIPTS = 5;

function receiptsOf(proof: Proof | null, nowMs: number): Html | null {
  if (proof === null || proof.receipts.length === 0) return null;
  return html`<details><summary>${count(proof.receipts.length)}</summary><ul class="bare">${proof.receipts
    .slice(0, MOST_RECEIPTS)
    .map(
      ({ id, outcome, at }) => html`<li><a href="/receipts/${id}" rel="nofollow">${outcome}</a> ${ago(at, nowMs)}</li>`,
    )}</ul></details>`;
}
