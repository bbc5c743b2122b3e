import { plain, quoted } from '#core/tools/words.ts';
import { type Json, listOf, objectOf, type PastCall, stringOf } from './history.ts';
import type { Next } from './next.ts';
import type { Option } from './options.ts';
import { failureText, shownJson } from './words.ts';

/** Shows one capability, or the newest runs. Texts by authors are quoted. */

const DID = 'showed what you named';

/** `done`: calls of this turn. */
export function showOption(option: Option, done: readonly PastCall[]): Next {
  if (option.kind === 'skill') return showSkill(option, done);
  const detail = done.find(({ name }) => name === 'registry_get_listing');
  const { provider, external_id, ref } = option;
  if (detail === undefined) return { call: [{ name: 'registry_get_listing', input: { provider, external_id } }] };
  if (detail.failed || detail.data === null) return { say: failureText(detail), did: DID };
  const { description, license, runnable, tools, install } = detail.data;
  const names = listOf(tools)
    .slice(0, 30)
    .map(({ name }) => quoted(stringOf(name), 80));
  const lines = [
    ...(stringOf(description) === '' ? [] : [quoted(stringOf(description), 600)]),
    ...(names.length === 0 ? [] : [`Its tools: ${names.join(', ')}.`]),
    ...runsLines(objectOf(runnable)),
    ...(stringOf(install) === '' ? [] : [`Install it: ${quoted(stringOf(install), 300)}`]),
    ...(stringOf(license) === '' ? [] : [`Licence: ${quoted(stringOf(license), 60)}.`]),
  ];
  const head = `\`${plain(ref, 300)}\` (${plain(option.listing_type, 40)}, ${quoted(option.name, 80)}):`;
  return { say: [head, '', ...lines.map((line) => `- ${line}`)].join('\n'), did: DID };
}

/** Whether it runs here, and why if it does not. */
function runsLines({ reason, detail }: Json): string[] {
  const why = plain(stringOf(detail), 300);
  if (why === '') return [];
  return [reason === 'ok' ? `Runs here. ${why}` : `Does not run here now. ${why}`];
}

function showSkill({ ref, description, input_schema, example }: Option, done: readonly PastCall[]): Next {
  if (!done.some(({ name }) => name === 'skill_search' || name === 'registry_get_skill'))
    return { call: [{ name: 'registry_get_skill', input: { name: ref } }] };
  const { properties, required } = objectOf(input_schema);
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(objectOf(properties))
    .slice(0, 30)
    .map(([name, member]) => {
      const about = plain(stringOf(objectOf(member).description), 200);
      return `- ${plain(name, 64)}${needed.has(name) ? '' : ' (optional)'}${about === '' ? '' : `: ${about}`}`;
    });
  return {
    say: [
      `\`${ref}\` (skill of this service): ${plain(description, 600)}`,
      ...(members.length === 0 ? [] : ['', 'Its arguments:', ...members]),
      ...(example === undefined
        ? []
        : ['', `This is its example; “run ${ref} with its example” runs it:`, shownJson(example)]),
    ].join('\n'),
    did: DID,
  };
}

const MOST_RUNS = 5;

export function listRuns(done: readonly PastCall[]): Next {
  const listed = done.find(({ name }) => name === 'task_list');
  const did = 'listed your newest runs';
  if (listed === undefined) return { call: [{ name: 'task_list', input: { limit: MOST_RUNS } }] };
  if (listed.failed || listed.data === null) return { say: failureText(listed), did };
  const lines = listOf(listed.data.items).map(
    ({ id, title, status, receipt_id }, at) =>
      `${at + 1}. \`${stringOf(id)}\` ${quoted(stringOf(title), 100)} ${plain(stringOf(status), 40)}${stringOf(receipt_id) === '' ? '' : `, receipt ${stringOf(receipt_id)}`}`,
  );
  return { say: lines.length === 0 ? 'You have no runs yet.' : ['Your newest runs:', ...lines].join('\n'), did };
}
