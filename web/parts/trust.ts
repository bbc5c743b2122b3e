import type { ItemDetail } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { levelMeans, levelWords } from './levels.ts';
import { findingsList, lookedAtWords, upstreamList } from './verification.ts';
import { ago } from './words.ts';

/** What is known of it beyond what it says of itself. */

export const RUNS: Record<string, readonly [words: string, look: string]> = {
  ok: ['It answers', 'good'],
  startable: ['Starts when run', 'good'],
  auth_needed: ['Wants a sign-in', 'busy'],
  missing_env: ['Wants values of yours', 'busy'],
  not_mcp: ['Does not speak MCP', 'bad'],
  unreachable: ['Does not answer', 'bad'],
  unsupported: ['Cannot be run from here', ''],
};

export function trustBlock({ runnable, verification }: ItemDetail, now_ms: number): Html {
  const [words, look] = RUNS[runnable.reason ?? ''] ?? ['Not known', ''];
  const rows: [string, Value][] = [
    ['Visited', ago(runnable.checked_at, now_ms)],
    ['Last answered', runnable.last_seen_at !== runnable.checked_at && ago(runnable.last_seen_at, now_ms)],
    ['Protocol', runnable.protocol_version !== null && html`MCP ${runnable.protocol_version}`],
    ['Tools', runnable.tool_count],
    [
      'Tools’ hash',
      runnable.tools_hash !== null &&
        html`<code title="${runnable.tools_hash}">${runnable.tools_hash.slice(0, 19)}…</code>`,
    ],
    ['Level', html`${levelWords(verification.level)}: ${levelMeans(verification.level)}`],
    ['Looked at', lookedAtWords(verification)],
    ['Runs', verification.receipts > 0 && `${verification.receipts} with receipts in 90 days`],
    ['Until', ago(verification.expires_at, now_ms)],
    ['Findings', findingsList(verification.findings)],
    ['Providers say', upstreamList(verification.upstream, now_ms)],
  ];
  return html`<section class="trust" aria-labelledby="trust"><h2 id="trust">Does it run?</h2>
<p><span class="state ${look}">${words}</span></p>
${runnable.detail !== '' && html`<p class="fine"><bdi>${runnable.detail}</bdi></p>`}
<dl class="pairs">${rows.map(([name, value]) => value !== null && value !== false && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>`;
}
