import type { Task } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { tryPath } from './capability-ref.ts';
import { bytesText } from './json-view.ts';
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
  rejected: ['rejected', 'bad'],
};

const ENDED: readonly State[] = ['completed', 'failed', 'cancelled', 'rejected'];
export const hasEnded = ({ status }: Pick<Task, 'status'>): boolean => ENDED.includes(status);

export function stateWord({ status, status_reason }: Pick<Task, 'status' | 'status_reason'>): Html {
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

/** What the owner of a run needs to know beside the run itself. */
export interface RunFacts {
  /** The page of the error code; null without one. */
  error_page: string | null;
  /** A newer version of the capability; null if there is none, or none is known. */
  newer: string | null;
}

export function runState(task: Task, { error_page, newer }: RunFacts): Html {
  const { id, started_at, finished_at, attempt } = task;
  const took = started_at !== null && finished_at !== null ? Date.parse(finished_at) - Date.parse(started_at) : null;
  return html`<section class="run-state" aria-labelledby="state"><h2 id="state" class="hidden">State</h2>
<p class="now" role="status">${stateWord(task)}${took !== null && html` <span class="label">in ${lasted(took)}</span>`}${attempt > 1 && html` <span class="label">attempt ${attempt}</span>`}</p>
${task.status === 'cancelled' ? html`<p>${stoppedWords(task, took)}</p>` : task.error !== null && failure(task, task.error, error_page)}
<div class="ways">${hasEnded(task) ? endedWays(task) : openWays(task)}</div>
${newer !== null && html`<p class="fine">This run used version ${cut(task.capability.version, 60)}. Version ${cut(newer, 60)} is newer: <a href="${tryPath(task.capability, { from: id })}">run it with the newer version</a>.</p>`}
${task.kept_until !== null && html`<p class="fine">Kept until <time datetime="${task.kept_until}">${task.kept_until.slice(0, 10)}</time>, then deleted; its receipt stays. It takes ${bytesText(task.stored_bytes)} of your storage.</p>`}
</section>`;
}

const openWays = ({ status }: Task): Html =>
  html`${status === 'submitted' && act('start', 'Start', '')}${act('cancel', status === 'working' ? 'Stop' : 'Cancel', 'plain')}`;

const endedWays = ({ id, capability, receipt_id }: Task): Html => html`${act('again', 'Run again', '')}
<a class="button plain" href="${tryPath(capability, { from: id, version: capability.version })}">Change the input</a>
<a class="button plain" href="/runs/${id}/share">Share</a>
<a class="button plain" href="/runs/${id}/compare">Compare</a>
${act('delete', 'Delete', 'plain', receipt_id !== null && html`<span class="hidden">The receipt stays.</span>`)}`;

const ENDED_PART: Record<Task['execution_class'], string> = {
  scripted: 'The script was ended, and no process of it is left.',
  mcp: 'The call was ended. The server may have acted on it before.',
  prompt: 'The request to the language model was ended.',
};

/** What was stopped, and what may have happened by then. */
function stoppedWords({ execution_class, started_at }: Task, tookMs: number | null): string {
  if (started_at === null || tookMs === null) return 'Stopped before it began. Nothing ran.';
  return `Stopped after ${lasted(tookMs)}. ${ENDED_PART[execution_class]}`;
}

const failure = (task: Task, { code, detail }: NonNullable<Task['error']>, page: string | null): Html =>
  html`<div class="failure"><p dir="auto">${cut(detail, 2_000)}</p>
${nextStep(task)}
<p class="fine">${page === null ? html`<code>${code}</code>` : html`<a href="/docs/errors/${page}">What <code>${code}</code> means</a>`}</p></div>`;

/** The next step after a failure, for reasons that have one. */
function nextStep({ id, capability, status_reason }: Task): Html | null {
  const change = tryPath(capability, { from: id });
  const hosts = capability.kind === 'connection' ? `${repairPath(capability)}#package` : null;
  const steps: Record<string, Html> = {
    input_unfit: html`<a href="${change}">Change the input</a> and run it again.`,
    tool_error: html`<a href="${change}">Change the input</a> if the error is about it.`,
    exit_code: html`The <a href="#log">log</a> has what the script printed.`,
    timed_out: html`Run it with less input, or ask the operator for a longer time limit.`,
    output_exceeded: html`<a href="${change}">Ask for less</a>, so that the result fits.`,
    unreachable: html`The server does not answer. Run it again later.`,
    server_failed: html`The server failed. Run it again later.`,
    start_failed: html`The server did not start. Its settings may be missing.`,
    wants_network:
      hosts === null
        ? html`It needs hosts that are not allowed.`
        : html`<a href="${hosts}">Allow the hosts that it needs</a>, then run it again.`,
    model_required: html`This needs a language model. <a href="/docs/language-models">Set one up</a>.`,
  };
  const step = steps[status_reason ?? ''];
  return step === undefined ? null : html`<p>${step}</p>`;
}

/** A form that consists of one button. */
export const act = (name: string, label: string, look: string, inner: Value = null): Html =>
  html`<form method="post"><input type="hidden" name="do" value="${name}">${inner}<button type="submit" class="button ${look}">${label}</button></form>`;

/** Where to sign in to the connection again; null if the run used no connection. */
export const repairPath = ({ kind, ref }: Task['capability']): string | null =>
  kind === 'connection' ? `/dashboard/connections/${encodeURIComponent(ref.split('/')[0] as string)}` : null;
