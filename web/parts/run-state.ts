import type { Task } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { tryPath } from './capability-ref.ts';
import { cut } from './words.ts';

/** The status of a run, its reason, and the actions of its owner. */

type State = Task['status'];

const STATES: Record<State, readonly [words: string, look: string]> = {
  submitted: ['not started', 'busy'],
  working: ['working', 'busy'],
  input_required: ['input required', 'busy'],
  auth_required: ['sign-in required', 'busy'],
  completed: ['completed', 'good'],
  failed: ['failed', 'bad'],
  cancelled: ['cancelled', ''],
  rejected: ['refused', 'bad'],
};

const ENDED: readonly State[] = ['completed', 'failed', 'cancelled', 'rejected'];
export const hasEnded = ({ status }: Pick<Task, 'status'>): boolean => ENDED.includes(status);

function stateWord({ status, status_reason }: Pick<Task, 'status' | 'status_reason'>): Html {
  const [words, look] = STATES[status];
  const why = status === 'working' && status_reason === 'queued' ? ', queued' : '';
  return html`<span class="state ${look}">${words}${why}</span>`;
}

/** 412 ms, 3.2 s, 4 min 10 s. */
export function lasted(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms * 10) / 10 >= 10 ? Math.round(ms) : Math.round(ms * 10) / 10} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

export function runState(task: Task, error_page: string | null): Html {
  const { id, capability, started_at, finished_at, attempt } = task;
  const took = started_at !== null && finished_at !== null ? Date.parse(finished_at) - Date.parse(started_at) : null;
  const again = tryPath(capability, { from: id });
  return html`<section class="run-state" aria-labelledby="state"><h2 id="state" class="hidden">State</h2>
<p class="now" role="status">${stateWord(task)}${took !== null && html` <span class="label">in ${lasted(took)}</span>`}${attempt > 1 && html` <span class="label">attempt ${attempt}</span>`}</p>
${task.error !== null && failure(task.error, error_page)}
<div class="ways">
${task.status === 'submitted' && act('start', 'Start', '')}
${!hasEnded(task) && act('cancel', 'Cancel', 'plain')}
${hasEnded(task) && html`<a class="button plain" href="${again}">Run again</a>`}
</div></section>`;
}

const failure = ({ code, detail }: NonNullable<Task['error']>, page: string | null): Html =>
  html`<div class="failure"><p dir="auto">${cut(detail, 2_000)}</p>
<p class="fine">${page === null ? html`<code>${code}</code>` : html`<a href="/docs/errors/${page}">What <code>${code}</code> means</a>`}</p></div>`;

/** A form that consists of one button. */
export const act = (name: string, label: string, look: string, inner: Value = null): Html =>
  html`<form method="post"><input type="hidden" name="do" value="${name}">${inner}<button type="submit" class="button ${look}">${label}</button></form>`;

/** Where to sign in to the connection again; null if the run used no connection. */
export const repairPath = ({ kind, ref }: Task['capability']): string | null =>
  kind === 'connection' ? `/dashboard/connections/${encodeURIComponent(ref.split('/')[0] as string)}` : null;
