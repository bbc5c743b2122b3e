import type { ItemDetail } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { levelMeans, levelWords } from './levels.ts';
import { findingsList, lookedAtWords, upstreamList } from './verification.ts';
import { ago, cut } from './words.ts';

/** What is known about a listing beyond its record. */

type Runnable = ItemDetail['runnable'];

type Words = readonly [words: string, look: string];

const RUNS: Record<string, Words> = {
  ok: ['Responds', 'good'],
  startable: ['Not tried yet', 'good'],
  wants_network: ['Needs network access', 'busy'],
  auth_needed: ['Sign-in required', 'busy'],
  missing_env: ['Needs your values', 'busy'],
  failed: ['Does not start', 'bad'],
  not_mcp: ['Does not speak MCP', 'bad'],
  unreachable: ['Does not respond', 'bad'],
  unsupported: ['Unsupported', ''],
};

/** A package that started was run here; a server at an address only responded. */
export function runsWords({ reason, package: started }: Pick<Runnable, 'reason'> & Partial<Runnable>): Words {
  if (reason === 'ok' && started != null) return ['Runs here', 'good'];
  return RUNS[reason ?? ''] ?? ['Unknown', ''];
}

const packageRows = (started: Runnable['package']): [string, Value][] =>
  started == null
    ? []
    : [
        ['Package', html`<code>${cut(started.purl, 200)}</code>`],
        ['Size', `${(started.size_bytes / 1e6).toFixed(1)} MB`],
        ['Started in', started.start_ms !== null && `${(started.start_ms / 1_000).toFixed(1)} s`],
        ['Isolation', html`<code>${started.isolation}</code>`],
        ['Hosts requested', started.wanted_hosts.length > 0 && cut(started.wanted_hosts.join(', '), 300)],
      ];

export function trustBlock({ runnable, verification }: ItemDetail, now_ms: number): Html {
  const [words, look] = runsWords(runnable);
  const rows: [string, Value][] = [
    ['Checked', ago(runnable.checked_at, now_ms)],
    ['Last responded', runnable.last_seen_at !== runnable.checked_at && ago(runnable.last_seen_at, now_ms)],
    ['Protocol', runnable.protocol_version !== null && html`MCP ${runnable.protocol_version}`],
    ['Tools', runnable.tool_count],
    ...packageRows(runnable.package),
    [
      'Hash of the tools',
      runnable.tools_hash !== null &&
        html`<code title="${runnable.tools_hash}">${runnable.tools_hash.slice(0, 19)}…</code>`,
    ],
    ['Level', html`${levelWords(verification.level)}: ${levelMeans(verification.level)}`],
    ['Scope of checks', lookedAtWords(verification)],
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
