import { styleText } from 'node:util';
import type { Told } from './failure.ts';
import type { Output, World } from './world.ts';

/** Data goes to stdout, everything else to stderr. */

export interface Format {
  json: boolean;
  quiet: boolean;
  /** Whether work that takes long may show how far it is. */
  bars: boolean;
}

type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

/** Colours only for people who want them. */
export function paintFor(stream: Output, env: World['env']): Paint {
  const wanted = stream.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb' && (env.CI ?? '') === '';
  return wanted || (env.FORCE_COLOR ?? '') !== ''
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}

/** One answer: as the service gave it, or as text for people. */
export function show<T>(world: World, { json }: Format, value: T, text: (value: T, paint: Paint) => string): void {
  const written = json
    ? jsonText(value, world.stdout.isTTY ? 2 : 0)
    : harmless(text(value, paintFor(world.stdout, world.env)));
  if (written !== '') world.stdout.write(`${written}\n`);
}

/** One of many: a line of JSON each. */
export function showLine<T>(world: World, { json }: Format, value: T, text: (value: T, paint: Paint) => string): void {
  world.stdout.write(`${json ? jsonText(value) : harmless(text(value, paintFor(world.stdout, world.env)))}\n`);
}

export function sayFailure(world: World, { json }: Format, told: Told): void {
  if (json) return void world.stderr.write(`${jsonText({ error: told })}\n`);
  const paint = paintFor(world.stderr, world.env);
  const lines = [
    `${paint('red', 'error')} ${safe(told.detail)} ${paint('dim', `(${told.code})`)}`,
    // One that is the whole message is said once.
    ...errorsBeside(told).map(
      ({ pointer, detail }) => `  ${pointer === '' ? 'input' : safe(pointer)}: ${safe(detail)}`,
    ),
    ...(told.fix === '' ? [] : [`${paint('cyan', 'fix')}   ${safe(told.fix)}`]),
    ...(told.request_id === null ? [] : [paint('dim', `      request ${told.request_id}`)]),
  ];
  world.stderr.write(`${harmless(lines.join('\n'))}\n`);
}

const errorsBeside = ({ errors, detail: whole }: Told): Told['errors'] =>
  errors.filter(({ detail }) => detail !== whole);

/**
 * Untrusted text for a terminal: no control characters, which could move the cursor or write the title, and none of
 * those that turn the direction of reading or cannot be seen.
 */
export const safe = (text: string): string => text.replace(UNSEEN, '\ufffd');

const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for.
const COLOUR = /(\u001b\[(?:[12]|22|3\d|39)m)/;

/** A safety net for all terminal output: removes every control sequence except our colours. */
const harmless = (text: string): string =>
  text
    .split(COLOUR)
    .map((part, at) => (at % 2 === 1 ? part : safe(part)))
    .join('');

/** The same value, with what a terminal could act on written as escapes. */
const jsonText = (value: unknown, indent = 0): string =>
  (JSON.stringify(value, null, indent) ?? '').replace(UNSEEN, (match) =>
    match.length > 1 || match >= ' ' ? escaped(match) : match,
  );

const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

export const oneLine = (text: string): string => safe(text).replace(/\s+/g, ' ').trim();

export function cut(text: string, most: number): string {
  const line = oneLine(text);
  const letters = [...line];
  return letters.length <= most ? line : `${letters.slice(0, most - 1).join('')}…`;
}

/** Columns as wide as their widest cell; the last one takes what is left of the line. */
export function table(rows: readonly (readonly string[])[], width = 100): string {
  const clean = rows.map((row) => row.map(oneLine));
  const widths = (clean[0] ?? []).map((_, at) => Math.max(...clean.map((row) => [...(row[at] ?? '')].length)));
  return clean
    .map((row) => {
      const cells = row.slice(0, -1).map((cell, at) => cell + ' '.repeat((widths[at] as number) - [...cell].length));
      const before = cells.reduce((sum, cell) => sum + [...cell].length + 2, 0);
      return [...cells, cut(row.at(-1) ?? '', Math.max(20, width - before))].join('  ').trimEnd();
    })
    .join('\n');
}

/** Facts, one a line, without those that are empty. */
export function facts(told: Readonly<Record<string, string | null | undefined>>): string {
  const pairs = Object.entries(told).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  // Continuation lines are indented, so that none looks like a separate fact.
  return pairs
    .map(([name, value]) => `${name.padEnd(width)}  ${safe(value).replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`)
    .join('\n');
}
