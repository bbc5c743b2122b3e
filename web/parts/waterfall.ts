import { type Html, html } from '../server/html.ts';
import { block } from './block.ts';
import { lasted } from './run-state.ts';
import { type Span, type SpanRow, spanRows } from './span-rows.ts';
import { plainState } from './state.ts';
import { cut } from './words.ts';

/** The whole trace of a run as a waterfall with expandable bars, and as a table. */

export function traceSection(trace_id: string, spans: readonly Span[]): Html {
  const { rows, whole_ms } = spanRows(spans);
  return block({
    id: 'trace',
    title: 'Trace',
    shape: 'layers',
    label: html`${rows.length} span${rows.length !== 1 && 's'}, ${lasted(whole_ms)}`,
    content: html`<p class="axis" aria-hidden="true"><span>0</span><span>${lasted(whole_ms / 2)}</span><span>${lasted(whole_ms)}</span></p>
<ul class="waterfall" data-island="waterfall" aria-label="Spans in order of their start">${rows.map((row) => bar(row, whole_ms))}</ul>
<p class="fine" id="walk" hidden>Use the arrow keys to move between spans, right to open one, left to close it.</p>
<details class="twin"><summary>Show as table</summary><div class="scroll" tabindex="0" role="region" aria-label="Spans as a table">${table(rows)}</div></details>
<p class="fine">Trace <code>${trace_id}</code>. Input and output are truncated, and secrets are removed.</p>`,
  });
}

const WIDTH = 1_000;
/** The minimum width keeps very short spans visible. */
const LEAST = 4;

function bar({ span, depth, starts_ms }: SpanRow, wholeMs: number): Html {
  const scale = wholeMs === 0 ? 0 : WIDTH / wholeMs;
  const width = Math.max(LEAST, span.duration_ms * scale);
  const x = Math.min(starts_ms * scale, WIDTH - width);
  return html`<li data-depth="${Math.min(depth, 8)}"><details>
<summary><span class="name"><bdi>${cut(span.name, 120)}</bdi>${span.status === 'error' && html` ${plainState('bad', 'failed')}`}</span>
<svg class="beam ${span.kind}${span.status === 'error' && ' bad'}" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" x="0" y="4" width="${WIDTH}" height="2"/><rect x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="10"/></svg>
<span class="took">${lasted(span.duration_ms)}</span></summary>
${details(span, starts_ms)}</details></li>`;
}

const details = ({ span_id, kind, attributes, events }: Span, startsMs: number): Html => html`<div class="span">
<p class="fine">${kind}, starts after ${lasted(startsMs)}, span <code>${span_id}</code></p>
${pairs(attributes)}
${events.length > 0 && html`<h3>Events</h3><ol class="moves">${events.map((event) => html`<li><time datetime="${event.at}">${event.at.slice(11, 23)}</time> <bdi>${cut(event.name, 120)}</bdi>${pairs(event.attributes)}</li>`)}</ol>`}
</div>`;

function pairs(attributes: Span['attributes']): Html | null {
  const all = Object.entries(attributes);
  return all.length === 0
    ? null
    : html`<dl class="attributes">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd dir="auto">${textOf(value)}</dd></div>`)}</dl>`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const table = (rows: readonly SpanRow[]): Html => html`<table>
<thead><tr><th scope="col">Span</th><th scope="col">Parent</th><th scope="col">Kind</th><th scope="col" class="number">Start</th><th scope="col" class="number">Duration</th><th scope="col">Status</th></tr></thead>
<tbody>${rows.map(({ span, starts_ms }) => html`<tr><th scope="row"><bdi>${cut(span.name, 120)}</bdi></th><td>${nameOf(rows, span.parent_span_id)}</td><td>${span.kind}</td><td class="number">${lasted(starts_ms)}</td><td class="number">${lasted(span.duration_ms)}</td><td>${span.status}</td></tr>`)}</tbody>
</table>`;

const nameOf = (rows: readonly SpanRow[], id: string | null): string =>
  cut(rows.find(({ span }) => span.span_id === id)?.span.name ?? '', 120);
