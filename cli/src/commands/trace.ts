import type { Command } from 'commander';
import type { TraceSpan } from '../../../sdk/src/index.ts';
import { contextOf } from '../context.ts';
import { cut, type Paint } from '../output.ts';
import type { World } from '../world.ts';

const BAR = 30;

export function addTrace(program: Command, world: World): void {
  program
    .command('trace')
    .summary('what happened in a run, step by step')
    .description('Show the spans of a run as a waterfall.')
    .argument('<id>', 'of a task, or of a trace')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const trace = /^[0-9a-f]{32}$/.test(id)
        ? await capstan.traces.getTrace({ trace_id: id })
        : await capstan.tasks.getTaskTrace({ id });
      context.show(trace, ({ spans }, paint) => waterfall(spans, paint));
      if (trace.spans.length === 0) context.say('Nothing ran.');
    });
}

export function waterfall(spans: readonly TraceSpan[], paint: Paint): string {
  const starts = spans.map(({ started_at }) => Date.parse(started_at));
  const begin = Math.min(...starts);
  const whole_ms = Math.max(1, ...spans.map(({ duration_ms }, at) => (starts[at] as number) - begin + duration_ms));
  const ids = new Set(spans.map(({ span_id }) => span_id));
  const depthOf = (span: TraceSpan, seen = 0): number => {
    const parent = spans.find(({ span_id }) => span_id === span.parent_span_id && ids.has(span_id));
    return parent === undefined || seen > 20 ? seen : depthOf(parent, seen + 1);
  };
  return spans
    .map((span, at) => {
      const from = Math.min(BAR - 1, Math.floor((((starts[at] as number) - begin) / whole_ms) * BAR));
      const length = Math.max(1, Math.min(BAR - from, Math.round((span.duration_ms / whole_ms) * BAR)));
      const bar = ' '.repeat(from) + '█'.repeat(length) + ' '.repeat(BAR - from - length);
      const name = `${'  '.repeat(depthOf(span))}${cut(span.name, 50)}`;
      return `${paint(span.status === 'error' ? 'red' : 'green', bar)} ${span.duration_ms.toFixed(0).padStart(7)} ms  ${name}`;
    })
    .join('\n');
}
