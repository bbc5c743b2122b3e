import type { Task } from '../../sdk/src/index.ts';
import type { Answers } from '../parts/answer-form.ts';
import { icon } from '../parts/icon.ts';
import { stepsBlock } from '../parts/rope.ts';
import { runAct, runPage } from '../parts/run-panel.ts';
import { hasEnded } from '../parts/run-state.ts';
import { signInFirst } from '../parts/sign-in-first.ts';
import { spanRows } from '../parts/span-rows.ts';
import { traceSection } from '../parts/waterfall.ts';
import { cut } from '../parts/words.ts';
import { html } from '../server/html.ts';
import type { Answer, Page, View, Visit } from '../server/page.ts';
import { type Proof, proofOf } from './receipt.ts';

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
  const { title, id } = task;
  const [proof, { items: shares }] = await Promise.all([
    hasEnded(task) ? shownProof(visit, task) : null,
    visit.capstan.tasks.listShares({ id }),
  ]);
  const isShared = shares.some(({ shows }) => shows.input);
  const seen_by = isShared ? 'Anyone with your link can see it' : 'Only you can see it';
  const content = html`<article class="run">
<nav class="crumbs" aria-label="Breadcrumb"><a href="/dashboard/tasks">Runs</a>${icon('chevron-right')}<code title="${id}">${id.slice(0, 13)}</code></nav>
${await runPage(visit, task, { given, proof, seen_by })}</article>`;
  return { title: cut(title, 80), content, unlisted: true };
}

async function shownProof(visit: Visit, { id, trace_id, receipt_id }: Task) {
  const [{ spans }, receipt] = await Promise.all([
    trace_id === null ? { spans: [] } : visit.capstan.tasks.getTrace({ id }),
    proofOf(visit, receipt_id, id),
  ]);
  const isTraced = trace_id !== null && spans.length > 0;
  const { rows, whole_ms } = spanRows(spans);
  return {
    steps: isTraced && stepsBlock(rows, { whole_ms, hosts: hostsOf(receipt) }),
    trace: isTraced && traceSection(trace_id, spans),
    receipt: receipt?.content ?? null,
  };
}

/** What the receipt states of the network. */
function hostsOf(proof: Proof | null) {
  const environment = proof?.statement?.predicate.environment;
  return environment !== undefined && 'hosts' in environment ? (environment.hosts ?? null) : null;
}
