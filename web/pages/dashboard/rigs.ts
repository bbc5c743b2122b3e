import { board, neighbours, offsetIn } from '../../parts/dashboard.ts';
import { plainState } from '../../parts/state.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { type Html, html } from '../../server/html.ts';
import { ownPage } from '../../server/own-page.ts';

/** `/dashboard/rigs`: all rigs, and a form to store a new one. */

const PAGE_SIZE = 50;

export const rigs = ownPage({
  show: async ({ capstan, query, site }, said, form) => {
    const list = await capstan.rigs.list({ limit: PAGE_SIZE, offset: offsetIn(query) });
    const nowMs = site.now();
    const content = html`${
      list.items.length > 0
        ? html`<h2 class="label">${count(list.total_count)} ${list.total_count === 1 ? 'rig' : 'rigs'}</h2>
<ul class="rows">${list.items.map(
            (
              rig,
            ) => html`<li><div class="what"><h3><a href="${rigPath(rig.name)}"><bdi>${rig.name}</bdi></a> <span class="label">${cut(rig.version, 40)}</span></h3>
<p class="fine" dir="auto">${cut(rig.description, 240)}</p><p class="facts">${rig.lock_digest === null ? plainState('', 'not locked') : plainState('good', 'locked')}<span>changed ${ago(rig.updated_at, nowMs)}</span></p></div></li>`,
          )}</ul>${neighbours('/dashboard/rigs', list)}`
        : html`<p class="empty">No rigs yet. A rig pins skills, servers, a model and checks to exact versions. See <a href="/docs/first-rig">The first rig</a>.</p>`
    }
<section aria-labelledby="new"><h2 id="new">New rig</h2>${yamlForm(form?.get('yaml') ?? '')}</section>`;
    return board({ title: 'Rigs', place: '/rigs', said, content });
  },
  acts: {
    store: async ({ capstan, form }) => {
      const made = await capstan.rigs.create({ body: { yaml: (form.get('yaml') ?? '').replaceAll('\r\n', '\n') } });
      return { done: 'rig_stored', to: rigPath(made.name) };
    },
  },
});

export const rigPath = (name: string): string => `/dashboard/rigs/${encodeURIComponent(name)}`;

const yamlForm = (
  yaml: string,
): Html => html`<form method="post" action="/dashboard/rigs" class="stack"><input type="hidden" name="do" value="store">
<label>rig.yaml <span class="label">includes name and version</span><textarea name="yaml" rows="14" required spellcheck="false" class="code">
${yaml}</textarea></label>
<div><button type="submit" class="button">Store rig</button></div></form>`;
