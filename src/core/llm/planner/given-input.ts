/** The input that stands in a sentence: JSON, key=value, or text. Linear in its length, and never throws. */

export interface Given {
  /** `before={"a":1} city=Oslo`: by name, values as they were written or as JSON. */
  pairs: Record<string, unknown>;
  /** JSON documents that stand alone, in order. */
  documents: unknown[];
  /** The whole as it was written, "" for nothing. */
  text: string;
}

const MOST_VALUES = 50;
/** Brackets that do not close: what is after so many of them is text. */
const MOST_OPEN = 20;
const KEY = /(?<![\w.-])([A-Za-z_][\w.-]{0,63})\s?=\s?/y;

export function readGiven(text: string): Given {
  const given: Given = { pairs: {}, documents: [], text: text.trim() };
  for (let at = 0, found = 0, open = 0; at < text.length && found < MOST_VALUES; ) {
    const char = text[at] as string;
    const end = opens(char) && open < MOST_OPEN ? endOfJson(text, at) : -1;
    const document = end < 0 ? undefined : parse(text.slice(at, end));
    if (document !== undefined) {
      given.documents.push(document);
      at = end;
      found++;
      continue;
    }
    if (opens(char)) open++;
    KEY.lastIndex = at;
    const key = KEY.exec(text);
    if (key === null) {
      at++;
      continue;
    }
    const { value, next } = readValue(text, KEY.lastIndex);
    given.pairs[key[1] as string] = value;
    at = next;
    found++;
  }
  return given;
}

/** A value runs to its closing quote or bracket, else to the next key, a comma with a space, or the end of the line. */
function readValue(text: string, at: number): { value: unknown; next: number } {
  const char = text[at] ?? '';
  if (opens(char) || char === '"') {
    const end = char === '"' ? endOfString(text, at) : endOfJson(text, at);
    const value = end < 0 ? undefined : parse(text.slice(at, end));
    if (value !== undefined) return { value, next: end };
  }
  if (char === "'" || char === '`') {
    const end = text.indexOf(char, at + 1);
    if (end > 0) return { value: text.slice(at + 1, end), next: end + 1 };
  }
  const rest = text.slice(at, at + 20_000);
  const stop = /\n|[,;]\s|[\s,;](?:and\s)?[A-Za-z_][\w.-]{0,63}=/.exec(rest)?.index ?? rest.length;
  return { value: rest.slice(0, stop).trim(), next: at + Math.max(1, stop) };
}

const opens = (char: string): boolean => char === '{' || char === '[';

/** The end of a JSON text by its brackets; -1 where they do not close. */
function endOfJson(text: string, at: number): number {
  let depth = 0;
  for (let place = at; place < text.length; place++) {
    const char = text[place];
    if (char === '"') {
      place = endOfString(text, place) - 1;
      if (place < 0) return -1;
    } else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return place + 1;
  }
  return -1;
}

function endOfString(text: string, at: number): number {
  for (let place = at + 1; place < text.length; place++) {
    if (text[place] === '\\') place++;
    else if (text[place] === '"') return place + 1;
  }
  return -1;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
