import { plain, quoted } from '#core/tools/words.ts';
import { type Fitted, fitInput, type Member } from './fit-input.ts';
import { type Json, listOf, objectOf, type PastCall, stringOf } from './history.ts';
import type { Call, Next } from './next.ts';
import type { Option } from './options.ts';
import { plainText } from './plain-text.ts';
import { readValues, type Values } from './values.ts';
import { failureText, shownJson, taskText } from './words.ts';

/** Runs one capability: its input, a task, its start, its output. Asks for missing arguments by name. */

const WAIT_MS = 20_000;

/** `given`: the messages for this run. `done`: calls of this turn. */
export function runOption(option: Option, given: readonly string[], done: readonly PastCall[]): Next {
  const input = option.execution_class === 'mcp' ? toolInput(option, given, done) : skillInput(option, given);
  if (!('value' in input)) return input;
  const capability = { kind: option.kind, ref: option.ref };
  return { call: [{ name: 'task_create', input: { capability, input: input.value } }] };
}

type Ready = { value: unknown } | Next;

/** Every value of the newest message needs a place; earlier messages were already asked about. */
function fitAll(schema: unknown, given: readonly Values[]): Fitted {
  let fitted: Fitted = { input: {}, missing: [], unplaced: 0 };
  for (const values of given) fitted = fitInput(schema, values, objectOf(fitted.input));
  return fitted;
}

function skillInput({ ref, input_schema, example }: Option, given: readonly string[]): Ready {
  if (/^(?:with )?its example[.!]?$/i.test((given[0] ?? '').trim()) && example !== undefined) return { value: example };
  const text = given.length === 1 ? plainText(input_schema, given[0] ?? '') : null;
  const { input, missing, unplaced } =
    text === null ? fitAll(input_schema, given.map(readValues)) : fitInput(input_schema, readValues(''), text);
  if (missing.length === 0 && unplaced === 0) return { value: input };
  if (missing.length > 0) return { say: askFor(ref, missing, example), did: 'asked for the missing arguments' };
  const names = Object.keys(objectOf(objectOf(input_schema).properties)).slice(0, 20);
  const form = names.map((name) => `${plain(name, 64)}=…`).join(' ');
  return {
    say: `It is not clear which argument of \`${ref}\` each value is for. Say it by name: run ${ref} with ${form}`,
    did: 'asked which argument is meant',
  };
}

function askFor(ref: string, missing: readonly Member[], example: unknown): string {
  const lines = missing.map(
    ({ name, description }) => `- ${plain(name, 64)}${description === '' ? '' : `: ${plain(description, 200)}`}`,
  );
  const form = missing.map(({ name }) => `${plain(name, 64)}=…`).join(' ');
  return [
    `\`${ref}\` needs more arguments:`,
    ...lines,
    '',
    `Answer with ${form}, or with JSON.`,
    ...(example === undefined
      ? []
      : [`This is its example; “run ${ref} with its example” runs it:`, shownJson(example)]),
  ].join('\n');
}

const detailCall = ({ provider, external_id }: Option): Call => ({
  name: 'registry_get_listing',
  input: { provider, external_id },
});

/** The input for an MCP server: one of its tools and that tool's arguments. */
function toolInput(option: Option, given: readonly string[], done: readonly PastCall[]): Ready {
  const detail = done.find(({ name }) => name === 'registry_get_listing');
  if (detail === undefined) return { call: [detailCall(option)] };
  if (detail.failed || detail.data === null) return { say: failureText(detail), did: 'read the listing' };
  const { reason, detail: why } = objectOf(detail.data.runnable);
  if (typeof reason === 'string' && reason !== 'ok')
    return {
      say: `${quoted(option.name, 80)} cannot be run from here now (${plain(reason, 80)}): ${plain(stringOf(why), 300)}`,
      did: 'read the listing',
    };
  const { tool: named, ...members } = objectOf(fitAll(null, given.map(readValues)).input);
  const tools = listOf(detail.data.tools).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  const tool = stringOf(named) || (tools.length === 1 ? tools[0] : undefined);
  if (tool !== undefined) return { value: { tool, arguments: argumentsOf(members) } };
  const known = tools.slice(0, 50).map((name) => quoted(name, 128));
  const list = known.length === 0 ? 'Its tools are not known here.' : `It has: ${known.join(', ')}.`;
  return {
    say: `Which tool of \`${plain(option.ref, 300)}\`? ${list} Answer with tool=NAME and its arguments as name=value.`,
    did: 'asked for the tool',
  };
}

const argumentsOf = (members: Json): Json =>
  typeof members.arguments === 'object' && members.arguments !== null ? objectOf(members.arguments) : members;

/** The steps after a task was created in this turn: start it, then wait for its end. */
export function afterCreate(made: PastCall, done: readonly PastCall[]): Next {
  const did = 'created a task for your request';
  if (made.failed || made.data === null) return { say: `The task was not created. ${failureText(made)}`, did };
  const started = done.find(({ name }) => name === 'task_start');
  if (started === undefined)
    return { call: [{ name: 'task_start', input: { id: stringOf(made.data.id), wait_ms: WAIT_MS } }] };
  if (started.failed || started.data === null) return { say: failureText(started), did };
  return { say: taskText(started.data), did: 'ran what you named with the arguments of your message' };
}
