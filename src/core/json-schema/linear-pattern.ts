import { RE2JS } from 're2js';

/**
 * Patterns of untrusted schemas, matched in linear time (RE2). A pattern without an RE2 equivalent, such as one with a
 * lookahead or backreference, stays a backtracking RegExp.
 */

export interface Pattern {
  test(text: string): boolean;
}

/**
 * `Native` is the original constructor, for callers that have replaced the global one. Throws `SyntaxError` for an
 * invalid pattern.
 */
export function compilePattern(source: string, Native = RegExp): Pattern {
  const native = new Native(source, 'u');
  const translated = toRe2(source);
  if (translated === null) return native;
  try {
    return RE2JS.compile(translated);
  } catch {
    // Too large after expanding repetitions, or a Unicode class that RE2 does not have.
    return native;
  }
}

/** White space and line terminators of ECMAScript; RE2 has only the ASCII ones. */
const SPACE = String.raw`\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const NOT_LINE_END = String.raw`[^\n\r\x{2028}\x{2029}]`;
const CONTROLS: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** One token at a position of an ECMAScript pattern: its RE2 syntax and its length; null without an equivalent. */
type Token = { re2: string; length: number } | null;

/** Translates a valid pattern (flag `u`) to RE2 syntax; null if a part has no equivalent. Linear. */
export function toRe2(source: string): string | null {
  let re2 = '';
  let inClass = false;
  for (let at = 0; at < source.length; ) {
    const token = inClass ? classToken(source, at) : atomToken(source, at);
    if (token === null) return null;
    if (token.re2 === '[' || token.re2 === '[^') inClass = true;
    else if (inClass && token.re2 === ']') inClass = false;
    re2 += token.re2;
    at += token.length;
  }
  return re2;
}

function atomToken(source: string, at: number): Token {
  const char = source[at] as string;
  if (char === '\\') return escapeToken(source, at, false);
  if (char === '.') return { re2: NOT_LINE_END, length: 1 };
  if (char === '(') return groupToken(source, at);
  if (char === '^') return { re2: '\\A', length: 1 };
  if (char === '$') return { re2: '\\z', length: 1 };
  if (char === '[') return classStart(source, at);
  if (char === '{') return repetition(source, at);
  if (')|*+?'.includes(char)) return { re2: char, length: 1 };
  return literal(source, at);
}

function classToken(source: string, at: number): Token {
  const char = source[at] as string;
  if (char === '\\') return escapeToken(source, at, true);
  if (char === ']' || char === '-') return { re2: char, length: 1 };
  return literal(source, at);
}

/** Groups do not capture, because only the match itself matters. */
function groupToken(source: string, at: number): Token {
  if (source[at + 1] !== '?') return { re2: '(?:', length: 1 };
  if (source.startsWith('(?:', at)) return { re2: '(?:', length: 3 };
  const isNamed = source.startsWith('(?<', at) && !'=!'.includes(source[at + 3] as string);
  return isNamed ? { re2: '(?:', length: source.indexOf('>', at) + 1 - at } : null;
}

function classStart(source: string, at: number): Token {
  const start = source[at + 1] === '^' ? '[^' : '[';
  // An empty class matches nothing and its negation everything; RE2 interprets both differently.
  return source[at + start.length] === ']' ? null : { re2: start, length: start.length };
}

const REPETITION = /\{\d{1,4}(?:,\d{0,4})?\}/y;

function repetition(source: string, at: number): Token {
  REPETITION.lastIndex = at;
  const found = REPETITION.exec(source)?.[0];
  return found === undefined ? null : { re2: found, length: found.length };
}

const ESCAPED_POINT =
  /\\(?:x([0-9a-f]{2})|u\{0{0,8}([0-9a-f]{1,6})\}|u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4}))/iy;
const CATEGORY =
  /\\[pP]\{(?:C|Cc|Cf|L|Ll|Lm|Lo|Lt|Lu|M|Mc|Me|Mn|N|Nd|Nl|No|P|Pc|Pd|Pe|Pf|Pi|Po|Ps|S|Sc|Sk|Sm|So|Z|Zl|Zp|Zs)\}/y;

function escapeToken(source: string, at: number, inClass: boolean): Token {
  const char = source[at + 1] as string;
  if ('dDwW'.includes(char)) return { re2: `\\${char}`, length: 2 };
  if (char === 'b' || char === 'B') return boundary(char, inClass);
  if (char === 's' || char === 'S') return space(char, inClass);
  if (char in CONTROLS) return point(CONTROLS[char] as number, 2);
  if (char === 'c') return point(source.charCodeAt(at + 2) % 32, 3);
  if (char === '0') return point(0, 2);
  if (char === 'p' || char === 'P') return category(source, at);
  if (char === 'x' || char === 'u') return escapedPoint(source, at);
  return /[\^$\\.*+?()[\]{}|/-]/.test(char) ? point(char.charCodeAt(0), 2) : null;
}

/** In a class, `\b` is a backspace. */
function boundary(char: 'b' | 'B', inClass: boolean): Token {
  if (!inClass) return { re2: `\\${char}`, length: 2 };
  return char === 'b' ? point(8, 2) : null;
}

function space(char: 's' | 'S', inClass: boolean): Token {
  if (char === 's') return { re2: inClass ? SPACE : `[${SPACE}]`, length: 2 };
  return inClass ? null : { re2: `[^${SPACE}]`, length: 2 };
}

function category(source: string, at: number): Token {
  CATEGORY.lastIndex = at;
  const found = CATEGORY.exec(source)?.[0];
  return found === undefined ? null : { re2: found, length: found.length };
}

function escapedPoint(source: string, at: number): Token {
  ESCAPED_POINT.lastIndex = at;
  const [whole, byte, braced, high, low, unit] = ESCAPED_POINT.exec(source) ?? [];
  if (whole === undefined) return null;
  const hex = (digits: string | undefined): number => Number.parseInt(digits as string, 16);
  if (high !== undefined) return point(0x10000 + ((hex(high) - 0xd800) << 10) + (hex(low) - 0xdc00), whole.length);
  return point(hex(byte ?? braced ?? unit), whole.length);
}

function literal(source: string, at: number): Token {
  const code = source.codePointAt(at) as number;
  return point(code, code > 0xffff ? 2 : 1);
}

/** A lone surrogate is not a character in RE2. */
const point = (code: number, length: number): Token =>
  code >= 0xd800 && code <= 0xdfff ? null : { re2: `\\x{${code.toString(16)}}`, length };
