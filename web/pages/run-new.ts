import { randomUUID } from 'node:crypto';
import { CapstanError, type Task } from '../../sdk/src/index.ts';
import { pagePath, type Ref, readRef, refLink, tryPath } from '../parts/capability-ref.ts';
import { fieldsOf, presets } from '../parts/input-fields.ts';
import { type Filled, filledWith, inputForm } from '../parts/input-form.ts';
import { bytesText } from '../parts/json-view.ts';
import { faultsOf, readFilled } from '../parts/read-form.ts';
import { failure } from '../parts/said.ts';
import { signInPath } from '../parts/sign-in-first.ts';
import { answerIn, grantsOf, openQuestion, questionFields, skillSettingsPath } from '../parts/skill-needs.ts';
import { filesFieldset, readFiles } from '../parts/try-files.ts';
import { findTarget, type Trial, type TryTarget } from '../parts/try-target.ts';
import { cut } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Answer, Page, View, Visit } from '../server/page.ts';

/** `/runs/new?ref=skill/json-diff`: a form for the input of a capability. Submitting it creates a task and redirects to it. */
export const runNew: Page = {
  get: async (visit) => {
    const ref = readRef(visit.query.get('ref') ?? '');
    if (ref === null) return NOTHING_NAMED;
    if (visit.user === null && !OPEN.includes(ref.kind)) return { location: signInPath(here(visit)) };
    const target = await ownTarget(visit, ref);
    return view(visit, ref, target, await firstFilled(visit, target));
  },
  post: async (visit): Promise<Answer> => {
    const ref = readRef(visit.query.get('ref') ?? '');
    if (ref === null) return NOTHING_NAMED;
    if (visit.user === null && !OPEN.includes(ref.kind)) return { location: signInPath(here(visit)) };
    const target = await ownTarget(visit, ref);
    const { input, filled } = readForm(target, visit.form);
    if (filled.faults.length > 0) return view(visit, ref, target, filled, 422, visit.form);
    try {
      const capability = { ...ref, ...versionIn(visit.query) };
      if (visit.user === null) return { location: await tryOnce(visit, target, capability, input) };
      return { location: `/runs/${await begin(visit, capability, input)}` };
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      // Without fields, the message above the form says it all.
      const faults = error.errors.length === 0 ? [] : faultsOf(error, target.tool !== undefined);
      return view(visit, ref, target, { ...filled, faults }, error.status, visit.form, error);
    }
  },
};

/** With what the skill needs of this reader. */
async function ownTarget(visit: Visit, ref: Ref): Promise<TryTarget> {
  const target = await findTarget(visit.capstan, ref, toolOf(visit.query));
  if (visit.user === null) return target.is_open === true ? { ...target, trial: await trialOf(visit) } : target;
  if (target.tools !== undefined) return target;
  return { ...target, grants: await grantsOf(visit.capstan, ref) };
}

/** Null if the operator turned such runs off. */
async function trialOf({ capstan }: Visit): Promise<Trial | null> {
  const trial = await capstan.trials.getStatus();
  return trial.per_day === 0 ? null : trial;
}

/** Kinds that readers without a session may see. */
const OPEN: readonly string[] = ['skill', 'listing', 'capability'];

const toolOf = (query: URLSearchParams): string => query.get('tool') ?? '';
const here = ({ path, query }: Visit): string => `${path}?${query}`;

/** The newest version without it. */
function versionIn(query: URLSearchParams): { version?: string } {
  const version = query.get('version') ?? '';
  return version === '' ? {} : { version };
}

type FormVisit = Visit & { form: URLSearchParams };

/** A form that is sent twice creates one task. */
async function begin(
  { capstan, form }: FormVisit,
  capability: Ref & { version?: string },
  input: unknown,
): Promise<string> {
  const input_files = readFiles(form) ?? [];
  const files = input_files.length === 0 ? {} : { input_files };
  const { install, environment } = answerIn(form);
  const given = {
    ...(install ? { install } : {}),
    ...(Object.keys(environment).length === 0 ? {} : { environment }),
  };
  const key = form.get('key') ?? randomUUID();
  const { id } = await capstan.tasks.create(
    { body: { capability, input, ...files, ...given } },
    { idempotency_key: key },
  );
  try {
    await capstan.tasks.start({ id });
  } catch (error) {
    // The first request already started it, or the reader can start it on its page.
    if (!(error instanceof CapstanError)) throw error;
    if (error.reason !== 'not_startable' && error.code !== 'tasks.queue_limit_exceeded') throw error;
  }
  return id;
}

/** Most runs of skills end in this time, so that the next page has the result. */
const TRIAL_WAIT_MS = 4_000;

/** Without an account. Answers the page of the run, whose address is its only key. */
async function tryOnce(
  { capstan }: Visit,
  { source }: TryTarget,
  { kind, ref, version }: Ref & { version?: string },
  input: unknown,
): Promise<string> {
  // An id of the marketplace is not resolved for callers without an account; its source is.
  const name = source ?? (kind === 'skill' ? `skill/${ref}` : ref);
  const capability = version === undefined ? { ref: name } : { ref: name, version };
  const { path } = await capstan.trials.create({ body: { capability, input, wait_ms: TRIAL_WAIT_MS } });
  return path;
}

/** `from` is a task whose input is copied. Otherwise the example is used, or the defaults of the schema. */
async function firstFilled({ capstan, query, user }: Visit, target: TryTarget): Promise<Filled> {
  const from = query.get('from');
  const task: Task | null = from === null || user === null ? null : await capstan.tasks.get({ id: from });
  const fields = fieldsOf(target.schema);
  const given = task === null ? target.example : argumentsOf(target, task.input);
  const input = given ?? presets(fields ?? []);
  return filledWith(fields, input);
}

const argumentsOf = ({ tool }: TryTarget, input: unknown): unknown =>
  tool === undefined ? input : (input as { arguments?: unknown } | null)?.arguments;

function readForm(target: TryTarget, form: URLSearchParams): { input: unknown; filled: Filled } {
  const { input, filled } = readFilled(fieldsOf(target.schema), form);
  const { tool } = target;
  return { input: tool === undefined ? input : { tool, arguments: input }, filled };
}

function view(
  visit: Visit,
  ref: Ref,
  target: TryTarget,
  filled: Filled,
  status = 200,
  form: URLSearchParams | null = null,
  error: CapstanError | null = null,
): View {
  const { name, description, note, tools, tool } = target;
  const mustChoose = tools !== undefined && tool === undefined;
  const cannotRun = target.needs_model === true && !visit.site.has_model;
  const content = html`<article class="try-run">
<header class="head"><p class="label">${refLink({ ...ref, name })}</p><h1>Try <bdi>${cut(name, 120)}</bdi>${tool !== undefined && html` <small><code>${tool}</code></small>`}</h1>
${description !== '' && html`<p class="lead" dir="auto">${cut(description, 500)}</p>`}
${note !== null && html`<p class="fine" dir="auto">${cut(note, 500)}</p>`}
${visit.query.has('version') && html`<p class="fine">Version ${cut(visit.query.get('version') ?? '', 60)}, as in the run that this form is filled from. Secrets are read from where they are stored.</p>`}</header>
${visit.user === null && !target.trial && !cannotRun && signedOut(visit, target)}
${
  cannotRun
    ? withoutModel(ref)
    : mustChoose
      ? toolChoice(ref, tools ?? null)
      : html`<form method="post" class="fields-form" action="${here(visit)}">
${tool !== undefined && html`<p class="label"><a href="${tryPath(ref)}">Another tool</a></p>`}
<input type="hidden" name="key" value="${randomUUID()}">
${error !== null && failure({ ...error, errors: [] })}
${inputForm(fieldsOf(target.schema), filled)}
${grantsSection(target, ref, form)}
${tools === undefined && visit.user !== null && filesFieldset(form?.get('files') ?? '', form?.get('file_name') ?? '', form?.get('file_text') ?? '')}
${visit.user !== null && html`<p class="ways"><button type="submit" class="button">Run</button> <span class="fine">Every run ends with a receipt that anyone can verify.</span></p>`}
${
  visit.user === null &&
  target.trial &&
  html`<p class="ways">${trialWays(visit, target.trial)}</p>
${trialNote(target.trial)}`
}
</form>`
}
</article>`;
  return { title: `Try ${cut(name, 80)}`, content, status, unlisted: true };
}

function grantsSection({ grants = null }: TryTarget, ref: Ref, form: URLSearchParams | null): Html | false {
  if (grants === null) return false;
  const question = openQuestion(grants);
  return html`<section aria-labelledby="needs"><h2 id="needs">What the script may use</h2>
${questionFields(question, form, ref)}
<p class="fine">${grants.hosts.length === 0 ? 'It cannot reach the network.' : `It can reach ${grants.hosts.join(', ')}.`} <a href="${skillSettingsPath(ref) ?? ''}">Values, secrets and hosts</a></p></section>`;
}

/** Only what works: an address that has no run left can sign in. */
const trialWays = (visit: Visit, { runs_left }: Trial): Html =>
  runs_left === 0
    ? html`<a class="button" href="${signInPath(here(visit))}" rel="nofollow">Sign in to run it</a>`
    : html`<button type="submit" class="button">Run without an account</button> <a href="${signInPath(here(visit))}" rel="nofollow">Sign in</a>`;

/** What a run without an account is, and what an account adds. */
const trialNote = ({ runs_left, per_day, input_bytes }: Trial): Html =>
  html`<p class="fine">${runs_left === 0 ? 'Your network has used up today’s runs without an account. ' : `${runs_left} of ${per_day} left today. Without an account, the whole input can have at most ${bytesText(input_bytes)}, even if a field allows more. `}The run has a trace and a signed receipt. You can open it only by its link. With an account, you can run everything, keep your runs, and add files. <a href="/docs/try-without-an-account">What runs without an account</a></p>`;

const signedOut = (
  visit: Visit,
  { tool }: TryTarget,
): Html => html`<section class="ask" aria-labelledby="who"><h2 id="who">Sign in to run this</h2>
<p>${tool === undefined ? 'An account is required to run it. Accounts are free.' : 'An account is required: the server does not declare this tool read-only, or needs settings from you.'} <a href="/docs/try-without-an-account">What runs without an account</a></p>
<p>Only you can see the input and output of your runs. You return to this page after signing in.</p>
<p><a class="button" href="${signInPath(here(visit))}" rel="nofollow">Sign in</a></p></section>`;

/** Instead of a form whose run would be refused. */
const withoutModel = (
  ref: Ref,
): Html => html`<section class="ask" aria-labelledby="model"><h2 id="model">This needs a language model</h2>
<p>This service has none, so it cannot run this. ${ref.kind !== 'harness' && 'You can still add it to your own client.'}</p>
<p class="ways">${waysOf(ref)}<a href="/docs/language-models">How an operator adds a model</a></p></section>`;

function waysOf(ref: Ref): Html | null {
  const page = pagePath(ref);
  return page === null || ref.kind === 'harness'
    ? null
    : html`<a class="button" href="${page}?tab=install">Add to a client</a> `;
}

function toolChoice(ref: Ref, tools: (TryTarget['tools'] & object) | null): Html {
  if (tools === null)
    return html`<form method="get" action="/runs/new" class="fields-form"><input type="hidden" name="ref" value="${ref.kind}/${ref.ref}">
<div class="field-row"><label for="tool">Tool</label><input id="tool" name="tool" required maxlength="200" autocomplete="off" spellcheck="false">
<p class="fine">The tools of this server are not known yet. Enter the name of one.</p></div><p><button type="submit" class="button">Continue</button></p></form>`;
  return html`<section aria-labelledby="choose"><h2 id="choose">Choose a tool</h2><ul class="ledger">${tools.map((tool) => html`<li><h3><a href="${tryPath(ref, { tool: tool.name })}"><bdi>${tool.name}</bdi></a></h3>${tool.description !== '' && html`<p class="about" dir="auto">${cut(tool.description, 300)}</p>`}</li>`)}</ul></section>`;
}

const NOTHING_NAMED: View = {
  title: 'Try a capability',
  status: 400,
  unlisted: true,
  content: html`<section class="problem"><h1>Choose a capability to run</h1>
<p class="lead">Name it in the address, such as <code>/runs/new?ref=skill/json-diff</code> or <code>/runs/new?ref=listing/provider/id</code>.</p>
<p class="ways"><a class="button" href="/skills">Skills that run here</a> <a href="/marketplace">Browse all capabilities</a></p></section>`,
};
