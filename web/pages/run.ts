import type { Task } from '../../sdk/src/index.ts';
import type { Answers } from '../parts/answer-form.ts';
import { refLink } from '../parts/capability-ref.ts';
import { runAct, runPanel } from '../parts/run-panel.ts';
import { hasEnded } from '../parts/run-state.ts';
import { signInFirst } from '../parts/sign-in-first.ts';
import { traceSection } from '../parts/waterfall.ts';
import { ago, cut } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Answer, Page, View, Visit } from '../server/page.ts';
import { receiptOf } from './receipt.ts';

/** `/runs/{id}`: a task of the reader, updated while it runs, with its trace and receipt afterwards. */
export const run: Page = {
  get: async (visit) => (visit.user === null ? signInFirst(visit) : view(visit, await taskOf(visit), null)),
  post: async (visit): Promise<Answer> => {
    if (visit.user === null) return signInFirst(visit);
    const done = await runAct(visit, visit.params.id as string);
    if (typeof done === 'object' && done !== null)
      return { ...(await view(visit, await taskOf(visit), done)), status: 422 };
    return { location: done || visit.path };
  },
};

const taskOf = ({ capstan, params }: Visit): Promise<Task> => capstan.tasks.get({ id: params.id as string });

async function view(visit: Visit, task: Task, given: Answers | null): Promise<View> {
  const { title, capability, execution_class, created_at } = task;
  const proof = hasEnded(task) && (await proofOf(visit, task));
  const content = html`<article class="run">
<header class="head"><p class="label"><a href="/dashboard/tasks">Runs</a> / ${refLink(capability)}${capability.kind !== 'connection' && html` ${cut(capability.version, 60)}`}</p>
<h1><bdi>${cut(title, 200)}</bdi></h1>
<p class="facts"><span class="kind ${execution_class}">${execution_class}</span><span>created ${ago(created_at, visit.site.now())}</span><span><code title="${capability.digest}">${capability.digest.slice(0, 19)}…</code></span></p></header>
${await runPanel(visit, task, { given, proof, is_brief: false })}</article>`;
  return { title: cut(title, 80), content, unlisted: true };
}

/** Trace and receipt. */
async function proofOf(visit: Visit, { id, trace_id, receipt_id }: Task): Promise<Html> {
  const { spans } = trace_id === null ? { spans: [] } : await visit.capstan.tasks.getTrace({ id });
  return html`<div id="proof">
${trace_id !== null && spans.length > 0 && traceSection(trace_id, spans)}
${await receiptOf(visit, receipt_id, id)}
</div>`;
}
