import { codeBlock } from '#core/markdown/escape.ts';
import { plain, quoted } from '#core/tools/words.ts';
import { listOf, type PastCall, stringOf } from './history.ts';
import type { Option } from './options.ts';

/** How the planner speaks. What strangers wrote stands in quotes or in a block. */

export const NO_MODEL =
  'This is builtin/planner, which is no language model: it knows a few phrases and fills in forms.';

export const HELP = [
  'I find, inspect and run capabilities. Say for example:',
  '- find a tool for JSON',
  '- what can json-diff do',
  '- run json-diff with before={"port":80} after={"port":8080}',
  '- run the second one',
  '- compare json-diff and json-repair',
  '- list my tasks, list my connections, call TOOL on CONNECTION with city=Oslo',
].join('\n');

/** The reference comes first in its line, so that what is chosen by number is beyond doubt. */
export const optionLine = (it: Option, at: number): string => {
  const of = it.kind === 'skill' ? 'skill of this service' : `${it.listing_type}, ${quoted(it.name, 80)}`;
  const about = it.kind === 'skill' ? plain(it.description, 160) : quoted(it.description, 160);
  return `${at + 1}. \`${plain(it.ref, 300)}\` (${of}, ${it.execution_class}): ${about}`;
};

export const optionLines = (options: readonly Option[]): string => options.map(optionLine).join('\n');

const MOST_OUTPUT = 6_000;

export function shownJson(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? 'null');
  const cut = text.length > MOST_OUTPUT ? `${text.slice(0, MOST_OUTPUT).toWellFormed()}\n… (cut)` : text;
  return codeBlock(cut, typeof value === 'string' ? '' : 'json');
}

/** Why a call failed, in its own words, with the fields that are wrong. */
export function failureText({ name, data }: PastCall): string {
  const detail = stringOf(data?.detail);
  const fields = listOf(data?.errors).map(
    (it) => `- ${plain(stringOf(it.pointer) || 'input', 100)} ${plain(stringOf(it.detail), 200)}`,
  );
  return [detail === '' ? `${name} failed.` : plain(detail, 1_000), ...fields.slice(0, 10)].join('\n');
}
