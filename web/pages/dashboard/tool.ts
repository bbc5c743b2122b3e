import type { CapstanError, Operations } from '../../../sdk/src/index.ts';
import { connectionPath } from '../../parts/connection-list.ts';
import { acceptForm, type ConnectionTool, toolAbout } from '../../parts/connection-tools.ts';
import { actButton, board } from '../../parts/dashboard.ts';
import type { Said } from '../../parts/said.ts';
import { schemaForm, schemaInput } from '../../parts/schema-form.ts';
import { count, cut } from '../../parts/words.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import { type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';
import { noPage } from '../../server/problem-view.ts';

/** `/dashboard/connections/{id}/tools/{tool}`: one tool, a form generated from its schema, and the result. */

type Called = Operations['tools']['call']['answer'];

export const tool = ownPage({
  show: async (visit, said, form) =>
    shown(visit, said, form, said !== null && 'failed' in said ? changes(said.failed) : null),
  acts: {
    call: async (visit) => {
      const { capstan, params, form } = visit;
      const tool = await findTool(visit);
      if (tool === null) return noPage(visit.path);
      const body = { tool: tool.name, arguments: schemaInput(tool.input_schema, form) };
      return shown(visit, null, form, result(await capstan.tools.call({ id: params.id as string, body })));
    },
    // A changed tool is not called: the error lists the differences.
    compare: async (visit) => {
      const tool = await findTool(visit);
      if (tool === null) return noPage(visit.path);
      if (tool.state === 'changed')
        await visit.capstan.tools.call({ id: visit.params.id as string, body: { tool: tool.name } });
      return shown(visit, null, null, null);
    },
  },
});

async function findTool({ capstan, params }: Pick<OwnVisit, 'capstan' | 'params'>): Promise<ConnectionTool | null> {
  const { items } = await capstan.tools.list({ id: params.id as string });
  return items.find(({ name }) => name === params.tool) ?? null;
}

async function shown(visit: OwnVisit, said: Said | null, form: URLSearchParams | null, below: Value): Promise<View> {
  const { capstan, params, path } = visit;
  const [connection, tool] = await Promise.all([capstan.connections.get({ id: params.id as string }), findTool(visit)]);
  if (tool === null) return noPage(path);
  const content = html`${toolAbout(tool)}
${tool.state === 'changed' ? changedNote(connection, tool) : tool.state === 'added' ? addedNote(connection, tool) : callForm(tool, form)}
${below}`;
  const trail = html`<a href="/dashboard/connections">Connections</a> / <a href="${connectionPath(connection)}"><bdi>${cut(connection.name, 80)}</bdi></a>`;
  return board({ title: cut(tool.name, 100), place: '/connections', trail, said, content });
}

const callForm = (tool: ConnectionTool, form: URLSearchParams | null): Html =>
  html`<form method="post" class="stack"><input type="hidden" name="do" value="call">
${schemaForm(tool.input_schema, form)}
<div><button type="submit" class="button">Call</button></div></form>
${tool.state === 'new' && html`<p class="fine">Your first call accepts all tools of this server as they are now. We ask you again if a tool changes or is added.</p>`}`;

const changedNote = (connection: { id: string }, tool: ConnectionTool): Html =>
  html`<div class="said bad"><p>This tool has changed since you accepted it. Review it before you accept it again.</p><div class="ways">${acceptForm(connection, tool)}${actButton('compare', 'Show what changed')}</div></div>`;

const addedNote = (connection: { id: string }, tool: ConnectionTool): Html =>
  html`<div class="said bad"><p>The server added this tool. Read it before you accept it.</p><div class="ways">${acceptForm(connection, tool)}</div></div>`;

const MOST_CHARACTERS = 100_000;

function json(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  return html`<pre tabindex="0"><code>${text.slice(0, MOST_CHARACTERS)}${text.length > MOST_CHARACTERS && '\n…'}</code></pre>`;
}

const result = ({ content, structured_content, is_error, duration_ms, links }: Called): Html =>
  html`<section aria-labelledby="answer" class="answer"><h2 id="answer" tabindex="-1">${is_error ? 'The tool returned an error' : 'Result'}</h2>
<p class="facts"><span class="state ${is_error ? 'bad' : 'good'}">${is_error ? 'failed' : 'succeeded'}</span><span>${count(Math.round(duration_ms))} ms</span></p>
${content.map(block)}
${structured_content !== null && html`<h3>Structured content</h3>${json(structured_content)}`}
<p class="fine">Untrusted output of the server. Trace: <code>${links.trace}</code></p></section>`;

const block = (entry: Record<string, unknown>): Html =>
  entry.type === 'text' && typeof entry.text === 'string'
    ? html`<pre tabindex="0" dir="auto"><code>${entry.text.slice(0, MOST_CHARACTERS)}</code></pre>`
    : json(entry);

/** The differences between the accepted and the current tool. */
function changes({ body, reason }: CapstanError): Html | null {
  const { differences } = (body ?? {}) as { differences?: unknown };
  return reason === 'tool_changed' && Array.isArray(differences)
    ? html`<section aria-labelledby="changes"><h2 id="changes">What changed</h2>${json(differences)}</section>`
    : null;
}
