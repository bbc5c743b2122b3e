import type { TaskSummary } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { refLink } from './capability-ref.ts';
import { actButton } from './dashboard.ts';
import { type Look, plainState } from './state.ts';
import { ago, cut } from './words.ts';

/** A list of tasks with their status and actions. */

const STATES: Record<TaskSummary['status'], readonly [words: string, look: Look]> = {
  submitted: ['not started', ''],
  working: ['working', 'busy'],
  input_required: ['input required', 'warn'],
  auth_required: ['sign-in required', 'warn'],
  completed: ['completed', 'good'],
  failed: ['failed', 'bad'],
  cancelled: ['cancelled', ''],
  rejected: ['rejected', 'bad'],
};

export const TASK_STATES = Object.keys(STATES) as TaskSummary['status'][];
export const stateWords = (status: TaskSummary['status']): string => STATES[status][0];

export const isOpen = ({ status }: Pick<TaskSummary, 'status'>): boolean =>
  ['submitted', 'working', 'input_required', 'auth_required'].includes(status);

/** `has_forms` adds the forms that act on a task. */
export const taskList = (tasks: readonly TaskSummary[], now_ms: number, has_forms = true): Html =>
  html`<ul class="rows">${tasks.map((task) => row(task, now_ms, has_forms))}</ul>`;

const row = (task: TaskSummary, nowMs: number, hasForms: boolean): Html => html`<li id="task-${task.id}">
<div class="what"><h3><a href="/runs/${task.id}"><bdi>${cut(task.title, 120)}</bdi></a></h3>
<p class="facts">${plainState(STATES[task.status][1], STATES[task.status][0])}<span>${refLink(task.capability)}</span>
<span>${ago(task.finished_at ?? task.created_at, nowMs)}</span>${task.receipt_id !== null && html`<a href="/receipts/${task.receipt_id}">receipt</a>`}</p>
${task.error !== null && html`<p class="fine" dir="auto">${cut(task.error.detail, 300)}</p>`}
${hasForms && task.status === 'input_required' && answerForm(task)}</div>
${hasForms && isOpen(task) && html`<div class="does">${task.status === 'submitted' && actButton('start', 'Start', { id: task.id }, '')}${task.status === 'auth_required' && actButton('start', 'Continue', { id: task.id }, '')}${actButton('cancel', 'Cancel', { id: task.id })}</div>`}
</li>`;

const answerForm = ({ id }: TaskSummary): Html => html`<form method="post" class="stack">
<input type="hidden" name="do" value="answer"><input type="hidden" name="id" value="${id}">
<label for="answer-${id}">Your answer <span class="label">JSON, or plain text</span></label>
<textarea id="answer-${id}" name="input" rows="3" required spellcheck="false"></textarea>
<div><button type="submit" class="button">Submit</button></div></form>`;
