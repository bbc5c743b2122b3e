/** Scans of JSON text, for values that are too large to parse on the event loop. Linear; the text need not be valid. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Returns the index of the closing quote of the string that begins at `from`, or the length of the text. */
export function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}

interface JsonString {
  /** Of its opening quote. */
  from: number;
  /** Behind its closing quote. */
  end: number;
  text: string;
  /** The name of the member whose value it is; null for names and elements. */
  value_of: string | null;
}

/** The strings of valid JSON, names included, in order. */
export function* stringsIn(json: string): Generator<JsonString> {
  let name: string | null = null;
  for (let from = json.indexOf('"'); from !== -1; ) {
    const end = endOfString(json, from) + 1;
    const literal = json.slice(from, end);
    const text = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
    yield { from, end, text, value_of: name };
    const next = json.indexOf('"', end);
    name = next !== -1 && /^\s*:\s*$/.test(json.slice(end, next)) ? text : null;
    from = next;
  }
}

/**
 * Members, objects and lists of a value that is parsed, checked and shown on the event loop. Those cost far more than
 * characters: 50,000 distinct names take about 20 ms to parse.
 */
export const MOST_PARTS = 50_000;

/** Whether a JSON text has more members, objects and lists than that. */
export function hasManyParts(text: string, most = MOST_PARTS): boolean {
  // Most texts are too short to have as many.
  if (text.length <= most) return false;
  let parts = 0;
  for (let at = 0; at < text.length && parts <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON || code === OPEN || code === OPEN_LIST) parts += 1;
  }
  return parts > most;
}

interface JsonMember {
  /** As it is written, without its quotes. */
  name: string;
  /** Of its value, with the white space around it. */
  from: number;
  end: number;
}

/** The members of the object that is valid JSON, in order. */
function* membersOf(json: string): Generator<JsonMember> {
  let depth = 0;
  let name = '';
  /** Where the current value begins; -1 before one. */
  let from = -1;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(json, at);
      if (depth === 1 && from === -1) name = json.slice(at + 1, end);
      at = end;
    } else if (code === OPEN || code === OPEN_LIST) depth += 1;
    else if (code === CLOSE || code === CLOSE_LIST) depth -= 1;
    else if (code === COLON && depth === 1 && from === -1) from = at + 1;
    if (from === -1 || !isEndOfMember(code, depth)) continue;
    yield { name, from, end: at };
    from = -1;
  }
}

const isEndOfMember = (code: number, depth: number): boolean =>
  code === CLOSE ? depth === 0 : code === COMMA && depth === 1;

/**
 * The JSON object with these members as text where they have too many parts to be parsed. New results of runs are stored as text
 * then; earlier ones were not.
 */
export function withTextFor(names: readonly string[], json: string, most = MOST_PARTS): string {
  if (!hasManyParts(json, most)) return json;
  let shown = '';
  let copied = 0;
  for (const { name, from, end } of membersOf(json)) {
    if (!names.includes(name)) continue;
    const value = json.slice(from, end);
    if (!hasManyParts(value, most)) continue;
    shown += json.slice(copied, from) + JSON.stringify(value);
    copied = end;
  }
  return copied === 0 ? json : shown + json.slice(copied);
}
