import { type Capstan, CapstanError, type Connection, type Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { connectionPath } from './connection-list.ts';
import { failure } from './said.ts';
import { schemaFields } from './schema-fields.ts';
import { cut } from './words.ts';

/** The tools of a connection, including those that changed or disappeared. */

export type ConnectionTool = Operations['tools']['list']['answer']['items'][number];

export const toolPath = ({ id }: Pick<Connection, 'id'>, name: string): string =>
  `${connectionPath({ id })}/tools/${encodeURIComponent(name)}`;

/** The tool to begin with: one that can be called, preferably one that only reads and that takes little. */
export function firstTool(tools: readonly ConnectionTool[]): ConnectionTool | undefined {
  const cost = ({ annotations, input_schema }: ConnectionTool): number =>
    (annotations.readOnlyHint === true ? 0 : 1_000) + [input_schema.required ?? []].flat().length;
  return tools.filter((tool) => !isHeld(tool)).toSorted((a, b) => cost(a) - cost(b))[0];
}

const MOST_OTHERS = 100;

/** The other tools of the server, on the page of one. */
export function otherTools(
  connection: Pick<Connection, 'id'>,
  tools: readonly ConnectionTool[],
  current: string,
): Html | null {
  const others = tools.filter(({ name }) => name !== current);
  if (others.length === 0) return null;
  return html`<details class="raw"><summary>Other tools of this server <span class="label">${others.length}</span></summary>
<ul class="choices">${others.slice(0, MOST_OTHERS).map(({ name }) => html`<li><a href="${toolPath(connection, name)}"><code>${cut(name, 100)}</code></a></li>`)}</ul>
${others.length > MOST_OTHERS && html`<p class="fine"><a href="${connectionPath(connection)}">All tools</a></p>`}</details>`;
}

/** Null if the tools cannot be listed yet. */
export async function connectionTools(capstan: Capstan, connection: Connection): Promise<Html | null> {
  if (connection.status !== 'ready') return null;
  try {
    const listed = await capstan.tools.list({ id: connection.id });
    const { items, left_out } = listed;
    return html`<section aria-labelledby="tools"><h2 id="tools">Tools <span class="label">${items.length}</span></h2>
${items.length === 0 && html`<p class="empty">This server has no tools.</p>`}
${changesSection(connection, listed)}
<ul class="rows">${items.map((tool) => row(connection, tool))}</ul>
${left_out.count > 0 && html`<p class="fine">Left out, because the server’s definition is invalid: ${left_out.tools.map(({ name, reason }) => html`<code>${cut(name, 80)}</code> (<bdi>${cut(reason, 200)}</bdi>) `)}${left_out.count > left_out.tools.length && html`and ${left_out.count - left_out.tools.length} more`}</p>`}</section>`;
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status === 0) throw error;
    return html`<section aria-labelledby="tools"><h2 id="tools">Tools</h2>${failure(error)}</section>`;
  }
}

type Listed = Operations['tools']['list']['answer'];

/** What waits for the owner, accepted as a whole by its hash: the tools that are shown here, and no others. */
function changesSection(connection: Connection, { waiting, gone, items, set_hash }: Listed): Html | false {
  if (waiting + gone.length === 0) return false;
  const renamed = items.flatMap(({ name, renamed_from }) =>
    renamed_from === undefined ? [] : [{ name, renamed_from }],
  );
  const removed = gone.filter((name) => !renamed.some(({ renamed_from }) => renamed_from === name));
  return html`<div class="said bad"><p>The server changed its tools. ${waiting > 0 && html`${waiting} ${waiting === 1 ? 'tool waits' : 'tools wait'} for your review and cannot be called until then.`}</p>
${renamed.map(({ name, renamed_from }) => html`<p><code>${cut(renamed_from, 80)}</code> was probably renamed to <code>${cut(name, 80)}</code>: it has the same input and nearly the same description.</p>`)}
${removed.length > 0 && html`<p>Removed: ${removed.map((name) => html`<code>${cut(name, 80)}</code> `)}</p>`}
<form method="post" action="${connectionPath(connection)}"><input type="hidden" name="do" value="accept_all"><input type="hidden" name="set_hash" value="${set_hash}"><button type="submit" class="button">Accept all changes</button></form></div>`;
}

const row = (connection: Connection, tool: ConnectionTool): Html => html`<li>
<div class="what"><h3><a href="${toolPath(connection, tool.name)}"><code>${cut(tool.name, 100)}</code></a>${tool.title !== '' && tool.title !== tool.name && html` <span class="label"><bdi>${cut(tool.title, 100)}</bdi></span>`}</h3>
<p class="fine" dir="auto">${cut(tool.description, 300)}</p>
${tool.state === 'changed' && html`<p class="said bad">This tool has changed since you accepted it. It cannot be called until you accept it again.</p>`}${tool.state === 'added' && html`<p class="said bad">The server added this tool. It cannot be called until you accept it.</p>`}</div>
<div class="does">${isHeld(tool) ? acceptForm(connection, tool) : html`<a class="button plain" href="${toolPath(connection, tool.name)}">Call</a>`}</div>
</li>`;

/** Whether the owner has to review the tool. */
export const isHeld = ({ state }: ConnectionTool): boolean => state === 'changed' || state === 'added';

/** The hash identifies the reviewed version: a tool that has changed again is not accepted. */
export const acceptForm = (connection: Pick<Connection, 'id'>, { name, hash }: ConnectionTool): Html =>
  html`<form method="post" action="${connectionPath(connection)}"><input type="hidden" name="do" value="accept"><input type="hidden" name="tool" value="${name}"><input type="hidden" name="hash" value="${hash}"><button type="submit" class="button">Accept this version</button></form>`;

export const toolAbout = ({ description, input_schema }: ConnectionTool): Html =>
  html`${description !== '' && html`<p class="lead" dir="auto">${cut(description, 2_000)}</p>`}
<details class="raw"><summary>Input schema</summary>${schemaFields(input_schema)}</details>`;
