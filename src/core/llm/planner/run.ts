import { plain, quoted } from '#core/tools/words.ts';
import { choose } from './choose.ts';
import { fitInput, type Missing } from './fit-input.ts';
import { type Given, readGiven } from './given-input.ts';
import type { Ground, Next } from './ground.ts';
import { type Json, listOf, objectOf, type PastCall, stringOf } from './history.ts';
import { detailCall, detailFor } from './inspect.ts';
import type { Intent } from './intent.ts';
import { type Option, sameName } from './options.ts';
import { failureText, shownJson } from './words.ts';

/** `run … with …`: the capability, its input, a task, its start, its output. What is missing is asked for by name. */

const WAIT_MS = 20_000;

/** `order`: a whole order of a task that the user has confirmed. */
export function runIt({ what, given }: Extract<Intent, { want: 'run' }>, ground: Ground, order?: Json): Next {
  const made = ground.done.find((it) => it.name === 'task_create');
  if (made !== undefined) return carryOn(made, ground);
  if (order !== undefined) return { call: [{ name: 'task_create', input: order }] };
  const chosen = choose(what, ground, 'run');
  if ('next' in chosen) return chosen.next;
  const { one } = chosen;
  const input = one.kind === 'skill' ? skillInput(one, given) : listingInput(one, given, ground);
  if ('next' in input) return input.next;
  const capability = { kind: one.kind, ref: one.ref };
  return { call: [{ name: 'task_create', input: { capability, input: input.value } }] };
}

type Ready = { value: unknown } | { next: Next };

function skillInput({ ref, input_schema, example }: Option, given: string): Ready {
  if (/^(?:its |the |an? )?example(?: input)?$/i.test(given) && example !== undefined) return { value: example };
  const { input, missing } = fitInput(input_schema, readGiven(given));
  return missing.length === 0 ? { value: input } : { next: { say: askFor(ref, missing, example) } };
}

function askFor(ref: string, missing: Missing[], example: unknown): string {
  const lines = missing.map(
    ({ name, description }) => `- ${name}${description === '' ? '' : `: ${plain(description, 200)}`}`,
  );
  const form = missing.map(({ name }) => `${name}=…`).join(' ');
  return [
    `${ref} needs more:`,
    ...lines,
    `Answer with ${form}`,
    ...(example === undefined
      ? []
      : [`or with JSON like its example (“run ${ref} with its example” takes that):`, shownJson(example)]),
  ].join('\n');
}

/** An MCP server takes one of its tools and the arguments of that. */
function listingInput(one: Option, text: string, ground: Ground): Ready {
  const given = readGiven(text);
  if (one.execution_class !== 'mcp') return { value: fitInput(null, given).input };
  const looked = detailFor(one, ground);
  if (looked === undefined) return { next: { call: [detailCall(one)] } };
  if (looked.failed || looked.data === null) return { next: { say: failureText(looked) } };
  const obstacle = objectOf(looked.data.runnable);
  if (obstacle.reason !== 'ok' && obstacle.reason !== null && obstacle.reason !== undefined)
    return {
      next: {
        say: `${quoted(one.name, 80)} cannot be run from here now (${stringOf(obstacle.reason)}): ${plain(stringOf(obstacle.detail), 300)}`,
      },
    };
  return toolInput(
    one,
    given,
    listOf(looked.data.tools)
      .map((it) => stringOf(it.name))
      .filter((it) => it !== ''),
  );
}

function toolInput(one: Option, given: Given, tools: string[]): Ready {
  const { tool: named, ...pairs } = { ...objectOf(given.documents[0]), ...given.pairs };
  const wanted = stringOf(named);
  const said = tools.filter((it) => sameName(it, wanted) || (wanted === '' && given.text.split(/\s+/).includes(it)));
  const tool = said[0] ?? (wanted !== '' ? wanted : tools.length === 1 ? tools[0] : undefined);
  if (tool !== undefined) return { value: { tool, arguments: objectOf(pairs.arguments ?? pairs) } };
  const list =
    tools.length === 0
      ? 'Its tools are not known here; name one.'
      : `It has: ${tools.map((it) => quoted(it, 128)).join(', ')}.`;
  return {
    next: {
      say: `Which tool of \`${plain(one.ref, 300)}\`? ${list} Answer with tool=NAME and its arguments as name=value.`,
    },
  };
}

function carryOn(made: PastCall, { done }: Ground): Next {
  if (made.failed || made.data === null)
    return { say: `The task was not made. ${failureText(made)}\nAnswer with name=value for what is missing.` };
  const started = done.find((it) => it.name === 'task_start');
  if (started === undefined)
    return { call: [{ name: 'task_start', input: { id: stringOf(made.data.id), wait_ms: WAIT_MS } }] };
  return { say: started.failed || started.data === null ? failureText(started) : ended(started.data) };
}

/** How a task stands, with its output and its proof. */
export function ended(it: Json): string {
  const { kind, ref, version } = objectOf(it.capability);
  const error = objectOf(it.error);
  const of = `Task ${stringOf(it.id)} (${stringOf(kind)} \`${plain(stringOf(ref), 300)}\` ${plain(stringOf(version), 40)})`;
  const status = stringOf(it.status);
  const why = stringOf(it.status_reason) === '' ? '' : ` (${stringOf(it.status_reason)})`;
  return [
    `${of} is ${status}${why}.`,
    ...(stringOf(error.detail) === '' ? [] : [plain(stringOf(error.detail), 500)]),
    ...(status === 'completed' ? ['Its output:', shownJson(it.output ?? null)] : []),
    ...(status === 'working' ? [`It goes on. Say “task ${stringOf(it.id)}” to see how it stands.`] : []),
    ...(stringOf(it.receipt_id) === '' ? [] : [`Receipt: /api/receipts/${stringOf(it.receipt_id)}`]),
  ].join('\n');
}
