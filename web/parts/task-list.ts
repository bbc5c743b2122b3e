import type { TaskSummary } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { actButton } from './dashboard.ts';
import { ago, cut } from './words.ts';

/** Tasks with where they stand and what can be done about them. */

const STATES: Record<TaskSummary['status'], readonly [words: string, look: string]> = {
  submitted: ['not started', ''],
  working: ['working', 'busy'],
  input_required: ['asks for input', 'busy'],
  auth_required: ['waits for a sign-in', 'busy'],
  completed: ['completed', 'good'],
  failed: ['failed', 'bad'],
  cancelled: ['cancelled', ''],
  rejected: ['rejected', 'bad'],
};

export const TASK_STATES = Object.keys(STATES) as TaskSummary['status'][];
export const stateWords = (status: TaskSummary['status']): string => STATES[status][0];

export const isOpen = ({ status }: Pick<TaskSummary, 'status'>): boolean =>
  ['submitted', 'working', 'input_required', 'auth_required'].includes(status);

/** `at`: where its forms are taken. */
export const taskList = (tasks: readonly TaskSummary[], now_ms: number, has_forms = true): Html =>
  html`<ul class="rows">${tasks.map((it) => row(it, now_ms, has_forms))}</ul>`;

const row = (it: TaskSummary, now_ms: number, has_forms: boolean): Html => html`<li id="task-${it.id}">
<div class="what"><h3><a href="/runs/${it.id}"><bdi>${cut(it.title, 120)}</bdi></a></h3>
<p class="facts"><span class="state ${STATES[it.status][1]}">${STATES[it.status][0]}</span><span>${it.capability.kind} <bdi>${cut(it.capability.ref, 100)}</bdi></span>
<span>${ago(it.finished_at ?? it.created_at, now_ms)}</span>${it.receipt_id !== null && html`<a href="/api/receipts/${it.receipt_id}">receipt</a>`}</p>
${it.error !== null && html`<p class="fine" dir="auto">${cut(it.error.detail, 300)}</p>`}
${has_forms && it.status === 'input_required' && answerForm(it)}</div>
${has_forms && isOpen(it) && html`<div class="does">${it.status === 'submitted' && actButton('start', 'Start', { id: it.id }, '')}${it.status === 'auth_required' && actButton('start', 'Go on', { id: it.id }, '')}${actButton('cancel', 'Cancel', { id: it.id })}</div>`}
</li>`;

const answerForm = ({ id }: TaskSummary): Html => html`<form method="post" class="stack">
<input type="hidden" name="do" value="answer"><input type="hidden" name="id" value="${id}">
<label for="answer-${id}">Your answer <span class="label">JSON, or plain text</span></label>
<textarea id="answer-${id}" name="input" rows="3" required spellcheck="false"></textarea>
<div><button type="submit" class="button">Answer and go on</button></div></form>`;
