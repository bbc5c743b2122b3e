import type { Capstan, Task, TaskEvent } from '../../sdk/src/index.ts';
import { stepText } from '../../sdk/src/stream-items.ts';
import { type Html, html } from '../server/html.ts';
import { block } from './block.ts';
import { hasEnded } from './run-state.ts';

/** The events and output of a run so far. While it runs, the island follows them from the beginning. */

interface Told {
  moves: { at: string; text: string; label: string }[];
  printed: { stream: 'stdout' | 'stderr'; text: string }[];
  is_cut: boolean;
}

const MOST_CHARACTERS = 200_000;

export async function toldOf(capstan: Capstan, task: Task): Promise<Told> {
  const told: Told = { moves: [], printed: [], is_cut: false };
  if (task.queued_at === null) return told;
  let room = MOST_CHARACTERS;
  let step = '';
  const { body } = await capstan.call('runtime.tasks.watch', { id: task.id, follow: false });
  for await (const { event, data } of body as AsyncIterable<TaskEvent>) {
    if (event === 'status') told.moves.push(moveOf(data));
    else if (event === 'step') {
      // How far a step is replaces what it was before.
      if (data.step === step) told.moves.pop();
      told.moves.push({ at: data.at, text: stepText(data), label: '' });
    } else if (room > 0) {
      told.printed.push({ stream: data.stream, text: data.text.slice(0, room).toWellFormed() });
      room -= data.text.length;
    } else told.is_cut = true;
    step = event === 'step' ? data.step : '';
  }
  return { ...told, is_cut: told.is_cut || room < 0 };
}

function moveOf({ at, status, status_reason }: Extract<TaskEvent, { event: 'status' }>['data']): Told['moves'][number] {
  return { at, text: status.replaceAll('_', ' '), label: status_reason?.replaceAll('_', ' ') ?? '' };
}

export const eventsSection = (task: Task, { moves, printed, is_cut }: Told): Html =>
  block({
    id: 'log',
    title: 'Log',
    shape: 'terminal',
    content: html`<ol class="moves" id="moves">${moves.map(({ at, text, label }) => html`<li><time datetime="${at}">${clock(at)}</time> ${text}${label !== '' && html` <span class="label">${label}</span>`}</li>`)}</ol>
<p class="fine" id="lost" role="status" hidden></p>
${!hasEnded(task) && html`<noscript><p class="fine">This page needs JavaScript to update automatically. <a href="/runs/${task.id}">Refresh</a></p></noscript>`}
<div class="printed"${printed.length === 0 && html` hidden`} id="printed"><h3>Console output</h3>
<pre tabindex="0" aria-label="Console output">${printed.map(({ stream, text }) => html`<span class="${stream}">${text}</span>`)}</pre>
${is_cut && html`<p class="fine">The rest of the output is not shown.</p>`}</div>`,
  });

/** Time of day with milliseconds. The `datetime` attribute has the full time. */
const clock = (at: string): string => at.slice(11, 23);
