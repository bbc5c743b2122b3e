import type { Capstan, Task, TaskEvent } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { hasEnded } from './run-state.ts';

/** What a run has gone through and printed. While it is at work its island tells it; afterwards it stands in the page. */

interface Told {
  moves: Extract<TaskEvent, { event: 'status' }>['data'][];
  printed: { stream: 'stdout' | 'stderr'; text: string }[];
  is_cut: boolean;
}

const MOST_CHARACTERS = 200_000;

/** Of a run that has ended: until then the stream would not. */
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
  html`<section aria-labelledby="log"><h2 id="log">What happened</h2>
<ol class="moves" id="moves">${moves.map(({ at, status, status_reason }) => html`<li><time datetime="${at}">${clock(at)}</time> ${status.replaceAll('_', ' ')}${status_reason !== null && html` <span class="label">${status_reason.replaceAll('_', ' ')}</span>`}</li>`)}</ol>
${!hasEnded(task) && html`<noscript><p class="fine">Without scripts this page does not renew itself. <a href="/runs/${task.id}">Look again</a>.</p></noscript>`}
<div class="printed"${printed.length === 0 && html` hidden`} id="printed"><h3>Printed</h3>
<pre tabindex="0" aria-label="What the run printed">${printed.map(({ stream, text }) => html`<span class="${stream}">${text}</span>`)}</pre>
${is_cut && html`<p class="fine">The rest is not shown.</p>`}</div>
</section>`;

/** Time of day with milliseconds; the whole time stands behind it. */
const clock = (at: string): string => at.slice(11, 23);
