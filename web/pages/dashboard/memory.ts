import { type Operations, purposeOf } from '../../../sdk/src/index.ts';
import { board } from '../../parts/dashboard.ts';
import { harnessPath, memoryPath } from '../../parts/harness-ways.ts';
import type { Said } from '../../parts/said.ts';
import { hasWallet, NO_WALLET, SIGN_NOTE, signedBy, signedForm } from '../../parts/signed-form.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import { type FormVisit, type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/dashboard/harnesses/{id}/memory/{path}`: one memory and its versions. Its content may come from an agent and is untrusted. */

type Answer = Operations['memory']['get']['answer'];
type History = Extract<Answer, { items: unknown }>;
type Content = Exclude<Answer, { items: unknown }>;

/** The text, and the hash of the version that was edited; null for a new memory. */
interface Draft {
  content: string;
  if_sha256: string | null;
}

const placeOf = ({ params }: Pick<OwnVisit, 'params'>) => ({ id: params.id as string, path: params.path as string });

/** What the wallet signs to read this memory, and to change it. */
const purposesOf = (place: { id: string; path: string }) => ({
  reads: purposeOf('runtime.memory.get', place),
  changes: purposeOf('runtime.memory.update', place),
});
type Purposes = ReturnType<typeof purposesOf>;

export const memory = ownPage({
  show: async (visit, said, form) => {
    if (form?.get('do') === 'write')
      return shown(visit, said, editor(purposesOf(placeOf(visit)), draftIn(form), form.get('note') ?? ''));
    return shown(
      visit,
      said,
      visit.query.has('new') ? editor(purposesOf(placeOf(visit)), { content: '', if_sha256: null }) : null,
    );
  },
  acts: {
    read: async (visit) => {
      const version = Number(visit.form.get('version')) || undefined;
      const memory = await visit.capstan.memory.get({ ...placeOf(visit), version }, signedBy(visit.form));
      return shown(visit, null, reading(purposesOf(placeOf(visit)), memory as Content, visit.site.now()));
    },
    history: async (visit) => {
      const of = { ...placeOf(visit), history: true, limit: 100 };
      const memory = await visit.capstan.memory.get(of, signedBy(visit.form));
      return shown(visit, null, history(purposesOf(placeOf(visit)), memory as History, visit.site.now()));
    },
    write: async (visit) => {
      const draft = draftIn(visit.form);
      const made = await change(visit, { ...draft, note: visit.form.get('note') ?? '' });
      const told = html`<p class="said" role="status">Saved as version ${made.version}.</p>`;
      return shown(
        visit,
        null,
        html`${told}${editor(purposesOf(placeOf(visit)), { ...draft, if_sha256: made.sha256 })}`,
      );
    },
    restore: async (visit) => {
      const version = Number(visit.form.get('version'));
      const made = await change(visit, { restore: { version } });
      return shown(
        visit,
        null,
        html`<p class="said" role="status">Version ${version} restored as version ${made.version}.</p>`,
      );
    },
    redact: async (visit) => {
      const version = Number(visit.form.get('version'));
      await change(visit, { redact: { version, reason: visit.form.get('reason') ?? '' } });
      return shown(
        visit,
        null,
        html`<p class="said" role="status">Content of version ${version} permanently removed from all versions.</p>`,
      );
    },
    delete: async (visit) => {
      await change(visit, { delete: true });
      return shown(
        visit,
        null,
        html`<p class="said" role="status">Memory deleted. You can still restore its versions.</p>`,
      );
    },
  },
});

const change = (visit: FormVisit, body: Operations['memory']['update']['input']['body']) =>
  visit.capstan.memory.update({ ...placeOf(visit), body }, signedBy(visit.form));

const draftIn = (form: URLSearchParams): Draft => ({
  content: (form.get('content') ?? '').replaceAll('\r\n', '\n'),
  if_sha256: form.get('if_sha256') || null,
});

async function shown(visit: OwnVisit, said: Said | null, below: Value): Promise<View> {
  const { id, path } = placeOf(visit);
  const to = memoryPath(id, path);
  const { reads, changes } = purposesOf({ id, path });
  const content = (await hasWallet(visit))
    ? html`${SIGN_NOTE}<div class="ways">${signedForm({ name: 'read', to, button: 'Read', look: 'plain', confirms: reads })}${signedForm({ name: 'history', to, button: 'Versions', look: 'plain', confirms: reads })}${signedForm({ name: 'delete', to, button: 'Delete', look: 'plain', confirms: changes })}</div>${below}`
    : NO_WALLET;
  const trail = html`<a href="/dashboard/harnesses">Harnesses</a> / <a href="${harnessPath(id)}"><bdi>${cut(id, 80)}</bdi></a>`;
  return board({ title: cut(path, 160), place: '/harnesses', trail, said, content });
}

/** `if_sha256` keeps a concurrent change from being overwritten. */
const editor = ({ changes }: Purposes, { content, if_sha256 }: Draft, note = ''): Html =>
  signedForm({
    name: 'write',
    button: 'Save',
    confirms: changes,
    fields: html`<input type="hidden" name="if_sha256" value="${if_sha256 ?? ''}">
<label>Text<textarea name="content" rows="14" class="code" dir="auto">
${content}</textarea></label>
<label>Note <span class="label">optional</span><input name="note" maxlength="200" value="${note}" autocomplete="off"></label>`,
  });

function reading(purposes: Purposes, content: Content, nowMs: number): Html {
  const facts = html`<p class="facts"><span>version ${content.version}</span><span>${count(content.size)} bytes</span><span>${ago(content.created_at, nowMs)}</span></p>`;
  if (content.content === null)
    return html`${facts}<p class="empty">${content.redacted === null ? 'This version deleted the memory.' : html`Content permanently removed: <bdi>${cut(content.redacted.reason, 200)}</bdi>`}</p>`;
  if (content.is_newest)
    return html`${facts}${editor(purposes, { content: content.content, if_sha256: content.sha256 })}${redactForm(purposes, content.version)}`;
  return html`${facts}<pre tabindex="0" dir="auto"><code>${content.content}</code></pre>${restoreForm(purposes, content.version)}${redactForm(purposes, content.version)}`;
}

/** For what should never have been written, such as a key. */
const redactForm = (
  { changes }: Purposes,
  version: number,
): Html => html`<details><summary>Permanently remove this content</summary>
<p class="fine">Removes the content from every version of this memory that contains it. The hash and your reason stay. This cannot be undone.</p>
${signedForm({
  name: 'redact',
  button: `Remove the content of version ${version}`,
  look: 'plain',
  confirms: changes,
  fields: html`${versionField(version)}<label>Reason<input name="reason" required maxlength="200" autocomplete="off"></label>`,
})}</details>`;

const versionField = (version: number): Html => html`<input type="hidden" name="version" value="${version}">`;

const restoreForm = ({ changes }: Purposes, version: number): Html =>
  signedForm({
    name: 'restore',
    button: `Restore version ${version}`,
    look: 'plain',
    confirms: changes,
    fields: versionField(version),
  });

const CHANGES = { write: 'written', restore: 'restored', delete: 'deleted' };

const history = (
  purposes: Purposes,
  { items, total_count }: History,
  nowMs: number,
): Html => html`<section aria-labelledby="versions"><h2 id="versions">${count(total_count)} ${total_count === 1 ? 'version' : 'versions'}</h2>
<ul class="rows">${items.map(
  (
    item,
    at,
  ) => html`<li><div class="what"><h3>Version ${item.version} <span class="label">${CHANGES[item.change]}${item.restored_from !== null && ` from ${item.restored_from}`}</span></h3>
<p class="facts"><span>${ago(item.created_at, nowMs)}</span><span>${count(item.size)} bytes</span>${item.redacted !== null && html`<span>content removed</span>`}</p>${item.note !== '' && html`<p class="fine" dir="auto">${cut(item.note, 200)}</p>`}</div>
${item.sha256 !== null && item.redacted === null && html`<div class="does">${signedForm({ name: 'read', button: 'Read', look: 'plain', confirms: purposes.reads, fields: versionField(item.version) })}${at > 0 && restoreForm(purposes, item.version)}</div>`}</li>`,
)}</ul></section>`;
