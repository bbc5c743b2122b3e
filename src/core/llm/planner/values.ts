/**
 * Finds the values in a message: `name=value`, JSON, quoted or fenced text, URLs and numbers; the rest is words.
 * Linear, never throws.
 */

export interface Values {
  /** By name; parsed if the value is JSON, otherwise text. */
  pairs: Record<string, unknown>;
  /** JSON objects and arrays. */
  documents: unknown[];
  /** The content of quotes and fenced blocks. */
  quoted: string[];
  urls: string[];
  /** As written. */
  numbers: string[];
  words: string[];
}

/** Maximum number of values in one message; the rest counts as words. */
const MOST_VALUES = 100;
/** Limits the scans for a closing bracket or quote, each of which can reach the end of the text. */
const MOST_UNCLOSED = 20;

const KEY = /([A-Za-z_][\w.-]{0,63})=(?=\S)/y;
const WORD = /[^\s]+/y;
const CLOSING: Record<string, string> = { '"': '"', "'": "'", '`': '`', '“': '”' };

export function readValues(text: string): Values {
  const values: Values = { pairs: {}, documents: [], quoted: [], urls: [], numbers: [], words: [] };
  const budget = { values: MOST_VALUES, unclosed: MOST_UNCLOSED };
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text[at] as string)) {
      at++;
      continue;
    }
    at = readNext(text, at, values, budget);
  }
  return values;
}

interface Budget {
  values: number;
  unclosed: number;
}

/** Reads a value or a word with its name, if it has one, and returns where it ends. */
function readNext(text: string, at: number, values: Values, budget: Budget): number {
  const name = budget.values > 0 ? nameAt(text, at) : null;
  const begin = name === null ? at : at + name.length + 1;
  const enclosed = budget.values > 0 ? readEnclosed(text, begin, budget) : null;
  const read = enclosed ?? readWord(text, begin);
  if (name !== null || enclosed !== null) budget.values--;
  if (name !== null) setPair(values, name, read.value);
  else if (enclosed === null) addWord(values, read.value as string);
  else if (typeof read.value === 'string') values.quoted.push(read.value);
  else values.documents.push(read.value);
  return read.end;
}

/** The name in front of an equals sign with a value. */
function nameAt(text: string, at: number): string | null {
  KEY.lastIndex = at;
  return KEY.exec(text)?.[1] ?? null;
}

function readWord(text: string, at: number): { value: string; end: number } {
  WORD.lastIndex = at;
  const [word] = WORD.exec(text) as unknown as [string];
  return { value: word.replace(/[,;]$/, ''), end: at + word.length };
}

/** Names such as `__proto__` are ordinary members. */
function setPair({ pairs }: Values, name: string, value: unknown): void {
  Object.defineProperty(pairs, name, { value, enumerable: true, configurable: true, writable: true });
}

function addWord(values: Values, word: string): void {
  if (/^https?:\/\/./i.test(word)) values.urls.push(word.replace(/[.!?)]$/, ''));
  else if (/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(word)) values.numbers.push(word);
  else if (/[\p{L}\p{N}]/u.test(word)) values.words.push(word);
}

/** A fenced block, JSON in brackets, or quoted text that begins here; null if none closes. */
function readEnclosed(text: string, at: number, budget: Budget): { value: unknown; end: number } | null {
  const first = text[at] ?? '';
  if (budget.unclosed <= 0 || !(first in CLOSING || first === '{' || first === '[')) return null;
  const read = text.startsWith('```', at) ? readFence(text, at) : (readJson(text, at) ?? readQuoted(text, at));
  if (read === null) budget.unclosed--;
  return read;
}

function readFence(text: string, at: number) {
  const begin = text.indexOf('\n', at);
  const end = begin < 0 ? -1 : text.indexOf('\n```', begin);
  return end < 0 ? null : { value: text.slice(begin + 1, Math.max(begin + 1, end)), end: end + 4 };
}

function readJson(text: string, at: number) {
  const end = endOfJson(text, at);
  if (end < 0) return null;
  try {
    return { value: JSON.parse(text.slice(at, end)) as unknown, end };
  } catch {
    return null;
  }
}

function readQuoted(text: string, at: number) {
  const closing = CLOSING[text[at] as string];
  const end = closing === undefined ? -1 : text.indexOf(closing, at + 1);
  return end < 0 ? null : { value: text.slice(at + 1, end), end: end + 1 };
}

const DEPTH: Record<string, number> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** The end of a JSON string, object or array, found by quotes and brackets; -1 if it does not close. */
function endOfJson(text: string, at: number): number {
  let depth = 0;
  for (let place = at; place >= 0 && place < text.length; ) {
    const char = text[place] as string;
    depth += DEPTH[char] ?? 0;
    place = char === '"' ? endOfString(text, place) : place + 1;
    if (depth === 0) return place;
  }
  return -1;
}

/** Behind the closing quote; -1 if there is none. */
function endOfString(text: string, at: number): number {
  for (let place = at + 1; place < text.length; place++) {
    if (text[place] === '\\') place++;
    else if (text[place] === '"') return place + 1;
  }
  return -1;
}
