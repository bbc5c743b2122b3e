import type { Capstan, Task, TaskEvent } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { hasEnded } from './run-state.ts';

/** The events and output of a run. The island streams them while it runs; afterwards they are part of the page. */

interface Told {
  moves: Extract<TaskEvent, { event: 'status' }>['data'][];
  printed: { stream: 'stdout' | 'stderr'; text: string }[];
  is_cut: boolean;
}

const MOST_CHARACTERS = 200_000;

/** Only for a run that has ended, because the stream ends with the run. */
export async function toldOf(capstan: Capstan, task: Task): Promise<Told> {
  const told: Told = { moves: [], printed: [], is_cut: false };
  if (!hasEnded(task) || task.queued_at === null) return told;
  let room = MOST_CHARACTERS;
  for await (const { event, data } of capstan.tasks.watch({ id: task.id })) {
    if (event === 'status') told.moves.push(data);
    else if (event === 'output' && room > 0)
      told.printed.push({ stream: data.stream, text: data.text.slice(0, room).toWellFormed() });
    if (event === 'output') room -= data.text.length;
  }
  return { ...told, is_cut: room < 0 };
}

export const eventsSection = (task: Task, { moves, printed, is_cut }: Told): Html =>
  html`<section aria-labelledby="log"><h2 id="log">Log</h2>
<ol class="moves" id="moves">${moves.map(({ at, status, status_reason }) => html`<li><time datetime="${at}">${clock(at)}</time> ${status.replaceAll('_', ' ')}${status_reason !== null && html` <span class="label">${status_reason.replaceAll('_', ' ')}</span>`}</li>`)}</ol>
${!hasEnded(task) && html`<noscript><p class="fine">This page needs JavaScript to update automatically. <a href="/runs/${task.id}">Refresh</a></p></noscript>`}
<div class="printed"${printed.length === 0 && html` hidden`} id="printed"><h3>Console output</h3>
<pre tabindex="0" aria-label="Console output">${printed.map(({ stream, text }) => html`<span class="${stream}">${text}</span>`)}</pre>
${is_cut && html`<p class="fine">The rest of the output is not shown.</p>`}</div>
</section>`;

/** Time of day with milliseconds. The `datetime` attribute has the full time. */
const clock = (at: string): string => at.slice(11, 23);
