import type { BundleVerdict, Operations } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { icon } from './icon.ts';
import { lasted } from './run-state.ts';
import { stateMark } from './state.ts';
import { count, cut } from './words.ts';

/** The front page's run: what went in, what came out, and its receipt. It is a real run of this service. */

type Run = NonNullable<Operations['trials']['getExample']['answer']['run']>;

interface ExampleFacts {
  run: Run;
  /** Null if the receipt could not be read. */
  proof: { id: string; verdict: BundleVerdict } | null;
}

export function exampleRun({ run, proof }: ExampleFacts): Html {
  const { capability, started_at, finished_at, input, output } = run;
  const name = capability.name ?? capability.kind;
  const tookMs = Date.parse(finished_at ?? '') - Date.parse(started_at ?? '');
  return html`<section class="demo" aria-labelledby="example"><div class="card demo-run">
<header><div><h2 id="example"><a href="/skills/${encodeURIComponent(name)}">${cut(name, 60)}</a></h2><span class="label">Example run by this service. No account needed</span></div>
${stateMark('good', 'circle-check', Number.isFinite(tookMs) ? lasted(tookMs) : 'completed')}</header>
<h3 class="label">Input</h3><pre tabindex="0"><code>${excerpt(textOf(input), INPUT)}</code></pre>
<h3 class="label">Result</h3>${columnsOf(output) ?? html`<pre tabindex="0"><code>${excerpt(textOf(output), OUTPUT)}</code></pre>`}
</div>
${proof !== null && receiptOf(run, proof)}</section>`;
}

export const noExample = (): Html => html`<section class="demo" aria-labelledby="example"><div class="card demo-run">
<h2 id="example">No example run yet</h2><p class="fine">This service runs one of its skills as an example. <a href="/">Refresh</a> in a moment, or <a href="/marketplace?provider=capstan&amp;listing_type=skill">choose a skill</a> and run it yourself.</p></div></section>`;

const INPUT = { lines: 5, chars: 60 };
const OUTPUT = { lines: 9, chars: 60 };

/** The beginning; a line that is cut ends in an ellipsis. */
function excerpt(text: string, { lines, chars }: typeof INPUT): string {
  const all = text.slice(0, 4_000).trimEnd().split('\n');
  const shown = all.slice(0, lines).map((line) => cut(line, chars));
  return [...shown, ...(all.length > lines ? ['…'] : [])].join('\n');
}

/** A table of text is shown as it is, anything else as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { csv } = (value ?? {}) as { csv?: unknown };
  return typeof csv === 'string' ? csv : (JSON.stringify(value, null, 2) ?? 'null');
}

interface Column {
  name: string;
  type: string;
  missing: number;
  distinct: number;
}

const MOST_COLUMNS = 5;

/** The columns of a profiled table; null for every other result. */
function columnsOf(output: unknown): Html | null {
  const { columns } = (output ?? {}) as { columns?: unknown };
  if (!Array.isArray(columns) || columns.length === 0 || !columns.every(isColumn)) return null;
  return html`<table><thead><tr><th scope="col">Column</th><th scope="col">Type</th><th scope="col" class="num">Missing</th><th scope="col" class="num">Distinct</th></tr></thead>
<tbody>${columns.slice(0, MOST_COLUMNS).map(({ name, type, missing, distinct }) => html`<tr><th scope="row">${cut(name, 30)}</th><td>${cut(type, 20)}</td><td class="num">${count(missing)}</td><td class="num">${count(distinct)}</td></tr>`)}</tbody></table>`;
}

function isColumn(value: unknown): value is Column {
  const { name, type, missing, distinct } = (value ?? {}) as Partial<Column>;
  return (
    typeof name === 'string' && typeof type === 'string' && typeof missing === 'number' && typeof distinct === 'number'
  );
}

function receiptOf({ capability, started_at }: Run, { id, verdict }: NonNullable<ExampleFacts['proof']>): Html {
  const isValid = verdict.verdict === 'valid';
  const statement = 'statement' in verdict ? verdict.statement : null;
  const digest = capability.digest.replace(/^sha256:/, '');
  const lines: [string, Value][] = [
    ['ran', `${capability.name ?? capability.kind}@${capability.version}`],
    ['digest', html`<span title="${capability.digest}">sha256:${digest.slice(0, 6)}…${digest.slice(-4)}</span>`],
    [
      'at',
      started_at !== null &&
        html`<time datetime="${started_at}">${started_at.slice(0, 10)} ${started_at.slice(11, 19)} UTC</time>`,
    ],
    ['network', statement?.predicate.environment.network],
    ['log entry', 'log' in verdict && `${count(verdict.log.index + 1)} of ${count(verdict.log.size)}`],
  ];
  return html`<div class="paper"><div><h3>${icon('receipt')}<a href="/receipts/${id}">Receipt</a> ${isValid ? stateMark('good', 'shield-check', 'Signature valid') : stateMark('warn', 'triangle-alert', 'Not verified')}</h3>
<dl>${lines.map(([word, value]) => value && html`<div><dt>${word}</dt><dd>${value}</dd></div>`)}</dl>
<p class="fine">${'key_id' in verdict && html`Signed by key <code title="${verdict.key_id}">${verdict.key_id.slice(0, 10)}…</code>. `}<a href="/docs/verify-a-receipt">Verify it yourself</a></p></div></div>`;
}
