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
    KEY.lastIndex = at;
    const key = budget.values > 0 ? KEY.exec(text) : null;
    const begin = key === null ? at : KEY.lastIndex;
    const enclosed = budget.values > 0 ? readEnclosed(text, begin, budget) : null;
    if (enclosed !== null) {
      if (key !== null) setPair(values, key[1] as string, enclosed.value);
      else if (typeof enclosed.value === 'string') values.quoted.push(enclosed.value);
      else values.documents.push(enclosed.value);
      budget.values--;
      at = enclosed.end;
      continue;
    }
    WORD.lastIndex = begin;
    const [word] = WORD.exec(text) as unknown as [string];
    at = begin + word.length;
    const bare = word.replace(/[,;]$/, '');
    if (key !== null) setPair(values, key[1] as string, bare);
    else addWord(values, bare);
    if (key !== null) budget.values--;
  }
  return values;
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
function readEnclosed(text: string, at: number, budget: { unclosed: number }): { value: unknown; end: number } | null {
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

/** The end of a JSON string, object or array, found by quotes and brackets; -1 if it does not close. */
function endOfJson(text: string, at: number): number {
  let depth = 0;
  for (let place = at; place < text.length; place++) {
    const char = text[place];
    if (char === '"') {
      for (place++; place < text.length && text[place] !== '"'; place++) if (text[place] === '\\') place++;
      if (place >= text.length) return -1;
    } else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    if (depth <= 0) return char === '"' || char === '}' || char === ']' ? place + 1 : -1;
  }
  return -1;
}
