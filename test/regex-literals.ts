/** Finds the regular expression literals of a TypeScript source, so that a test can try each of them. */

export interface RegexLiteral {
  /** From 1. */
  line: number;
  pattern: RegExp;
}

/** After one of these, or after any operator or opening bracket, a slash begins a literal; after a value it divides. */
const BEFORE_LITERAL = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'else',
  'do',
  'yield',
  'await',
  'void',
  'delete',
]);
const WORD = /[\p{ID_Continue}$#]+/uy;
const FLAGS = /[a-z]*/y;

interface Scan {
  source: string;
  at: number;
  line: number;
  /** The word or character before. */
  before: string;
  /** For each `${` that is open, how many braces are open within it. */
  holes: number[];
  found: RegexLiteral[];
}

/** @throws SyntaxError where what looks like a literal is none. */
export function regexLiterals(source: string): RegexLiteral[] {
  const at = source.startsWith('#!') ? indexOr(source, '\n', 0) : 0;
  const scan: Scan = { source, at, line: 1, before: '', holes: [], found: [] };
  while (scan.at < source.length) takeNext(scan);
  return scan.found;
}

function takeNext(scan: Scan): void {
  const { source, at } = scan;
  const char = source[at] as string;
  if (/\s/.test(char)) skipTo(scan, at + 1);
  else if (source.startsWith('//', at)) skipTo(scan, indexOr(source, '\n', at));
  else if (source.startsWith('/*', at)) skipTo(scan, indexOr(source, '*/', at) + 2);
  else if (char === '"' || char === "'") takeString(scan, char);
  else if (char === '`') takeTemplate(scan);
  else if (char === '/' && isBeforeLiteral(scan.before)) takeLiteral(scan);
  else if (char === '}' && scan.holes.at(-1) === 0) {
    scan.holes.pop();
    takeTemplate(scan);
  } else takeWordOrSign(scan, char);
}

function skipTo(scan: Scan, end: number): void {
  for (; scan.at < end; scan.at++) if (scan.source[scan.at] === '\n') scan.line += 1;
}

function takeString(scan: Scan, quote: string): void {
  const { source } = scan;
  let end = scan.at + 1;
  while (end < source.length && source[end] !== quote) end += source[end] === '\\' ? 2 : 1;
  scan.before = 'a value';
  skipTo(scan, end + 1);
}

/** From a backtick, or from the end of a hole, to the end of the template or to its next hole. */
function takeTemplate(scan: Scan): void {
  const { source } = scan;
  let end = scan.at + 1;
  while (end < source.length && source[end] !== '`' && !source.startsWith('${', end))
    end += source[end] === '\\' ? 2 : 1;
  const closes = source[end] === '`';
  if (!closes) scan.holes.push(0);
  scan.before = closes ? 'a value' : '{';
  skipTo(scan, end + (closes ? 1 : 2));
}

function takeLiteral(scan: Scan): void {
  const { source, at, line } = scan;
  const end = endOfLiteral(source, at);
  FLAGS.lastIndex = end;
  const flags = FLAGS.exec(source)?.[0] ?? '';
  scan.found.push({ line, pattern: new RegExp(source.slice(at + 1, end - 1), flags) });
  scan.before = 'a value';
  skipTo(scan, end + flags.length);
}

function takeWordOrSign(scan: Scan, char: string): void {
  WORD.lastIndex = scan.at;
  const token = WORD.exec(scan.source)?.[0] ?? char;
  const depth = scan.holes.length - 1;
  const open = scan.holes[depth];
  if (open !== undefined && token === '{') scan.holes[depth] = open + 1;
  if (open !== undefined && token === '}') scan.holes[depth] = open - 1;
  scan.before = token;
  scan.at += token.length;
}

function indexOr(source: string, sought: string, from: number): number {
  const at = source.indexOf(sought, from);
  return at < 0 ? source.length : at;
}

const isBeforeLiteral = (before: string): boolean =>
  before === '' || BEFORE_LITERAL.has(before) || (/^[^\p{ID_Continue}$#]$/u.test(before) && !/^[)\]}]$/.test(before));

/** After the closing slash; one in a class does not close. Classes nest where the flag `v` says so. */
function endOfLiteral(source: string, start: number): number {
  let classes = 0;
  let at = start + 1;
  for (; source[at] !== '/' || classes > 0; at++) {
    if (at >= source.length || source[at] === '\n') throw new SyntaxError(`A literal at ${start} does not end.`);
    if (source[at] === '\\') at += 1;
    else if (source[at] === '[') classes = 1;
    else if (source[at] === ']') classes = 0;
  }
  return at + 1;
}
