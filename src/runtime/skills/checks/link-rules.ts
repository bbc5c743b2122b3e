import { type Place, placesIn } from '#core/text/lines.ts';

/** Links of Markdown to files beside it, with their places. Code is passed over. One pass, no backing up. Pure. */

interface Link {
  /** As written, without fragment and query; `%20` decoded. */
  target: string;
  place: Place;
}

/** No page needs more; each costs a look among the files. */
const MOST_LINKS = 2_000;

/** Those with a scheme, a host, or only a fragment are not among them. */
export function fileLinks(markdown: string, first_line = 1): Link[] {
  const placeAt = placesIn(markdown, first_line);
  const links: Link[] = [];
  const take = (from: number) => {
    const target = links.length < MOST_LINKS ? targetAt(markdown, from) : '';
    if (target !== '') links.push({ target, place: placeAt(from) });
  };
  for (const { line, start } of linesOutsideCode(markdown)) {
    if (links.length >= MOST_LINKS) break;
    if (!line.includes(']')) continue;
    for (const at of inlineTargets(line)) take(start + at);
    const [definition] = /^ {0,3}\[[^\]\\]{1,200}\]:[ \t]{1,8}(?=\S)/.exec(line) ?? [];
    if (definition !== undefined) take(start + definition.length);
  }
  return links;
}

/** The lines that are in no fenced block, with their offsets. */
function* linesOutsideCode(markdown: string): Generator<{ line: string; start: number }> {
  let fence: string | null = null;
  for (let start = 0; start < markdown.length; ) {
    const end = endOfLine(markdown, start);
    const line = markdown.slice(start, end);
    const mark = fenceOf(line);
    if (fence === null && mark === null) yield { line, start };
    else if (fence === null) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    start = end + 1;
  }
}

function fenceOf(line: string): string | null {
  return line === '' ? null : (/^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null);
}

/** Lines of the form `@path`, which agents replace with the file. */
export function includes(markdown: string, first_line = 1): Link[] {
  let fenced = false;
  return markdown.split('\n').flatMap((line, at) => {
    if (/^ {0,3}(?:`{3}|~{3})/.test(line)) fenced = !fenced;
    const [, target] = /^@((?:\.\/)?[\w./-]{1,200}\.(?:md|txt))\s*$/.exec(line) ?? [];
    return fenced || target === undefined ? [] : [{ target, place: { line: at + first_line, column: 1 } }];
  });
}

/** The offsets of the targets of `[…](…)` in a line. */
function inlineTargets(line: string): number[] {
  const found: number[] = [];
  const endOfCode = codeSpansOf(line);
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (char === '\\') at += 1;
    else if (char === '`') at = endOfCode(at) - 1;
    else if (char === ']' && line[at + 1] === '(') found.push(at + 2);
  }
  return found;
}

/**
 * For a run of backticks that begins at an offset: the end of the next run of the same length, or of this one where there is
 * none. Offsets must not decrease from call to call, so that all calls together pass over each run of the line once.
 */
function codeSpansOf(line: string): (at: number) => number {
  const starts = new Map<number, number[]>();
  for (const { 0: run, index } of line.matchAll(/`+/g)) {
    const alike = starts.get(run.length);
    if (alike === undefined) starts.set(run.length, [index]);
    else alike.push(index);
  }
  const passed = new Map<number, number>();
  return (at) => {
    let open = at;
    while (line[open] === '`') open += 1;
    const length = open - at;
    const alike = starts.get(length) ?? [];
    let next = passed.get(length) ?? 0;
    while (next < alike.length && (alike[next] as number) < open) next += 1;
    passed.set(length, next);
    const close = alike[next];
    return close === undefined ? open : close + length;
  };
}

function targetAt(text: string, from: number): string {
  const angle = text[from] === '<';
  const rest = text.slice(from + Number(angle), from + 1_000);
  const [written = ''] = (angle ? /^[^<>\n]*/ : /^[^\s()]*/).exec(rest) ?? [];
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(written)) return '';
  const plain = written.replace(/[?#].*$/s, '').replace(/\\(?=[!-/:-@[-`{-~])/g, '');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** A target as a path in the directory; null if it is outside. */
export function resolveLink(from: string, target: string): string | null {
  if (target.startsWith('/')) return null;
  const parts = from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
