import type { Task } from '../../sdk/src/index.ts';
import { type Answers, answerForm, readAnswer } from '../parts/answer-form.ts';
import { refLink } from '../parts/capability-ref.ts';
import { eventsSection, toldOf } from '../parts/run-events.ts';
import { hasEnded, repairPath, runState } from '../parts/run-state.ts';
import { inputSection, outputSection } from '../parts/run-values.ts';
import { signInFirst } from '../parts/sign-in-first.ts';
import { answerIn, questionForm } from '../parts/skill-needs.ts';
import { traceSection } from '../parts/waterfall.ts';
import { ago, cut } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Answer, Page, View, Visit } from '../server/page.ts';
import { receiptOf } from './receipt.ts';

/** `/runs/{id}`: a task of the reader, updated while it runs, with its trace and receipt afterwards. */
export const run: Page = {
  get: async (visit) => (visit.user === null ? signInFirst(visit) : view(visit, await taskOf(visit), null)),
  post: async (visit): Promise<Answer> => {
    const { capstan, form, params, path, user } = visit;
    if (user === null) return signInFirst(visit);
    const id = params.id as string;
    const asked = form.get('do');
    if (asked === 'cancel') await capstan.tasks.update({ id, body: { status: 'cancelled' } });
    if (asked === 'start') await capstan.tasks.start({ id });
    if (asked === 'grant') {
      const { install, environment } = answerIn(form);
      // Packages that are not accepted are not declined: the task asks again.
      const accepted = install ? { install, environment } : { environment };
      const input = form.get('decline') === 'yes' ? { install: false } : accepted;
      const { status } = await capstan.tasks.update({ id, body: { input } });
      if (status === 'input_required') await capstan.tasks.start({ id });
    }
    if (asked === 'answer') {
      const given = readAnswer(form);
      if ('fault' in given) return { ...(await view(visit, await taskOf(visit), given)), status: 422 };
      await capstan.tasks.update({ id, body: { input: given.input } });
      await capstan.tasks.start({ id });
    }
    return { location: path };
  },
};

const taskOf = ({ capstan, params }: Visit): Promise<Task> => capstan.tasks.get({ id: params.id as string });

async function view(visit: Visit, task: Task, given: Answers | null): Promise<View> {
  const { capstan, site } = visit;
  const { id, title, capability, execution_class, error } = task;
  const told = await toldOf(capstan, task);
  const content = html`<article class="run">
<header class="head"><p class="label"><a href="/dashboard/tasks">Runs</a> / ${refLink(capability)} ${cut(capability.version, 60)}</p>
<h1><bdi>${cut(title, 200)}</bdi></h1>
<p class="facts"><span class="kind ${execution_class}">${execution_class}</span><span>created ${ago(task.created_at, site.now())}</span><span><code title="${capability.digest}">${capability.digest.slice(0, 19)}…</code></span></p></header>
<div id="run" data-island="run" data-task="${id}" data-status="${task.status}">
${runState(task, error === null ? null : await errorPage(visit, error.code))}
${task.status === 'input_required' && (task.question === null ? answerForm(task, given) : questionForm(task.question, capability))}
${task.status === 'auth_required' && repair(task)}
<div class="columns"><div class="body">
${await outputSection(task, `/runs/${id}`, site.renderMarkdown)}
${eventsSection(task, told)}
</div><div class="side">${inputSection(task, `/runs/${id}`)}</div></div>
${hasEnded(task) && (await proof(visit, task))}
</div></article>`;
  return { title: cut(title, 80), content, unlisted: true };
}

/** Trace and receipt. */
async function proof(visit: Visit, { id, trace_id, receipt_id }: Task): Promise<Html> {
  const { spans } = trace_id === null ? { spans: [] } : await visit.capstan.tasks.getTrace({ id });
  return html`<div id="proof">
${trace_id !== null && spans.length > 0 && traceSection(trace_id, spans)}
${await receiptOf(visit, receipt_id, id)}
</div>`;
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

function repair({ capability }: Task): Html {
  const path = repairPath(capability);
  return html`<section class="ask" aria-labelledby="repair"><h2 id="repair">Sign-in required</h2>
<p>The server rejected the stored credentials. ${path === null ? html`Repair the connection, then restart the run.` : html`<a href="${path}">Repair the connection</a>, then restart the run.`}</p>
<form method="post"><input type="hidden" name="do" value="start"><button type="submit" class="button">Restart</button></form></section>`;
}
