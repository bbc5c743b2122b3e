import { CapstanError, type Task } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { Visit } from '../server/page.ts';
import { type Answers, answerForm, readAnswer } from './answer-form.ts';
import { repairButton } from './connection-list.ts';
import { newerVersion } from './newer-version.ts';
import { eventsSection, toldOf } from './run-events.ts';
import { hasEnded, keptNote, type RunFacts, repairPath, runHead, runState } from './run-state.ts';
import { formIn, inputSection, outputSection } from './run-values.ts';
import { replyIn, serverForm } from './server-form.ts';
import { answerIn, questionForm } from './skill-needs.ts';

/** A run of the reader on any page: state, result and log, followed live by its island, and what its forms do. */

interface PanelParts {
  /** An invalid answer to what the run asks. */
  given: Answers | null;
  /** The address of the page, which shows this run. */
  page: string;
  /** After everything else once the run has ended. */
  proof: Value;
}

/** On the page of something else, which shows the input itself. */
export async function runPanel(visit: Visit, task: Task, { given, page, proof }: PanelParts): Promise<Html> {
  const { capstan, site, query } = visit;
  const told = await toldOf(capstan, task);
  return panel(
    task,
    html`${runState(task, await factsOf(visit, task))}
${await wanted(visit, task, given)}
<div class="body">
${await outputSection(task, { path: `/runs/${task.id}`, page, form: formIn(query) }, site)}
${eventsSection(task, told)}
</div>
${hasEnded(task) && proof}`,
  );
}

interface PageParts {
  given: Answers | null;
  /** Once the run has ended: its main steps, its whole trace, and its receipt. */
  proof: { steps: Value; trace: Value; receipt: Value } | null;
  /** Who can see the input. */
  seen_by: string;
}

/** On its own page: the result first, the receipt beside it. */
export async function runPage(visit: Visit, task: Task, { given, proof, seen_by }: PageParts): Promise<Html> {
  const { capstan, site, query } = visit;
  const path = `/runs/${task.id}`;
  const told = await toldOf(capstan, task);
  const receipt = proof?.receipt ?? null;
  return panel(
    task,
    html`${runHead(task, await factsOf(visit, task), site.now())}
${await wanted(visit, task, given)}
<div class="${receipt !== null && 'run-columns'}"><div class="stack-wide">
${await outputSection(task, { path, page: path, form: formIn(query) }, site)}
${proof !== null && html`<div class="proof">${proof.steps}</div>`}
${await inputSection(task, { path, seen_by }, site)}
${eventsSection(task, told)}
${proof !== null && html`<div class="proof" id="proof">${proof.trace}</div>`}
${keptNote(task)}
</div>${receipt !== null && html`<aside class="proof" aria-label="Proof">${receipt}</aside>`}</div>`,
  );
}

const panel = ({ id, status }: Task, content: Html): Html =>
  html`<div id="run" data-island="run" data-task="${id}" data-status="${status}">
${content}
</div>`;

/** What the run waits for. */
const wanted = async (visit: Visit, task: Task, given: Answers | null): Promise<Html> =>
  html`${task.status === 'input_required' && asked(task, given)}
${(task.status === 'auth_required' || task.status_reason === 'auth_needed') && (await repair(visit, task))}`;

function asked(task: Task, given: Answers | null): Html {
  const { question, server_question, capability } = task;
  if (server_question !== null) return serverForm(server_question, given?.fault ?? null);
  return question === null ? answerForm(task, given) : questionForm(question, capability);
}

/**
 * Does what a form of the panel asks. Answers the path to go to, null to stay, an invalid answer to show again, or false
 * for forms of others.
 */
export async function runAct(
  { capstan, form }: Visit & { form: URLSearchParams },
  id: string,
): Promise<string | null | Answers | false> {
  switch (form.get('do')) {
    case 'again':
      return `/runs/${(await capstan.tasks.again({ id })).id}`;
    case 'delete':
      await capstan.tasks.delete({ id });
      return '/dashboard/tasks?done=task_deleted';
    case 'cancel':
      await stop({ capstan }, id);
      return null;
    case 'start':
      await capstan.tasks.start({ id });
      return null;
    case 'grant':
      await grant({ capstan, form }, id);
      return null;
    case 'reply':
      return reply({ capstan, form }, id);
    case 'answer': {
      const given = readAnswer(form);
      if ('fault' in given) return given;
      const { status } = await capstan.tasks.update({ id, body: { input: given.input } });
      if (status === 'input_required') await capstan.tasks.start({ id });
      return null;
    }
    default:
      return false;
  }
}

/** A question that was answered elsewhere or has expired is no longer there: the page shows how it went on. */
async function reply(
  { capstan, form }: Pick<Visit & { form: URLSearchParams }, 'capstan' | 'form'>,
  id: string,
): Promise<null | Answers> {
  const { server_question } = await capstan.tasks.get({ id });
  if (server_question === null || server_question.id !== form.get('question')) return null;
  try {
    await capstan.tasks.update({ id, body: { input: replyIn(form, server_question) } });
    return null;
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status !== 422) throw error;
    const faults = (error.errors ?? []).map(({ pointer, detail }) => `${pointer.split('/').at(-1)} ${detail}`);
    return { text: '', fault: faults.length === 0 ? error.detail : faults.join('; ') };
  }
}

async function grant(
  { capstan, form }: Pick<Visit & { form: URLSearchParams }, 'capstan' | 'form'>,
  id: string,
): Promise<void> {
  const { install, environment } = answerIn(form);
  // Packages that are not accepted are not declined: the task asks again.
  const accepted = install ? { install, environment } : { environment };
  const input = form.get('decline') === 'yes' ? { install: false } : accepted;
  const { status } = await capstan.tasks.update({ id, body: { input } });
  if (status === 'input_required') await capstan.tasks.start({ id });
}

/** A running task stops within a second, so the page that follows says what was stopped. */
async function stop({ capstan }: Pick<Visit, 'capstan'>, id: string): Promise<void> {
  const { status } = await capstan.tasks.update({ id, body: { status: 'cancelled' } });
  if (status !== 'working') return;
  const signal = AbortSignal.timeout(STOP_MS);
  try {
    for await (const { event, data } of capstan.tasks.watch({ id }, { signal }))
      if (event === 'status' && hasEnded(data)) return;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const STOP_MS = 2_000;

async function factsOf(visit: Visit, task: Task): Promise<RunFacts> {
  const { error, capability } = task;
  const [error_page, newer, connection] = await Promise.all([
    error === null ? null : errorPage(visit, error.code),
    hasEnded(task) ? newerVersion(visit.capstan, capability) : null,
    connectionOf(visit, capability),
  ]);
  return { error_page, newer, server: connection?.name ?? null };
}

/** The page of the error code. Runs name a failure by its reason or by the last part of its code. */
async function errorPage({ site }: Visit, word: string): Promise<string | null> {
  const codes = await site.problem_codes();
  const known = codes.find(({ code, reasons }) => FEATURES.test(code) && reasons.includes(word));
  if (known !== undefined) return `${known.code}#${word}`;
  return codes.find(({ code }) => code === word || code === `runs.${word}` || code === `tasks.${word}`)?.code ?? null;
}

/** Areas whose errors can end a run. */
const FEATURES = /^(?:connections|marketplace|rigs|runs|tasks|users)\./;

/** Null for runs without one, or if it is gone. */
async function connectionOf({ capstan }: Pick<Visit, 'capstan'>, capability: Task['capability']) {
  const at = repairPath(capability);
  return at === null ? null : found(capstan.connections.get({ id: at.split('/').at(-1) as string }));
}

/** A run that waits is restarted; one that has failed has its own button to run again. */
async function repair({ capstan, path, query }: Visit, { capability, status }: Task): Promise<Html | null> {
  const connection = await connectionOf({ capstan }, capability);
  const isBroken = connection !== null && connection.status === 'auth_required';
  const waits = status === 'auth_required';
  if (!waits && !isBroken) return null;
  return html`<section class="ask" aria-labelledby="repair"><h2 id="repair">Sign-in required</h2>
<p>The server rejected the stored credentials. Repair the connection, then ${waits ? 'restart the run' : 'run it again'}.</p>
<div class="ways">${isBroken && repairButton(connection, { to: `${path}${query.size === 0 ? '' : `?${query}`}` })}
${waits && html`<form method="post"><input type="hidden" name="do" value="start"><button type="submit" class="button plain">Restart</button></form>`}</div></section>`;
}

/** Null if it was deleted in the meantime. */
async function found<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CapstanError && error.status === 404) return null;
    throw error;
  }
}
