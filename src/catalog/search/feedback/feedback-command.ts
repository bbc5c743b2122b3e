import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { CommandIo } from '#core/command-io.ts';
import type { Schema } from '#core/db/schema.ts';
import { visible } from '#core/markdown/escape.ts';
import { readFeedback, type SearchReport } from './read-feedback.ts';
import { LEAST_VOICES } from './store.ts';

/** `capstand audit search`: what people search for, and which results they choose. Returns the exit code. */

export const FEEDBACK_USAGE = 'audit search [--days N] [--limit N] [--json]';

const MOST_DAYS = 3_650;
const MOST_ROWS = 1_000;
const DAY_MS = 86_400_000;

interface Deps {
  db: Kysely<Schema>;
  now_ms: number;
  is_on: boolean;
}

export async function feedbackCommand(
  argv: string[],
  { stdout, stderr }: Pick<CommandIo, 'stdout' | 'stderr'>,
  { db, now_ms, is_on }: Deps,
): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      days: { type: 'string', default: '30' },
      limit: { type: 'string', default: '20' },
      json: { type: 'boolean', default: false },
    },
  });
  const [days, limit] = [numberIn(values.days, MOST_DAYS), numberIn(values.limit, MOST_ROWS)];
  if (days === null || limit === null) {
    const [option, most] = days === null ? ['--days', MOST_DAYS] : ['--limit', MOST_ROWS];
    stderr.write(`capstand audit search: ${option} must be a number from 1 to ${most}.\n`);
    return 2;
  }
  const report = await readFeedback(db, isoTime(now_ms - (days - 1) * DAY_MS).slice(0, 10), limit);
  if (values.json) stdout.write(`${JSON.stringify(report)}\n`);
  else stdout.write(textOf(report));
  if (!is_on) stderr.write('Nothing is counted: CAPSTAN_SEARCH_FEEDBACK is off.\n');
  return 0;
}

function numberIn(text: string, most: number): number | null {
  const value = Number(text);
  return /^\d{1,6}$/.test(text) && value >= 1 && value <= most ? value : null;
}

function textOf({ since, searches, unnamed, queries, unanswered, positions }: SearchReport): string {
  const head =
    `${searches} searches since ${since}, counting each person and query once a day. ` +
    `${unnamed} were for texts that fewer than ${LEAST_VOICES} people searched for on the same day; those texts are not kept.`;
  const all = positions.reduce((sum, { choices }) => sum + choices, 0);
  const shares = positions.map(
    ({ position, choices }) => `  ${position}: ${choices} (${Math.round((100 * choices) / all)} %)`,
  );
  return [
    head,
    ...section('Most searched', queries.map(lineOf)),
    ...section('Without a good answer', unanswered.map(lineOf)),
    ...section('Choices by position', shares),
    '',
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

function lineOf(report: SearchReport['queries'][number]): string {
  const { query, searches, results, opened, installed, run, position, capabilities } = report;
  const chosen = [
    `${opened} opened`,
    `${installed} installed`,
    `${run} run`,
    ...(position === null ? [] : [`position ${position.toFixed(1)}`]),
    ...capabilities.map(({ id, choices }) => `${visible(id)} ×${choices}`),
  ];
  return `  ${searches}  ${visible(query)}  ${results} results; ${chosen.join(', ')}`;
}
