import type { Operations, TaskSummary } from '../../sdk/src/index.ts';
import { refLink } from '../parts/capability-ref.ts';
import { hunksView } from '../parts/hunks.ts';
import { lasted, stateWord } from '../parts/run-state.ts';
import { signInFirst } from '../parts/sign-in-first.ts';
import { ago, count, cut } from '../parts/words.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { Page, View, Visit } from '../server/page.ts';

/** `/runs/{id}/compare?with={other}`: two runs of one capability side by side. Without `with`, the runs to choose from. */
export const runCompare: Page = {
  get: async (visit) => {
    const other = visit.query.get('with') ?? '';
    if (visit.user === null) return signInFirst(visit);
    return other === '' ? choice(visit) : comparison(visit, other);
  },
};

type Compared = Operations['tasks']['compare']['answer'];
type Side = Compared['runs'][number];

const MOST_RUNS = 50;

async function choice({ capstan, params, site }: Visit): Promise<View> {
  const id = params.id as string;
  const { items, total_count } = await capstan.tasks.list({ same_as: id, limit: MOST_RUNS });
  const others = items.filter((task) => task.id !== id);
  const content = html`<article class="run">${head(id, 'Compare this run')}
${
  others.length === 0
    ? html`<p class="empty">No other runs of this capability yet. <a href="/runs/${id}">Run it again</a>.</p>`
    : html`<section aria-labelledby="with"><h2 id="with">Compare with</h2><ul class="rows">${others.map((task) => row(id, task, site.now()))}</ul>
${total_count > MOST_RUNS && html`<p class="fine">The newest ${MOST_RUNS} of ${count(total_count)} runs.</p>`}</section>`
}</article>`;
  return { title: 'Compare runs', content, unlisted: true };
}

const head = (id: string, title: string): Html =>
  html`<header class="head"><p class="label"><a href="/runs/${id}">Run</a></p><h1>${title}</h1></header>`;

const row = (id: string, task: TaskSummary, nowMs: number): Html =>
  html`<li><div class="what"><h3><a href="/runs/${id}/compare?with=${task.id}"><bdi>${cut(task.title, 120)}</bdi></a></h3>
<p class="facts">${stateWord(task)}<span>${cut(task.capability.version, 60)}</span><span>${ago(task.finished_at ?? task.created_at, nowMs)}</span></p></div></li>`;

async function comparison({ capstan, params, site }: Visit, other: string): Promise<View> {
  const id = params.id as string;
  const compared = await capstan.tasks.compare({ id, other });
  const [first, second] = compared.runs as [Side, Side];
  const content = html`<article class="run">${head(id, 'Compare two runs')}
<p class="fine">${refLink(first.capability)}. <a href="/runs/${id}/compare">Choose another run</a></p>
${factsTable(first, second, site.now())}
${valueSection('Input', compared.input, compared.input_files)}
${valueSection('Output', compared.output, compared.output_files)}</article>`;
  return { title: 'Compare two runs', content, unlisted: true };
}

function factsTable(first: Side, second: Side, nowMs: number): Html {
  const rows: [string, (side: Side) => Value][] = [
    ['Run', ({ id, title }) => html`<a href="/runs/${id}"><bdi>${cut(title, 80)}</bdi></a>`],
    ['Status', stateWord],
    ['Started', ({ started_at }) => ago(started_at, nowMs) ?? 'never'],
    ['Time', ({ duration_ms }) => (duration_ms === null ? '' : lasted(duration_ms))],
    [
      'Version',
      ({ capability }) => html`${cut(capability.version, 60)} <code>${capability.digest.slice(0, 15)}…</code>`,
    ],
    ['Hosts', ({ hosts }) => (hosts.length === 0 ? 'none' : html`<bdi>${cut(hosts.join(', '), 500)}</bdi>`)],
    ['Model requests', ({ usage }) => count(usage.model_requests)],
    ['Tokens', ({ usage }) => `${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out`],
  ];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="The two runs"><table>
<thead><tr><td></td><th scope="col">First run</th><th scope="col">Second run</th></tr></thead>
<tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value(first)}</td><td>${value(second)}</td></tr>`)}</tbody></table></div>`;
}

const CHANGES = {
  same: 'is the same',
  changed: 'differs',
  added: 'is only in the second run',
  removed: 'is only in the first run',
};

function valueSection(name: string, { is_equal, lines }: Compared['input'], files: Compared['input_files']): Html {
  const id = name.toLowerCase();
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
${is_equal ? html`<p>The same in both runs.</p>` : lines === null ? html`<p>Different, and too long or too different to compare by lines.</p>` : hunksView(lines, `Differences of the ${id}`)}
${files.length > 0 && html`<ul class="bare">${files.map(({ path, change }) => html`<li><bdi>${path}</bdi> ${CHANGES[change]}.</li>`)}</ul>`}</section>`;
}
