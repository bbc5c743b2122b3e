import type { Task } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { refLink, tryPath } from './capability-ref.ts';
import { flag } from './flag.ts';
import { type IconName, icon } from './icon.ts';
import { bytesText } from './json-view.ts';
import { type Look, stateMark } from './state.ts';
import { ago, cut } from './words.ts';

/** The status of a run, its reason, and the actions of its owner. */

type State = Task['status'];

const STATES: Record<State, readonly [words: string, look: Look]> = {
  submitted: ['not started', ''],
  working: ['working', 'busy'],
  input_required: ['input required', 'warn'],
  auth_required: ['sign-in required', 'warn'],
  completed: ['completed', 'good'],
  failed: ['failed', 'bad'],
  cancelled: ['cancelled', ''],
  rejected: ['rejected', 'bad'],
};

const ENDED: readonly State[] = ['completed', 'failed', 'cancelled', 'rejected'];
export const hasEnded = ({ status }: Pick<Task, 'status'>): boolean => ENDED.includes(status);

type Stated = Pick<Task, 'status' | 'status_reason'>;

export const stateWord = (task: Stated): Html =>
  stateMark(STATES[task.status][1], SHAPES[task.status], stateText(task));

const stateText = ({ status, status_reason }: Stated): string =>
  `${STATES[status][0]}${status === 'working' && status_reason === 'queued' ? ', queued' : ''}`;

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
  /** The name of the connection whose tool was called; null for other runs, or if it is gone. */
  server: string | null;
}

/** In the panel of a run on the page of something else. */
export function runState(task: Task, facts: RunFacts): Html {
  return html`<section class="run-state" aria-labelledby="state"><h2 id="state" class="hidden">State</h2>
<p class="now" role="status">${stateWord(task)}${took(task) !== null && html` <span class="label">in ${took(task)}</span>`}${attemptWords(task)}</p>
${reasons(task, facts)}
<div class="ways">${hasEnded(task) ? endedWays(task) : openWays(task)}</div>
${newerNote(task, facts)}
${keptNote(task)}
</section>`;
}

/** On its own page: the title with what ran and when, and what its owner can do. */
export function runHead(task: Task, facts: RunFacts, now_ms: number): Html {
  const { title, capability, created_at, status } = task;
  const [, look] = STATES[status];
  return html`<header class="run-head"><div><h1><bdi>${cut(title, 200)}</bdi></h1>
<p class="facts"><span role="status" class="now-is">${stateMark(look, SHAPES[status], capitalized(stateText(task)))}</span><span>${flag(capability.ref, 's')}${whatRan(capability, facts)}</span>${capability.kind !== 'connection' && html`<span class="num">${cut(capability.version, 60)}</span>`}${took(task) !== null && html`<span>${icon('clock')}${took(task)}</span>`}<span>${ago(created_at, now_ms)}</span>${attemptWords(task)}</p></div>
<div class="acts">${hasEnded(task) ? html`${act('again', html`${icon('rotate-cw')}Run again`, '')}<a class="button plain" href="/runs/${task.id}/share">${icon('share-2')}Share</a>${moreWays(task)}` : openWays(task)}</div></header>
<div class="run-state">${reasons(task, facts)}${newerNote(task, facts)}</div>`;
}

/** A tool of a connection is named with its server. */
function whatRan(capability: Task['capability'], { server }: RunFacts): Html {
  if (server === null) return refLink(capability);
  const [id = '', ...tool] = capability.ref.split('/');
  return html`<a href="/dashboard/connections/${encodeURIComponent(id)}"><bdi>${cut(server, 80)}</bdi></a> <code><bdi>${cut(tool.join('/'), 120)}</bdi></code>`;
}

const SHAPES: Record<State, IconName> = {
  submitted: 'clock',
  working: 'loader-circle',
  input_required: 'hand',
  auth_required: 'log-in',
  completed: 'circle-check',
  failed: 'circle-x',
  cancelled: 'minus',
  rejected: 'circle-alert',
};

const capitalized = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** Null before its end. */
export function took({ started_at, finished_at }: Task): string | null {
  return started_at === null || finished_at === null ? null : lasted(Date.parse(finished_at) - Date.parse(started_at));
}

const attemptWords = ({ attempt }: Task): Html | false =>
  attempt > 1 && html` <span class="label">attempt ${attempt}</span>`;

const reasons = (task: Task, { error_page }: RunFacts): Html | false =>
  task.status === 'cancelled'
    ? html`<p>${stoppedWords(task)}</p>`
    : task.error !== null && failure(task, task.error, error_page);

const newerNote = ({ capability, id }: Task, { newer }: RunFacts): Html | false =>
  newer !== null &&
  html`<p class="fine">This run used version ${cut(capability.version, 60)}. Version ${cut(newer, 60)} is newer: <a href="${tryPath(capability, { from: id })}">run it with the newer version</a>.</p>`;

export const keptNote = ({ kept_until, stored_bytes }: Task): Html | false =>
  kept_until !== null &&
  html`<p class="fine">Kept until <time datetime="${kept_until}">${kept_until.slice(0, 10)}</time>, then deleted; its receipt stays. It uses ${bytesText(stored_bytes)} of your storage.</p>`;

const openWays = ({ status }: Task): Html =>
  html`${status === 'submitted' && act('start', 'Start', '')}${act('cancel', status === 'working' ? 'Stop' : 'Cancel', 'plain')}`;

const changeLink = ({ id, capability }: Task, look: string): Html =>
  html`<a class="${look}" href="${tryPath(capability, { from: id, version: capability.version })}">Change the input</a>`;

const endedWays = (task: Task): Html => html`${act('again', 'Run again', '')}
${changeLink(task, 'button plain')}
<a class="button plain" href="/runs/${task.id}/share">Share</a>
<a class="button plain" href="/runs/${task.id}/compare">Compare</a>
${deleteWay(task)}`;

const moreWays = (
  task: Task,
): Html => html`<details class="drop"><summary class="button quiet icon">${icon('ellipsis')}<span class="hidden">More</span></summary>
<div class="pop narrow"><ul><li>${changeLink(task, '')}</li>
<li><a href="/runs/${task.id}/compare">Compare</a></li>
${task.output !== null && html`<li><a href="/runs/${task.id}/download/output" download>Download the result</a></li>`}
<li>${deleteWay(task)}</li></ul></div></details>`;

const deleteWay = ({ receipt_id }: Task): Html =>
  act('delete', 'Delete', 'plain', receipt_id !== null && html`<span class="hidden">The receipt stays.</span>`);

const ENDED_PART: Record<Task['execution_class'], string> = {
  scripted: 'The script was stopped, with all of its processes.',
  mcp: 'The call was cancelled. The server may already have acted on it.',
  prompt: 'The request to the language model was cancelled.',
};

/** What was stopped, and what may have happened by then. */
function stoppedWords(task: Task): string {
  const after = took(task);
  return after === null
    ? 'Stopped before it started. Nothing ran.'
    : `Stopped after ${after}. ${ENDED_PART[task.execution_class]}`;
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
export const act = (name: string, label: Value, look: string, inner: Value = null): Html =>
  html`<form method="post"><input type="hidden" name="do" value="${name}">${inner}<button type="submit" class="button ${look}">${label}</button></form>`;

/** Where to sign in to the connection again; null if the run used no connection. */
export const repairPath = ({ kind, ref }: Task['capability']): string | null =>
  kind === 'connection' ? `/dashboard/connections/${encodeURIComponent(ref.split('/')[0] as string)}` : null;
