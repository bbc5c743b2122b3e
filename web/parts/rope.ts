import { type Html, html } from '../server/html.ts';
import { block } from './block.ts';
import { lasted } from './run-state.ts';
import type { SpanRow } from './span-rows.ts';
import { cut } from './words.ts';

/** The main steps of a run as knots on a rope, each with its bar on one common time axis. */

const MOST_STEPS = 12;
const WIDTH = 1_000;
/** Keeps very short steps visible. */
const LEAST = 6;

/** Steps of the run itself: the parts of its root, or the root if it has none. Null if nothing was traced. */
export function stepsBlock(rows: readonly SpanRow[], whole_ms: number): Html | null {
  const parts = rows.filter(({ depth }) => depth === 1);
  const steps = parts.length > 0 ? parts : rows.filter(({ depth }) => depth === 0);
  if (steps.length === 0) return null;
  const more = steps.length - MOST_STEPS;
  return block({
    id: 'steps',
    title: 'Steps',
    shape: 'list-checks',
    label: lasted(whole_ms),
    content: html`<ol class="rope">${steps.slice(0, MOST_STEPS).map((row) => step(row, whole_ms))}</ol>
${more > 0 && html`<p class="fine">And ${more} more, in the trace below.</p>`}`,
  });
}

function step({ span, starts_ms }: SpanRow, wholeMs: number): Html {
  const scale = wholeMs === 0 ? 0 : WIDTH / wholeMs;
  const width = Math.min(WIDTH, Math.max(LEAST, span.duration_ms * scale));
  const x = Math.min(starts_ms * scale, WIDTH - width);
  const [words, object] = wordsOf(span.name);
  const hasFailed = span.status === 'error';
  return html`<li class="${hasFailed ? 'bad' : 'done'}"><span>${words}${object !== '' && html` <code><bdi>${cut(object, 80)}</bdi></code>`}${hasFailed && html` <span class="fine">failed</span>`}</span><span class="at">${lasted(span.duration_ms)}</span>
<svg class="w" viewBox="0 0 ${WIDTH} 6" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="${WIDTH}" height="6" rx="3"/><rect class="fill" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="6" rx="3"/></svg></li>`;
}

/** By the first word of the conventional name of a span. */
const WORDS: Record<string, string> = {
  load_skill: 'Read the skill',
  run_script: 'Run',
  chat: 'Ask',
  execute_tool: 'Call',
  invoke_agent: 'Run',
  plan: 'Plan the steps with',
};

function wordsOf(name: string): [words: string, object: string] {
  const space = name.indexOf(' ');
  const words = WORDS[space === -1 ? name : name.slice(0, space)];
  return words === undefined ? [cut(name, 120), ''] : [words, space === -1 ? '' : name.slice(space + 1)];
}
