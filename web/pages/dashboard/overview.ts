import { connectionList } from '../../parts/connection-list.ts';
import { board } from '../../parts/dashboard.ts';
import { waitingDevices } from '../../parts/device-keys.ts';
import { quotaLine } from '../../parts/quota.ts';
import { wantsSomething } from '../../parts/server-rows.ts';
import { storageLine } from '../../parts/storage.ts';
import { taskList } from '../../parts/task-list.ts';
import { html } from '../../server/html.ts';
import { ownPage } from '../../server/own-page.ts';

/** `/dashboard`: running tasks, what needs attention, and the quota of the day. */
export const overview = ownPage({
  show: async ({ capstan, site }, said) => {
    const [session, tasks, connections, rigs, devices] = await Promise.all([
      capstan.signIns.getCurrent(),
      capstan.tasks.list({ limit: 6 }),
      capstan.connections.list({ limit: 100 }),
      capstan.rigs.list({ limit: 1 }),
      capstan.deviceKeys.list(),
    ]);
    const broken = connections.items.filter(wantsSomething);
    const nowMs = site.now();
    const content = html`${waitingDevices(devices.items)}<dl class="tiles">
<div><dt>Tier</dt><dd>${session.tier}</dd></div>
<div><dt>Language models today</dt><dd>${quotaLine(session.quota, nowMs)}</dd></div>
<div><dt><a href="/dashboard/account">Storage</a></dt><dd>${storageLine(session.storage)}</dd></div>
<div><dt><a href="/dashboard/tasks">Runs</a></dt><dd>${tasks.total_count}</dd></div>
<div><dt><a href="/dashboard/connections">Connections</a></dt><dd>${connections.total_count}</dd></div>
<div><dt><a href="/dashboard/rigs">Rigs</a></dt><dd>${rigs.total_count}</dd></div>
</dl>
${broken.length > 0 && html`<section aria-labelledby="broken"><h2 id="broken">Connections that need attention</h2>${connectionList(broken, nowMs)}</section>`}
<section aria-labelledby="latest"><h2 id="latest">Latest runs</h2>
${
  tasks.items.length > 0
    ? html`${taskList(tasks.items, nowMs, false)}<p><a href="/dashboard/tasks">All runs</a></p>`
    : html`<p class="empty">No runs yet. <a href="/marketplace">Find something to run</a>, or follow the guide <a href="/docs/first-rig">The first rig</a>.</p>`
}</section>`;
    return board({ title: 'Overview', place: '', said, content });
  },
});
