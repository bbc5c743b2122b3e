import type { TaskSummary } from '../../../sdk/src/index.ts';
import { board, neighbours, offsetIn } from '../../parts/dashboard.ts';
import { jsonOrText } from '../../parts/json-input.ts';
import { isOpen, stateWords, TASK_STATES, taskList } from '../../parts/task-list.ts';
import { count } from '../../parts/words.ts';
import { html } from '../../server/html.ts';
import { type FormVisit, ownPage } from '../../server/own-page.ts';

/** `/dashboard/tasks`: the user's tasks, with forms to answer, start and cancel them. */

const PAGE_SIZE = 25;
const PATH = '/dashboard/tasks';

const idIn = ({ form }: FormVisit): string => form.get('id') ?? '';

export const tasks = ownPage({
  show: async ({ capstan, query, site }, said) => {
    const status = TASK_STATES.find((taskState) => taskState === query.get('status'));
    const list = await capstan.tasks.list({ status, limit: PAGE_SIZE, offset: offsetIn(query) });
    const isMoving = list.items.some(({ status }) => status === 'working');
    const content = html`<nav class="sorts" aria-label="States"><a href="${PATH}"${status === undefined && html` aria-current="true"`}>all</a>
${TASK_STATES.map((taskState) => html`<a href="${PATH}?status=${taskState}"${status === taskState && html` aria-current="true"`}>${stateWords(taskState)}</a>`)}</nav>
<div id="tasks"${isMoving && html` data-island="live" data-every="2000"`}>
${list.total_count > 0 && html`<h2 class="label">${count(list.total_count)} ${list.total_count === 1 ? 'run' : 'runs'}</h2>`}
${list.items.length > 0 ? taskList(list.items, site.now()) : none(status)}
</div>
${neighbours(PATH, list, status === undefined ? {} : { status })}`;
    return board({ title: 'Runs', place: '/tasks', said, content });
  },
  acts: {
    cancel: async (visit) => {
      await visit.capstan.tasks.update({ id: idIn(visit), body: { status: 'cancelled' } });
      return { done: 'task_cancelled' };
    },
    start: async (visit) => {
      await visit.capstan.tasks.start({ id: idIn(visit) });
      return { done: 'task_started' };
    },
    answer: async (visit) => {
      const [id, input] = [idIn(visit), jsonOrText(visit.form.get('input') ?? '')];
      await visit.capstan.tasks.update({ id, body: { input } });
      await visit.capstan.tasks.start({ id });
      return { done: 'task_answered' };
    },
  },
});

const none = (status: TaskSummary['status'] | undefined) =>
  status === undefined
    ? html`<p class="empty">No runs yet. Open a <a href="/marketplace">capability</a>, a <a href="/dashboard/connections">connection</a> or a <a href="/dashboard/rigs">rig</a>, and run it.</p>`
    : html`<p class="empty">No runs are in this state${isOpen({ status }) && ' now'}. <a href="${PATH}">Show all</a>.</p>`;
