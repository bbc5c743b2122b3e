import { type Operations, purposeOf } from '../../../sdk/src/index.ts';
import { board } from '../../parts/dashboard.ts';
import { harnessPath } from '../../parts/harness-ways.ts';
import type { Said } from '../../parts/said.ts';
import { hasWallet, NO_WALLET, SIGN_NOTE, signedBy, signedForm } from '../../parts/signed-form.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import { type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/dashboard/harnesses`: the user's harnesses. A wallet signs each request. */

type Harnesses = Operations['harnesses']['list']['answer'];

export const harnesses = ownPage({
  show: (visit, said, form) => shown(visit, said, null, form),
  acts: {
    list: async (visit) => {
      const list = await visit.capstan.harnesses.list({ limit: 200 }, signedBy(visit.form));
      return shown(visit, null, harnessList(list, visit.site.now()));
    },
    make: async (visit) => {
      const files = filesIn(visit.form);
      const made = await visit.capstan.harnesses.create({ body: { files } }, signedBy(visit.form));
      return shown(visit, null, openOne(made.name));
    },
  },
});

const TEXTS = ['HARNESS.md', 'harness.yaml'] as const;

const filesIn = (form: URLSearchParams) =>
  TEXTS.map((path) => ({ path, content: (form.get(path) ?? '').replaceAll('\r\n', '\n') })).filter(
    ({ content }) => content.trim() !== '',
  );

async function shown(
  visit: OwnVisit,
  said: Said | null,
  above: Value,
  form: URLSearchParams | null = null,
): Promise<View> {
  const content = (await hasWallet(visit))
    ? html`<p>A harness sets up an agent with instructions, skills and permissions, and gives it a memory. <a href="/docs/harnesses">How it works</a>.</p>${SIGN_NOTE}
${above ?? signedForm({ name: 'list', button: 'Show my harnesses', confirms: purposeOf('runtime.harnesses.list', {}) })}
<section aria-labelledby="new"><h2 id="new">New harness</h2>${newForm(form)}</section>`
    : NO_WALLET;
  return board({ title: 'Harnesses', place: '/harnesses', said, content });
}

const newForm = (given: URLSearchParams | null): Html =>
  signedForm({
    name: 'make',
    button: 'Save',
    look: 'plain',
    confirms: purposeOf('runtime.harnesses.create', {}),
    fields: html`<label>HARNESS.md<textarea name="HARNESS.md" rows="8" spellcheck="false" class="code">
${given?.get('HARNESS.md') ?? ''}</textarea></label>
<label>harness.yaml <span class="label">optional</span><textarea name="harness.yaml" rows="3" spellcheck="false" class="code">
${given?.get('harness.yaml') ?? ''}</textarea></label>
<p class="fine">To add more files, <a href="/docs/harnesses">use the API</a>.</p>`,
  });

const openOne = (name: string): Html => html`<p class="said" role="status">Saved as <bdi>${name}</bdi>.</p>
${signedForm({ name: 'open', to: harnessPath(name), button: 'Open', confirms: purposeOf('runtime.harnesses.get', { id: name }) })}`;

const harnessList = (
  { items, total_count }: Harnesses,
  nowMs: number,
): Html => html`<section aria-labelledby="all"><h2 id="all">${count(total_count)} ${total_count === 1 ? 'harness' : 'harnesses'}</h2>
<ul class="rows">${items.map(
  (
    item,
  ) => html`<li><div class="what"><h3><bdi>${item.name}</bdi> <span class="label">version ${item.version}</span></h3>
<p class="fine" dir="auto">${cut(item.description, 240)}</p><p class="facts"><span>changed ${ago(item.updated_at, nowMs)}</span></p></div>
<div class="does">${signedForm({ name: 'open', to: harnessPath(item.name), button: 'Open', look: 'plain', confirms: purposeOf('runtime.harnesses.get', { id: item.name }) })}</div></li>`,
)}</ul></section>`;
