import { type Capstan, CapstanError, type Operations } from '../../../sdk/src/index.ts';
import { actButton, board } from '../../parts/dashboard.ts';
import { readOnly } from '../../parts/offer-tools.ts';
import { failure } from '../../parts/said.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { type Html, html } from '../../server/html.ts';
import { type FormVisit, ownPage } from '../../server/own-page.ts';

/** `/dashboard/endpoints/{id}`: which tools of which connections an endpoint offers. */

type Endpoint = Operations['endpoints']['get']['answer'];
type Connection = Operations['connections']['list']['answer']['items'][number];

const MOST = 200;
const idOf = ({ params }: Pick<FormVisit, 'params'>): string => params.id as string;

export const endpoint = ownPage({
  show: async (visit, said) => {
    const { capstan, site } = visit;
    const [found, { items }] = await Promise.all([
      capstan.endpoints.get({ id: idOf(visit) }),
      capstan.connections.list({ limit: MOST }),
    ]);
    const choices = await Promise.all(items.map((connection) => choice(capstan, found, connection)));
    const content = html`<dl class="pairs">
<div><dt>Address</dt><dd><code>${found.url}</code></dd></div>
<div><dt>Token</dt><dd><code>${found.hint}</code></dd></div>
<div><dt>Created</dt><dd>${ago(found.created_at, site.now())}</dd></div>
<div><dt>Last used</dt><dd>${found.last_used_at === null ? 'never' : ago(found.last_used_at, site.now())}</dd></div></dl>
<section aria-labelledby="tools"><h2 id="tools">Tools</h2>
<p class="fine">A server’s new and changed tools are offered only after you accept them on the page of its connection.</p>
<form method="post" class="stack"><input type="hidden" name="do" value="choose">${choices}
<div><button type="submit" class="button">Save</button></div></form></section>
<section aria-labelledby="end"><h2 id="end">Delete</h2><p>Revokes the token. Clients that use it lose these tools. The connections stay.</p>
${actButton('delete', 'Delete endpoint', {}, 'danger')}</section>`;
    const trail = html`<a href="/dashboard/connections">Connections</a> / <a href="/dashboard/endpoints">Endpoints</a>`;
    return board({ title: cut(found.name, 100), place: '/connections', trail, said, content });
  },
  acts: {
    choose: async (visit) => {
      const { capstan, form } = visit;
      const all = form.getAll('all');
      const tools = form
        .getAll('tool')
        .map((text) => [text.slice(0, text.indexOf('/')), text.slice(text.indexOf('/') + 1)]);
      const { connections: before } = await capstan.endpoints.get({ id: idOf(visit) });
      const connections = await Promise.all(
        form.getAll('connection').map(async (id) => ({
          id,
          tools: all.includes(id) ? null : tools.flatMap(([of, name]) => (of === id ? [name as string] : [])),
          ask_except: form.getAll('ask').includes(id) ? await askExcept(capstan, before, id) : null,
        })),
      );
      await capstan.endpoints.update({ id: idOf(visit), body: { connections } });
      return { done: 'endpoint_saved' };
    },
    delete: async (visit) => {
      await visit.capstan.endpoints.delete({ id: idOf(visit) });
      return { done: 'endpoint_deleted', to: '/dashboard/endpoints' };
    },
  },
});

/** What is asked about already stays as it is. Of a server that does not answer, every tool is asked about. */
async function askExcept(capstan: Capstan, before: Endpoint['connections'], id: string): Promise<string[]> {
  const known = before.find((choice) => choice.id === id)?.ask_except ?? null;
  if (known !== null) return known;
  try {
    return readOnly((await capstan.tools.list({ id })).items);
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status === 0) throw error;
    return [];
  }
}

async function choice(capstan: Capstan, { connections }: Endpoint, { id, name }: Connection): Promise<Html> {
  const chosen = connections.find((connection) => connection.id === id);
  const isAll = chosen === undefined || chosen.tools === null;
  return html`<fieldset class="choice"><legend><label class="check"><input type="checkbox" name="connection" value="${id}"${chosen !== undefined && html` checked`}> <bdi>${cut(name, 100)}</bdi></label></legend>
<label class="check"><input type="checkbox" name="all" value="${id}"${isAll && html` checked`}> All accepted tools</label>
<label class="check"><input type="checkbox" name="ask" value="${id}"${chosen !== undefined && chosen.ask_except !== null && html` checked`}> <span>Ask me before each call <span class="label">of a tool that may change something${chosen !== undefined && chosen.ask_except !== null && askNote(chosen.ask_except.length)}</span></span></label>
<details${!isAll && html` open`}><summary>Or only these</summary>${await toolChoices(capstan, id, chosen?.tools ?? null)}</details></fieldset>`;
}

const askNote = (many: number): string =>
  many === 0 ? '; now of every tool' : `; ${count(many)} ${many === 1 ? 'tool is' : 'tools are'} called without asking`;

async function toolChoices(capstan: Capstan, id: string, chosen: readonly string[] | null): Promise<Html> {
  try {
    const { items } = await capstan.tools.list({ id });
    // A chosen tool that the server no longer has stays chosen until it is taken out here.
    const gone = (chosen ?? []).filter((tool) => !items.some(({ name }) => name === tool));
    const all = [
      ...items.map(({ name, state }) => ({ name, note: state === 'added' || state === 'changed' ? state : '' })),
      ...gone.map((name) => ({ name, note: 'removed' })),
    ];
    return html`${all.map(
      ({ name, note }) =>
        html`<label class="check"><input type="checkbox" name="tool" value="${id}/${name}"${chosen?.includes(name) === true && html` checked`}> <code>${cut(name, 100)}</code>${note !== '' && html` <span class="label">${note}</span>`}</label>`,
    )}`;
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status === 0) throw error;
    return failure(error);
  }
}
