import {
  type ContextBlock,
  type Harness,
  type HarnessMade,
  type Operations,
  purposeOf,
} from '../../../sdk/src/index.ts';
import { board } from '../../parts/dashboard.ts';
import { filesOf, versionForm } from '../../parts/harness-version.ts';
import { harnessWays, memoryPath, readForm } from '../../parts/harness-ways.ts';
import { publishForm } from '../../parts/publish-form.ts';
import type { Said } from '../../parts/said.ts';
import { hasWallet, NO_WALLET, SIGN_NOTE, signedBy, signedForm } from '../../parts/signed-form.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import { type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/dashboard/harnesses/{id}`: files and versions, memory, context. Content written by agents is untrusted. */

type Memories = Operations['memory']['list']['answer'];

const idOf = ({ params }: Pick<OwnVisit, 'params'>): string => params.id as string;

export const harness = ownPage({
  show: async (visit, said, form) => {
    const toWrite = visit.query.get('new');
    if (toWrite !== null && toWrite !== '') return { location: `${memoryPath(idOf(visit), toWrite)}?new=1` };
    return shown(visit, said, form === null ? null : again(idOf(visit), form));
  },
  acts: {
    version: async (visit) => {
      const { form } = visit;
      const [note, if_digest] = [(form.get('note') ?? '').trim(), form.get('if_digest') ?? ''];
      const body = { files: filesOf(form), if_digest, ...(note === '' ? {} : { note }) };
      const made = await visit.capstan.harnesses.update({ id: idOf(visit), body }, signedBy(form));
      return shown(visit, null, saved(made as HarnessMade));
    },
    open: async (visit) => {
      const version = Number(visit.form.get('version')) || undefined;
      const harness = await visit.capstan.harnesses.get({ id: idOf(visit), version }, signedBy(visit.form));
      return shown(visit, null, files(idOf(visit), harness as Harness, visit.site.now()));
    },
    memories: async (visit) => {
      const search = (visit.form.get('search') ?? '').trim();
      const of = { id: idOf(visit), limit: 200, ...(search === '' ? {} : { search }) };
      const list = await visit.capstan.memory.list(of, signedBy(visit.form));
      return shown(visit, null, memories(idOf(visit), list, search, visit.site.now()), search);
    },
    context: async (visit) => {
      const { items } = await visit.capstan.context.get({ id: idOf(visit) }, signedBy(visit.form));
      return shown(visit, null, context(items));
    },
    export: async (visit) => {
      const of = { id: idOf(visit), export: true };
      const body = await visit.capstan.harnesses.get(of, signedBy(visit.form));
      return { file_name: `${idOf(visit)}.json`, media_type: 'application/json', body: JSON.stringify(body, null, 2) };
    },
  },
});

async function shown(visit: OwnVisit, said: Said | null, below: Value, search = ''): Promise<View> {
  const name = idOf(visit);
  const content = (await hasWallet(visit))
    ? html`${SIGN_NOTE}${harnessWays(name, search)}${below}
<section aria-labelledby="new"><h2 id="new">New memory</h2>${readForm(name)}</section>`
    : NO_WALLET;
  const trail = html`<a href="/dashboard/harnesses">Harnesses</a>`;
  return board({ title: cut(name, 80), place: '/harnesses', trail, said, content });
}

/** The rejected form with its values, so that the user can correct and resend it. */
function again(id: string, form: URLSearchParams): Value {
  if (form.get('do') === 'version')
    return html`<section aria-labelledby="next"><h2 id="next">New version</h2>${versionForm(id, filesOf(form), form.get('if_digest') ?? '', form.get('note') ?? '')}</section>`;
  return null;
}

const saved = ({
  version,
  is_new,
  warnings,
}: HarnessMade): Html => html`<p class="said" role="status">${is_new ? `Saved as version ${version}.` : `Nothing changed: these files are identical to version ${version}.`}</p>
${warnings.length > 0 && html`<p>The static checks reported warnings:</p><ul>${warnings.map((warning) => html`<li><code>${warning.path}:${warning.line}</code> ${cut(warning.detail, 300)} <span class="fine">${cut(warning.fix, 300)}</span></li>`)}</ul>`}`;

/** A new version is based on the newest one, whichever version is shown. */
const newestDigest = ({ versions, digest }: Harness): string => versions[0]?.digest ?? digest;

const files = (
  id: string,
  harness: Harness,
  nowMs: number,
): Html => html`<section aria-labelledby="files"><h2 id="files">Version ${harness.version} <span class="label">of ${harness.newest_version}</span></h2>
<p dir="auto">${cut(harness.description, 600)}</p>
<p class="facts"><code>${harness.digest.slice(0, 19)}…</code><span>${count(harness.memory_count)} ${harness.memory_count === 1 ? 'memory' : 'memories'}</span></p>
${harness.files.map((file) => html`<details><summary><code>${cut(file.path, 160)}</code> <span class="label">${count(file.size)} bytes</span></summary>${file.content === undefined ? html`<p class="fine">Binary content. Use the export to get it.</p>` : html`<pre tabindex="0"><code>${file.content}</code></pre>`}</details>`)}
<details><summary>New version</summary>${versionForm(id, harness.files, newestDigest(harness))}</details>
${publishForm(harness)}
<h3>Versions</h3><ul class="rows">${harness.versions.map(
  (
    each,
  ) => html`<li><div class="what"><h4>Version ${each.version}</h4><p class="facts"><span>${ago(each.created_at, nowMs)}</span><span dir="auto">${cut(each.note, 200)}</span></p></div>
${each.version !== harness.version && html`<div class="does">${signedForm({ name: 'open', button: 'Show', look: 'plain', confirms: purposeOf('runtime.harnesses.get', { id }), fields: html`<input type="hidden" name="version" value="${each.version}">` })}</div>`}</li>`,
)}</ul></section>`;

const memories = (
  name: string,
  list: Memories,
  search: string,
  nowMs: number,
): Html => html`<section aria-labelledby="memory"><h2 id="memory">${search === '' ? 'Memory' : html`“<bdi>${cut(search, 60)}</bdi>” in memory`} <span class="label">${count(list.total_count)}</span></h2>
${list.items.length === 0 && html`<p class="empty">${search === '' ? 'No memories yet.' : 'No memory contains all of these words.'}</p>`}
<ul class="rows">${list.items.map(
  (item) => html`<li><div class="what"><h3><code>${cut(item.path, 200)}</code></h3>
${item.snippet !== undefined && html`<p class="fine" dir="auto">${cut(item.snippet, 300)}</p>`}
<p class="facts"><span>version ${item.version}</span><span>${count(item.size)} bytes</span><span>${ago(item.updated_at, nowMs)}</span></p></div>
<div class="does">${signedForm({ name: 'read', to: memoryPath(name, item.path), button: 'Read', look: 'plain', confirms: purposeOf('runtime.memory.get', { id: name, path: item.path }) })}</div></li>`,
)}</ul></section>`;

const context = (
  blocks: readonly ContextBlock[],
): Html => html`<section aria-labelledby="context"><h2 id="context">Context</h2>
${blocks.length === 0 && html`<p class="empty">No context blocks yet.</p>`}
${blocks.map((block) => html`<h3><code>${cut(block.label, 80)}</code> <span class="label">${block.read_only ? 'read only' : `version ${block.version}`}</span></h3><p class="fine" dir="auto">${cut(block.description, 300)}</p><pre tabindex="0" dir="auto"><code>${block.content}</code></pre>`)}</section>`;
