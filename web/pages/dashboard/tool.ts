import { randomUUID } from 'node:crypto';
import { CapstanError, type Connection, type Task } from '../../../sdk/src/index.ts';
import type { Answers } from '../../parts/answer-form.ts';
import { connectionPath } from '../../parts/connection-list.ts';
import { acceptForm, type ConnectionTool, otherTools, toolAbout } from '../../parts/connection-tools.ts';
import { actButton, board } from '../../parts/dashboard.ts';
import { fieldsOf, presets } from '../../parts/input-fields.ts';
import { type Filled, filledWith, inputForm } from '../../parts/input-form.ts';
import { jsonText } from '../../parts/json-text.ts';
import { hostsForm, hostsIn } from '../../parts/package-hosts.ts';
import { faultsOf, readFilled } from '../../parts/read-form.ts';
import { runAct, runPanel } from '../../parts/run-panel.ts';
import { hasEnded } from '../../parts/run-state.ts';
import type { Said } from '../../parts/said.ts';
import { signInOutcome } from '../../parts/server-sign-in.ts';
import { hasWallet, signedBy } from '../../parts/signed-form.ts';
import { cut } from '../../parts/words.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import { type FormVisit, type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { Answer, View } from '../../server/page.ts';
import { noPage } from '../../server/problem-view.ts';

/**
 * `/dashboard/connections/{id}/tools/{tool}`: one tool, a form generated from its schema, and below it the call, which is a
 * run: it continues when the page is closed, can be stopped, and has a trace and a receipt. `?run=` names it.
 */

/** What the form shows: fields, or JSON for the whole input. */
interface Form {
  filled: Filled;
  is_json: boolean;
}

export const tool = ownPage({
  show: async (visit, given) => {
    const said = given ?? signInOutcome(visit.query);
    const failed = said !== null && 'failed' in said ? changes(said.failed) : null;
    return shown(visit, said, null, failed);
  },
  acts: {
    call,
    json: (visit) => switched(visit, true),
    fields: (visit) => switched(visit, false),
    hosts: async (visit) => {
      const { capstan, form } = visit;
      await capstan.hosts.replace({ id: idOf(visit), body: { hosts: hostsIn(form) } }, signedBy(form));
      return { done: 'hosts_saved' };
    },
    // A changed tool is not called: the error lists the differences.
    compare: async (visit) => {
      const tool = await findTool(visit);
      if (tool === null) return noPage(visit.path);
      if (tool.state === 'changed') await visit.capstan.tools.call({ id: idOf(visit), body: { tool: tool.name } });
      return shown(visit, null, null, null);
    },
    again: ofRun,
    delete: ofRun,
    cancel: ofRun,
    start: ofRun,
    answer: ofRun,
  },
});

const idOf = ({ params }: Pick<OwnVisit, 'params'>): string => params.id as string;
const refOf = ({ params }: Pick<OwnVisit, 'params'>): string => `${params.id}/${params.tool}`;

/** Submitting a form twice makes one call. */
async function call(visit: FormVisit): Promise<Answer> {
  const { capstan, form, path } = visit;
  const tool = await findTool(visit);
  if (tool === null) return noPage(path);
  const { input, filled, is_json } = readForm(tool, form);
  if (filled.faults.length > 0) return { ...(await shown(visit, null, { filled, is_json }, null)), status: 422 };
  try {
    const capability = { kind: 'connection' as const, ref: refOf(visit) };
    const options = { idempotency_key: form.get('key') ?? randomUUID() };
    const { id, status } = await capstan.tasks.create({ body: { capability, input } }, options);
    if (status === 'submitted') await capstan.tasks.start({ id }).catch(alreadyStarted);
    return { location: `${path}?run=${id}#run` };
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status !== 422) throw error;
    const faults = faultsOf(error, false);
    return { ...(await shown(visit, null, { filled: { ...filled, faults }, is_json }, null)), status: 422 };
  }
}

function alreadyStarted(error: unknown): void {
  if (!(error instanceof CapstanError) || error.reason !== 'not_startable') throw error;
}

function readForm(tool: ConnectionTool, form: URLSearchParams): Form & { input: unknown } {
  const fields = fieldsOf(tool.input_schema);
  const is_json = fields === null || form.get('as') === 'json';
  return { ...readFilled(is_json ? null : fields, form), is_json };
}

/** The same input in the other form. What is invalid stays where it is, with the reason. */
async function switched(visit: FormVisit, toJson: boolean): Promise<Answer> {
  const tool = await findTool(visit);
  if (tool === null) return noPage(visit.path);
  const { input, filled, is_json } = readForm(tool, visit.form);
  const faults = filled.faults.filter(({ detail }) => detail !== 'Required.');
  if (faults.length > 0) return shown(visit, null, { filled: { ...filled, faults }, is_json }, null);
  return shown(
    visit,
    null,
    { filled: filledWith(fieldsOf(tool.input_schema), input ?? {}, MOST_JSON), is_json: toJson },
    null,
  );
}

/** The page also shows a run with its input. */
const MOST_JSON = 512 * 1_024;

async function ofRun(visit: FormVisit): Promise<Answer> {
  const id = visit.query.get('run') ?? '';
  const done = await runAct(visit, id);
  if (typeof done === 'object' && done !== null)
    return { ...(await shown(visit, null, null, null, done)), status: 422 };
  const again = visit.form.get('do') === 'again' && typeof done === 'string' ? done.slice('/runs/'.length) : null;
  if (again !== null) return { location: `${visit.path}?run=${again}#run` };
  return { location: done || `${visit.path}?run=${id}#run` };
}

const toolsOf = async ({ capstan, params }: Pick<OwnVisit, 'capstan' | 'params'>): Promise<readonly ConnectionTool[]> =>
  (await capstan.tools.list({ id: params.id as string })).items;

const findTool = async (visit: Pick<OwnVisit, 'capstan' | 'params'>): Promise<ConnectionTool | null> =>
  named(await toolsOf(visit), visit);

const named = (tools: readonly ConnectionTool[], { params }: Pick<OwnVisit, 'params'>): ConnectionTool | null =>
  tools.find(({ name }) => name === params.tool) ?? null;

async function shown(
  visit: OwnVisit,
  said: Said | null,
  form: Form | null,
  below: Value,
  given: Answers | null = null,
): Promise<View> {
  const { capstan, path } = visit;
  const [connection, tools, task] = await Promise.all([
    capstan.connections.get({ id: idOf(visit) }),
    toolsOf(visit),
    taskIn(visit),
  ]);
  const tool = named(tools, visit);
  if (tool === null) return noPage(path);
  const proof = task !== null && hasEnded(task) && proofLinks(task);
  const content = html`${toolAbout(tool)}
${tool.state === 'changed' ? changedNote(connection, tool) : tool.state === 'added' ? addedNote(connection, tool) : callForm(visit, tool, form ?? firstForm(tool, task))}
${below}
${task !== null && html`<div class="run">${await runPanel(visit, task, { given, proof, page: `${path}?run=${task.id}` })}</div>`}
${otherTools(connection, tools, tool.name)}
${connection.package !== null && html`<section aria-labelledby="hosts"><h2 id="hosts">Hosts</h2>${hostsForm({ id: connection.id, package: connection.package }, await hasWallet(visit))}</section>`}`;
  const trail = html`<a href="/dashboard/connections">Connections</a> / <a href="${connectionPath(connection)}"><bdi>${cut(connection.name, 80)}</bdi></a>`;
  return board({ title: cut(tool.name, 100), place: '/connections', trail, said, content });
}

/** The call in the address, if it is one of this tool. */
async function taskIn(visit: OwnVisit): Promise<Task | null> {
  const id = visit.query.get('run') ?? '';
  if (id === '') return null;
  try {
    const task = await visit.capstan.tasks.get({ id });
    return task.capability.kind === 'connection' && task.capability.ref === refOf(visit) ? task : null;
  } catch (error) {
    if (error instanceof CapstanError && error.status === 404) return null;
    throw error;
  }
}

/** The input of the call that is shown, otherwise the defaults of the schema. */
function firstForm(tool: ConnectionTool, task: Task | null): Form {
  const fields = fieldsOf(tool.input_schema);
  const input = task?.input ?? presets(fields ?? []);
  // Members without a field would be lost.
  const known = new Set(fields?.map(({ name }) => name));
  const is_json = fields === null || Object.keys(input as object).some((name) => !known.has(name));
  return { filled: filledWith(fields, input, MOST_JSON), is_json };
}

function callForm({ path }: OwnVisit, tool: ConnectionTool, { filled, is_json }: Form): Html {
  const fields = fieldsOf(tool.input_schema);
  return html`<form method="post" action="${path}" class="fields-form"><input type="hidden" name="key" value="${randomUUID()}">
${is_json && html`<input type="hidden" name="as" value="json">`}
${inputForm(is_json ? null : fields, filled)}
<p class="ways"><button type="submit" class="button" name="do" value="call">Call</button>
${fields !== null && html`<button type="submit" class="button plain" name="do" value="${is_json ? 'fields' : 'json'}" formnovalidate>${is_json ? 'Edit as a form' : 'Edit as JSON'}</button>`}
<span class="fine">Every call ends with a receipt that anyone can verify.</span></p></form>
${tool.state === 'new' && html`<p class="fine">Your first call accepts all tools of this server as they are now. We ask you again if a tool changes or is added.</p>`}`;
}

const proofLinks = ({ id, receipt_id, trace_id }: Task): Html =>
  html`<p class="ways">${trace_id !== null && html`<a href="/runs/${id}#trace">Trace</a>`} ${receipt_id !== null && html`<a href="/receipts/${receipt_id}">Receipt</a>`} <a href="/runs/${id}">Open this run</a></p>
<p class="fine">Results are untrusted output of the server.</p>`;

const changedNote = (connection: Pick<Connection, 'id'>, tool: ConnectionTool): Html =>
  html`<div class="said bad"><p>This tool has changed since you accepted it. Review it before you accept it again.</p><div class="ways">${acceptForm(connection, tool)}${actButton('compare', 'Show what changed')}</div></div>`;

const addedNote = (connection: Pick<Connection, 'id'>, tool: ConnectionTool): Html =>
  html`<div class="said bad"><p>The server added this tool. Read it before you accept it.</p><div class="ways">${acceptForm(connection, tool)}</div></div>`;

const MOST_CHARACTERS = 100_000;

/** The differences between the accepted and the current tool. */
function changes({ body, reason }: CapstanError): Html | null {
  const { differences } = (body ?? {}) as { differences?: unknown };
  return reason === 'tool_changed' && Array.isArray(differences)
    ? html`<section aria-labelledby="changes"><h2 id="changes">What changed</h2><pre tabindex="0"><code>${jsonText(differences, MOST_CHARACTERS).text}</code></pre></section>`
    : null;
}
