import type { Rig, RigVerdict } from '../../../sdk/src/index.ts';
import { actButton, board } from '../../parts/dashboard.ts';
import { jsonIn } from '../../parts/json-input.ts';
import { rigServers } from '../../parts/rig-servers.ts';
import type { Said } from '../../parts/said.ts';
import { plainState } from '../../parts/state.ts';
import { ago, cut } from '../../parts/words.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import { type FormVisit, type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';
import { rigPath } from './rigs.ts';

/** `/dashboard/rigs/{id}`: a version of a rig: lock it, verify it, run it. `?version=` shows an older one. */

export const rig = ownPage({
  show: (visit, said, form) => shown(visit, said, form, null),
  acts: {
    lock: async (visit) => {
      await visit.capstan.rigs.resolve({ id: idOf(visit), body: versionIn(visit) });
      return shown(visit, { done: 'rig_locked' }, null, null);
    },
    verify: async (visit) => {
      const run_checks = visit.form.has('run_checks');
      const found = await visit.capstan.rigs.verify({ id: idOf(visit), body: { ...versionIn(visit), run_checks } });
      return shown(visit, null, null, verdict(found));
    },
    correct: async (visit) => {
      const yaml = (visit.form.get('yaml') ?? '').replaceAll('\r\n', '\n');
      const { name } = await visit.capstan.rigs.update({ id: idOf(visit), body: { yaml } });
      return { done: 'rig_corrected', to: rigPath(name) };
    },
    delete: async (visit) => {
      await visit.capstan.rigs.delete({ id: idOf(visit) });
      return { done: 'rig_deleted', to: '/dashboard/rigs' };
    },
    delete_version: async (visit) => {
      const { name, version } = await visit.capstan.rigs.get({ id: idOf(visit), ...versionIn(visit) });
      await visit.capstan.rigs.delete({ id: idOf(visit), version });
      return { done: 'rig_version_deleted', to: rigPath(name) };
    },
    run: async (visit) => {
      const text = (visit.form.get('input') ?? '').trim();
      const input = text === '' ? {} : { input: jsonIn(text, '/input') };
      const task = await visit.capstan.tasks.runRig({ id: idOf(visit), body: { ...versionIn(visit), ...input } });
      return { location: `/runs/${task.id}` };
    },
  },
});

const idOf = ({ params }: Pick<OwnVisit, 'params'>): string => params.id as string;

const versionOf = ({ query, form }: Pick<OwnVisit, 'query'> & Partial<FormVisit>): string | undefined =>
  form?.get('version') ?? query.get('version') ?? undefined;

function versionIn(visit: FormVisit): { version?: string } {
  const version = versionOf(visit);
  return version === undefined ? {} : { version };
}

async function shown(
  visit: OwnVisit & Partial<FormVisit>,
  said: Said | null,
  form: URLSearchParams | null,
  above: Value,
): Promise<View> {
  const { capstan, site } = visit;
  const rig = await capstan.rigs.get({ id: idOf(visit), version: versionOf(visit) });
  const nowMs = site.now();
  const trail = html`<a href="/dashboard/rigs">Rigs</a>`;
  const servers = await rigServers(capstan, rig);
  const beside = html`<span class="label">version ${cut(rig.version, 40)}</span>`;
  return board({
    title: rig.name,
    place: '/rigs',
    trail,
    beside,
    said,
    content: body({ rig, form, above, servers, now_ms: nowMs }),
  });
}

interface Body {
  rig: Rig;
  form: URLSearchParams | null;
  above: Value;
  servers: Html | null;
  now_ms: number;
}

function body({ rig, form, above, servers, now_ms: nowMs }: Body): Html {
  const of = { version: rig.version };
  return html`${rig.description !== '' && html`<p class="lead" dir="auto">${cut(rig.description, 600)}</p>`}
<p class="facts">${rig.lock === null ? plainState('', 'not locked') : plainState('good', html`locked ${ago(rig.lock.created_at, nowMs)}`)}<code>${rig.digest.slice(0, 19)}…</code></p>
<div class="ways">${actButton('lock', rig.lock === null ? 'Lock' : 'Lock again', of, rig.lock === null ? '' : 'plain')}
${rig.lock !== null && html`${actButton('verify', 'Verify', of)}${actButton('verify', 'Verify and run its checks', { ...of, run_checks: '1' })}`}</div>
${above}
${rig.lock !== null && runForm(rig, form)}
${servers}
<section aria-labelledby="yaml"><h2 id="yaml">rig.yaml</h2><pre tabindex="0"><code>${rig.yaml}</code></pre>
<details><summary>Edit</summary><p class="fine">${rig.lock === null ? 'This version was never locked, so it can be edited in place.' : 'This version was locked and never changes. Raise its version to store a new one.'}</p>${correctForm(form?.get('yaml') ?? rig.yaml)}</details>
${rig.lock !== null && html`<details><summary>rig.lock</summary><pre tabindex="0"><code>${rig.lock.content}</code></pre></details>`}</section>
<section aria-labelledby="versions"><h2 id="versions">Versions</h2><ul class="rows">${rig.versions.map(
    (each) =>
      html`<li><div class="what"><h3><a href="${rigPath(rig.name)}?version=${encodeURIComponent(each.version)}"${each.version === rig.version && html` aria-current="true"`}>${each.version}</a></h3><p class="facts"><span>${ago(each.created_at, nowMs)}</span><span>${each.lock_digest === null ? 'not locked' : 'locked'}</span></p></div></li>`,
  )}</ul>
<details><summary>Delete</summary><p class="fine">This cannot be undone. Receipts, traces and published versions stay.</p>
<div class="ways">${rig.versions.length > 1 && actButton('delete_version', `Delete version ${cut(rig.version, 40)}`, of, 'danger')}${actButton('delete', 'Delete rig', {}, 'danger')}</div></details></section>`;
}

const correctForm = (
  yaml: string,
): Html => html`<form method="post" class="stack"><input type="hidden" name="do" value="correct">
<label>rig.yaml <span class="label">the name cannot change</span><textarea name="yaml" rows="14" required spellcheck="false" class="code">
${yaml}</textarea></label>
<div><button type="submit" class="button">Save</button></div></form>`;

const runForm = (
  { version }: Rig,
  form: URLSearchParams | null,
): Html => html`<section aria-labelledby="run"><h2 id="run">Run</h2>
<form method="post" class="stack"><input type="hidden" name="do" value="run"><input type="hidden" name="version" value="${version}">
<label>Parameters <span class="label">JSON; parameters with a default are optional</span><textarea name="input" rows="4" spellcheck="false" class="code">${form?.get('input') ?? '{}'}</textarea></label>
<div><button type="submit" class="button">Run</button></div></form></section>`;

const verdict = ({
  verified,
  findings,
  checks,
}: RigVerdict): Html => html`<section aria-labelledby="verdict"><h2 id="verdict">${verified ? 'Everything matches the lock' : 'Does not match the lock'}</h2>
${
  findings.length > 0 &&
  html`<div class="wide"><table><thead><tr><th scope="col">Part</th><th scope="col">Finding</th><th scope="col">Locked</th><th scope="col">Found</th></tr></thead>
<tbody>${findings.map((finding) => html`<tr><th scope="row"><bdi>${cut(finding.part, 120)}</bdi></th><td><code>${finding.code}</code> <span class="fine">${cut(finding.detail, 300)}</span></td><td><code>${cut(finding.expected ?? '', 24)}</code></td><td><code>${cut(finding.found ?? 'nothing', 24)}</code></td></tr>`)}</tbody></table></div>`
}
${checks !== null && html`<ul class="rows">${checks.map((check) => html`<li><div class="what"><h3><bdi>${cut(check.name, 100)}</bdi></h3><p class="facts">${check.passed ? plainState('good', 'passed') : plainState('bad', 'failed')}</p><p class="fine">${cut(check.detail, 400)}</p></div></li>`)}</ul>`}</section>`;
