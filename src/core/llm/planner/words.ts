import { codeBlock } from '#core/markdown/escape.ts';
import { plain, quoted } from '#core/tools/words.ts';
import { type Json, listOf, objectOf, type PastCall, stringOf } from './history.ts';
import type { Option } from './options.ts';

/** The planner's answers. Text by authors is quoted or in a block. */

/** Ends every answer; `did` says what was planned. */
export const withoutModel = (text: string, did: string): string =>
  `${text}\n\nPlanned without a language model: ${did}.`;

export const HELP = [
  'Say what you are looking for, and I search the catalog. Then say `run` or `show` with a name or a number of the list:',
  '- find a tool for JSON',
  '- run json-diff with before={"port":80} after={"port":8080}',
  '- run 2',
  '- show json-diff, or show 2',
  '- my runs',
  '',
  'I take arguments from JSON, name=value, quoted text, URLs and numbers, and ask for the rest.',
].join('\n');

/** The reference comes first in its line, so that a choice by number is unambiguous. */
function optionLine(option: Option, at: number): string {
  const { kind, ref, name, description, listing_type, execution_class } = option;
  const source = kind === 'skill' ? 'skill of this service' : `${listing_type}, ${quoted(name, 80)}`;
  const about = kind === 'skill' ? plain(description, 160) : quoted(description, 160);
  return `${at + 1}. \`${plain(ref, 300)}\` (${source}, ${execution_class}): ${about}`;
}

export const optionLines = (options: readonly Option[]): string => options.map(optionLine).join('\n');

const MOST_OUTPUT = 6_000;

/** Images and files in a result, which say nothing as text. */
const BYTES = /[A-Za-z0-9+/_-]{1024,}={0,2}/g;

export function shownJson(value: unknown): string {
  const whole = typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? 'null');
  const text = whole.replace(BYTES, (bytes) => `(${bytes.length} characters of encoded data)`);
  const cut = text.length > MOST_OUTPUT ? `${text.slice(0, MOST_OUTPUT).toWellFormed()}\n… (cut)` : text;
  return codeBlock(cut, typeof value === 'string' ? '' : 'json');
}

/** Why a call failed, with the invalid fields. */
export function failureText({ name, data }: PastCall): string {
  const detail = stringOf(data?.detail);
  const fields = listOf(data?.errors).map(
    (error) => `- ${plain(stringOf(error.pointer) || 'input', 100)} ${plain(stringOf(error.detail), 200)}`,
  );
  return [detail === '' ? `${name} failed.` : plain(detail, 1_000), ...fields.slice(0, 10)].join('\n');
}

/** The state of a task, with its output and its receipt. */
export function taskText(task: Json): string {
  const { kind, ref, version } = objectOf(task.capability);
  const detail = stringOf(objectOf(task.error).detail);
  const [id, status, reason, receiptId] = [task.id, task.status, task.status_reason, task.receipt_id].map(stringOf);
  return [
    `Task ${id} (${stringOf(kind)} \`${plain(stringOf(ref), 300)}\` ${plain(stringOf(version), 40)}) is ${status}${reason === '' ? '' : ` (${reason})`}.`,
    ...(detail === '' ? [] : [plain(detail, 500)]),
    ...(status === 'completed' ? ['Its output:', shownJson(task.output ?? null)] : []),
    ...(status === 'working' ? [`It is still running: GET /api/agents/tasks/${id}`] : []),
    ...(receiptId === '' ? [] : [`Receipt: /api/receipts/${receiptId}`]),
  ].join('\n');
}
