import type { Operations, TraceSpan } from '../../../sdk/src/index.ts';
import { command } from '../command.ts';
import { cut, type Paint, safe } from '../output.ts';

const BAR = 30;

/** The trace of a task or of any run, including linked traces. */
type Trace = Operations['tasks']['getTrace']['answer'] & Partial<Pick<Operations['traces']['get']['answer'], 'linked'>>;

export const trace = command('trace <id>', {
  summary: 'show the trace of a run',
  about: 'Show the spans of a run as a waterfall.',
  args: { id: 'task or trace id' },
  call: async ({ capstan }, { id }): Promise<Trace> =>
    /^[0-9a-f]{32}$/.test(id) ? capstan.traces.get({ trace_id: id }) : capstan.tasks.getTrace({ id }),
  text: ({ spans }, paint) => waterfall(spans, paint),
  after({ say }, answer) {
    const { spans, linked = [] } = answer;
    for (const host of spans.flatMap(hostsOf)) say(`Host ${safe(host)}`);
    for (const { trace_id, name } of linked) say(`Linked trace: ${trace_id} (${cut(name, 50)})`);
    if (spans.length === 0 && linked.length === 0) say('No spans.');
  },
});

/** What the package of a span reached and was refused, a line each. */
function hostsOf({ attributes }: TraceSpan): string[] {
  const hosts = attributes['capstan.package.hosts'];
  return Array.isArray(hosts) ? hosts.map(String) : [];
}

function waterfall(spans: readonly TraceSpan[], paint: Paint): string {
  const starts = spans.map(({ started_at }) => Date.parse(started_at));
  const begin = Math.min(...starts);
  const wholeMs = Math.max(1, ...spans.map(({ duration_ms }, at) => (starts[at] as number) - begin + duration_ms));
  const ids = new Set(spans.map(({ span_id }) => span_id));
  const depthOf = (span: TraceSpan, seen = 0): number => {
    const parent = spans.find(({ span_id }) => span_id === span.parent_span_id && ids.has(span_id));
    return parent === undefined || seen > 20 ? seen : depthOf(parent, seen + 1);
  };
  return spans
    .map((span, at) => {
      const from = Math.min(BAR - 1, Math.floor((((starts[at] as number) - begin) / wholeMs) * BAR));
      const length = Math.max(1, Math.min(BAR - from, Math.round((span.duration_ms / wholeMs) * BAR)));
      const bar = ' '.repeat(from) + '█'.repeat(length) + ' '.repeat(BAR - from - length);
      const name = `${'  '.repeat(depthOf(span))}${cut(span.name, 50)}`;
      return `${paint(span.status === 'error' ? 'red' : 'green', bar)} ${span.duration_ms.toFixed(0).padStart(7)} ms  ${name}`;
    })
    .join('\n');
}
