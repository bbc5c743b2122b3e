import type { RunStatement } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { block } from './block.ts';
import { icon } from './icon.ts';
import { bytesText } from './json-view.ts';
import { lasted } from './run-state.ts';
import type { SpanRow } from './span-rows.ts';
import { cut } from './words.ts';

/** The main steps of a run as knots on a rope, each with its bar on one common time axis. */

const MOST_STEPS = 12;
const WIDTH = 1_000;
/** Keeps very short steps visible. */
const LEAST = 6;

interface Step {
  /** The name of its span. */
  name: string;
  starts_ms: number;
  duration_ms: number;
  is_failed: boolean;
}

/** As a receipt states them. */
type HostUses = NonNullable<Extract<RunStatement['predicate']['environment'], { hosts?: unknown }>['hosts']>;

interface StepsFacts {
  whole_ms: number;
  /** Null where nothing of the network is known. */
  hosts: HostUses | null;
}

/** Steps of the run itself: the parts of its root, or the root if it has none. Null if nothing was traced. */
export function stepsBlock(rows: readonly SpanRow[], { whole_ms, hosts }: StepsFacts): Html | null {
  const parts = rows.filter(({ depth }) => depth === 1);
  const shown = parts.length > 0 ? parts : rows.filter(({ depth }) => depth === 0);
  const steps = shown.map(({ span: { name, status, duration_ms }, starts_ms }) => ({
    name,
    starts_ms,
    duration_ms,
    is_failed: status === 'error',
  }));
  return ropeBlock(steps, { whole_ms, more: 'in the trace below', hosts });
}

const MOST_HOSTS = 20;

/** No trace has the times of these, so they follow the steps. */
function hostLines({ reached, refused, complete }: HostUses): Html | false {
  const lines = [
    ...reached.map(
      ({ host, port, bytes_in, bytes_out }) =>
        html`<li>${icon('globe')}<span>Reached <code><bdi>${cut(host, 200)}</bdi>:${port}</code> <span class="fine">${bytesText(bytes_out)} sent, ${bytesText(bytes_in)} received</span></span></li>`,
    ),
    ...refused.map(
      ({ host, port, reason }) =>
        html`<li class="no">${icon('hand')}<span>Refused <code><bdi>${cut(host, 200)}</bdi>:${port}</code> <span class="fine">${cut(reason.replaceAll('_', ' '), 100)}</span></span></li>`,
    ),
  ];
  const left = lines.length - MOST_HOSTS;
  return (
    lines.length > 0 &&
    html`<ul class="reached" aria-label="Hosts">${lines.slice(0, MOST_HOSTS)}</ul>
${(left > 0 || !complete) && html`<p class="fine">${left > 0 && `And ${left} more hosts. `}${!complete && 'Some hosts are not listed: there were too many.'}</p>`}`
  );
}

/** Null without steps. */
export function ropeBlock(
  steps: readonly Step[],
  { whole_ms, more, hosts = null }: { whole_ms: number; more: string | null; hosts?: HostUses | null },
): Html | null {
  if (steps.length === 0) return null;
  const left = steps.length - MOST_STEPS;
  return block({
    id: 'steps',
    title: 'Steps',
    shape: 'list-checks',
    label: lasted(whole_ms),
    content: html`${rope(steps.slice(0, MOST_STEPS).map((one) => knotOf(one, whole_ms)))}
${left > 0 && html`<p class="fine">And ${left} more${more !== null && html`, ${more}`}.</p>`}
${hosts !== null && hostLines(hosts)}`,
  });
}

/** One thing of an order, with what is known of it. */
interface Knot {
  /** `now` is moving, `stop` needs the reader, `wait` has not begun. */
  look: 'done' | 'now' | 'stop' | 'bad' | 'wait';
  words: Value;
  /** At the right: when it was, or how long it took. */
  at?: Value;
  fine?: Value;
  bar?: Html;
}

export const rope = (knots: readonly Knot[]): Html =>
  html`<ol class="rope">${knots.map(({ look, words, at, fine, bar }) => html`<li class="${look}"><span>${words}</span>${at !== undefined && html`<span class="at">${at}</span>`}${fine !== undefined && html`<span class="fine">${fine}</span>`}${bar}</li>`)}</ol>`;

function knotOf({ name, starts_ms, duration_ms, is_failed }: Step, wholeMs: number): Knot {
  const scale = wholeMs === 0 ? 0 : WIDTH / wholeMs;
  const width = Math.min(WIDTH, Math.max(LEAST, duration_ms * scale));
  const x = Math.min(starts_ms * scale, WIDTH - width);
  const [words, object] = wordsOf(name);
  return {
    look: is_failed ? 'bad' : 'done',
    words: html`${words}${object !== '' && html` <code><bdi>${cut(object, 80)}</bdi></code>`}${is_failed && html` <span class="fine">failed</span>`}`,
    at: lasted(duration_ms),
    bar: html`<svg class="w" viewBox="0 0 ${WIDTH} 6" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="${WIDTH}" height="6" rx="3"/><rect class="fill" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="6" rx="3"/></svg>`,
  };
}

/** By the first word of the conventional name of a span. */
const WORDS: Record<string, string> = {
  load_skill: 'Read the skill',
  run_script: 'Run',
  chat: 'Ask',
  execute_tool: 'Call',
  invoke_agent: 'Run',
  plan: 'Plan the steps with',
  'tools/call': 'Call',
};

/** Of spans that are shown without the name of what they called. */
const BARE: Record<string, string> = {
  load_skill: 'Read the skill',
  run_script: 'Run the script',
  chat: 'Ask the language model',
  execute_tool: 'Run the capability',
  invoke_agent: 'Run the agent',
  invoke_rig: 'Run the rig',
  plan: 'Plan the steps',
  'tools/call': 'Call the tool',
  'tools/list': 'List the tools',
};

function wordsOf(name: string): [words: string, object: string] {
  const space = name.indexOf(' ');
  if (space === -1) return [BARE[name] ?? cut(name, 120), ''];
  const words = WORDS[name.slice(0, space)];
  return words === undefined ? [cut(name, 120), ''] : [words, name.slice(space + 1)];
}
