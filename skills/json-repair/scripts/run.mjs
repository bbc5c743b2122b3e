// Reads almost-JSON and says what it mended. Input on standard input or in /workspace/input/input.json, output on standard
// output, exit code 1 for text that holds no value, 2 for input that does not fit.
import { readFileSync } from 'node:fs';

const MAX_CHARACTERS = 1_000_000;
const MAX_DEPTH = 200;
const MAX_REPAIRS = 200;
const LITERALS = { true: true, false: false, null: null };
const OTHER_LITERALS = { none: null, nil: null, nan: null, undefined: null, infinity: null, yes: true, no: false };
// What opens a text, and what may close it.
const QUOTES = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '„': '“', '«': '»' };
const ESCAPES = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/' };

function stop(code, message) {
  console.error(message);
  process.exit(code);
}
const refuse = (message) => stop(2, `input error: ${message}`);

function readText() {
  // Some engines give scripts no standard input; the file holds the same bytes.
  for (const source of [0, '/workspace/input/input.json']) {
    try {
      const text = readFileSync(source, 'utf8');
      if (text.trim() !== '') return text;
    } catch {}
  }
  return refuse('there is no input; give JSON on standard input');
}

function readInput() {
  let input;
  try {
    input = JSON.parse(readText());
  } catch (error) {
    refuse(`the input is not JSON: ${error.message}`);
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) refuse('the input must be an object with text');
  for (const key of Object.keys(input))
    if (!['text', 'strict'].includes(key)) refuse(`${key} is not a known member; use text, strict`);
  const { text, strict = false } = input;
  if (typeof text !== 'string' || text.trim() === '') refuse('text must be a text that is not empty');
  if (text.length > MAX_CHARACTERS) refuse(`text must be at most ${MAX_CHARACTERS} characters`);
  if (typeof strict !== 'boolean') refuse('strict must be true or false');
  return { text, strict };
}

/** Members in an object without a prototype's surprises. */
function setMember(map, key, value) {
  Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
}

function reader(text) {
  const repairs = [];
  let at = 0;
  const note = (kind, position = at) => repairs.push({ position, kind });
  const rest = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };

  function skip() {
    for (;;) {
      const space = rest(/[\s\u00a0\ufeff]+/y);
      if (space) at += space[0].length;
      const comment = rest(/\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y);
      if (!comment) return;
      note('comment');
      at += comment[0].length;
    }
  }

  function value(depth) {
    if (depth > MAX_DEPTH) stop(1, `cannot be repaired: nested deeper than ${MAX_DEPTH} levels`);
    skip();
    if (text[at] === '{') return object(depth);
    if (text[at] === '[') return list(depth);
    if (QUOTES[text[at]]) return quoted();
    return bare();
  }

  function object(depth) {
    const map = {};
    at++;
    for (let first = true; ; first = false) {
      if (between('}', first)) return map;
      const start = at;
      const key = QUOTES[text[at]] ? quoted() : bareKey();
      if (at === start) return unexpected();
      if (Object.prototype.hasOwnProperty.call(map, key)) note('duplicate_key', start);
      skip();
      const colon = rest(/:|=>?/y);
      if (colon?.[0] !== ':') note(at >= text.length ? 'cut_off' : 'missing_colon');
      if (colon) at += colon[0].length;
      skip();
      // A member without a value was cut off, or left out.
      if (at >= text.length || /[,}]/.test(text[at])) {
        if (at < text.length) note('literal');
        else if (repairs.at(-1)?.kind !== 'cut_off') note('cut_off');
        setMember(map, key, null);
      } else setMember(map, key, value(depth + 1));
    }
  }

  function list(depth) {
    const elements = [];
    at++;
    for (let first = true; ; first = false) {
      if (between(']', first)) return elements;
      const start = at;
      elements.push(value(depth + 1));
      if (at === start) return unexpected();
    }
  }

  /** Passes over the comma between two members; whether the end was found. */
  function between(end, first) {
    skip();
    let commas = 0;
    while (text[at] === ',' || text[at] === ';') {
      if (++commas > (first ? 0 : 1) || text[at] === ';') note('extra_comma');
      at++;
      skip();
    }
    if (at >= text.length) {
      note('cut_off');
      return true;
    }
    if (/[}\]]/.test(text[at])) {
      if (commas === 1 && !first) note('extra_comma');
      // The other bracket closes something further out: this one was forgotten.
      if (text[at] === end) at++;
      else note('cut_off');
      return true;
    }
    if (commas === 0 && !first) note('missing_comma');
    return false;
  }

  function quoted() {
    const start = at;
    const open = text[at++];
    const close = QUOTES[open];
    if (open !== '"') note('quotes', start);
    let out = '';
    for (;;) {
      if (at >= text.length) {
        note('cut_off');
        return out;
      }
      const char = text[at];
      if (char === close && ends()) {
        at++;
        return out;
      }
      if (char === '\\') out += escape();
      else {
        if (char < ' ') note('control');
        else if (char === close) note('escape');
        out += char;
        at++;
      }
    }
  }

  /** Whether a quote ends its text: what comes after it has to be able to follow a text. */
  function ends() {
    const [, gap, next] = /^(\s*)(.?)/.exec(text.slice(at + 1, at + 200));
    if (next === '' || /[:,}\]=;#]/.test(next)) return true;
    // Where another text or another line begins, a comma is missing; a quote after a space opens a quotation.
    return text[at - 1] !== ' ' && (QUOTES[next] !== undefined || gap.includes('\n'));
  }

  function escape() {
    const hex = rest(/\\u([0-9a-fA-F]{4})/y);
    if (hex) {
      at += 6;
      return String.fromCharCode(Number.parseInt(hex[1], 16));
    }
    const char = text[at + 1];
    if (char !== undefined && ESCAPES[char] !== undefined) {
      at += 2;
      return ESCAPES[char];
    }
    note('escape');
    const byte = rest(/\\x([0-9a-fA-F]{2})/y);
    at += byte ? 4 : Math.min(2, text.length - at);
    if (byte) return String.fromCharCode(Number.parseInt(byte[1], 16));
    // An escaped line end goes on with the line; any other character stands for itself.
    return char === undefined || char === '\n' ? '' : char === "'" || char === '`' ? char : `\\${char}`;
  }

  function bareKey() {
    const match = rest(/[^\s:=,{}[\]"'`#]+/y);
    if (!match) return '';
    note('bare_key');
    at += match[0].length;
    return match[0];
  }

  function bare() {
    const start = at;
    const match = rest(/[^:,;{}[\]"\n#][^,;{}[\]"\n#]*/y);
    if (!match) return unexpected();
    const word = match[0].replace(/\/[/*].*$/, '').trimEnd();
    at += word.length || match[0].length;
    if (Object.prototype.hasOwnProperty.call(LITERALS, word)) return LITERALS[word];
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return number(word, start);
    const literal = word.toLowerCase().replace(/^[+-]/, '');
    for (const known of [LITERALS, OTHER_LITERALS])
      if (Object.prototype.hasOwnProperty.call(known, literal)) {
        note('literal', start);
        return known[literal];
      }
    if (/^[+-]?(\d[\d_]*\.?\d*|\.\d+)([eE][+-]?\d+)?$|^[+-]?0[xX][0-9a-fA-F]+$/.test(word)) {
      note('number', start);
      // A leading zero marks a code, such as a postcode, which must not lose it.
      if (/^0\d/.test(word)) return word;
      const sign = word.startsWith('-') ? -1 : 1;
      return sign * Number(word.replace(/^[+-]/, '').replaceAll('_', ''));
    }
    note(at >= text.length ? 'cut_off' : 'bare_text', start);
    const cut = at >= text.length && Object.keys(LITERALS).find((it) => it.startsWith(word));
    return cut ? LITERALS[cut] : word;
  }

  function number(word, start) {
    const read = Number(word);
    if (Number.isFinite(read)) return read;
    note('number', start);
    return word;
  }

  const unexpected = () => stop(1, `cannot be repaired: ${JSON.stringify(text[at] ?? 'the end')} at ${place(text, at)}`);
  return {
    repairs,
    note,
    readFrom(start) {
      at = start;
      const read = value(0);
      return { read, end: at };
    },
  };
}

function place(text, position) {
  const before = text.slice(0, position);
  return `line ${before.split('\n').length}, column ${position - before.lastIndexOf('\n')}`;
}

function repair(text) {
  const all = reader(text);
  const fence = /```[\w-]*[ \t]*\n/.exec(text);
  const opening = /[{[]/.exec(fence ? text.slice(fence.index + fence[0].length) : text);
  const offset = fence ? fence.index + fence[0].length : 0;
  const start = opening ? offset + opening.index : offset + /\S|$/.exec(text.slice(offset)).index;
  const prose = text.slice(0, start).replace(/```[\w-]*/, '').trim();
  if (fence && fence.index < start) all.note('code_fence', fence.index);
  if (prose !== '') all.note('text_before', 0);
  const { read, end } = all.readFrom(start);
  const tail = text.slice(end).trim();
  if (tail.replace(/^```/, '').trim() !== '') all.note('text_after', end);
  if (!opening && typeof read === 'string' && !/^["'“‘`]/.test(text.slice(start)))
    stop(1, 'cannot be repaired: there is no object, list or quoted text');
  return { value: read, repairs: all.repairs };
}

function parse(text) {
  try {
    return { valid: true, value: JSON.parse(text), repairs: [] };
  } catch {
    return { valid: false, ...repair(text) };
  }
}

const { text, strict } = readInput();
const { valid, value, repairs } = parse(text);
const complete = !repairs.some(({ kind }) => kind === 'cut_off');
if (strict && !complete) stop(1, 'cannot be repaired: the text was cut off, and strict allows none of that');
const lines = [0];
for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
const placed = repairs
  .sort((a, b) => a.position - b.position)
  .slice(0, MAX_REPAIRS)
  .map(({ position, kind }) => {
    let line = 0;
    for (let high = lines.length; line + 1 < high; ) {
      const middle = (line + high) >> 1;
      if (lines[middle] <= position) line = middle;
      else high = middle;
    }
    return { line: line + 1, column: position - lines[line] + 1, kind };
  });
console.log(
  JSON.stringify({ valid, complete, value, json: JSON.stringify(value), repair_count: repairs.length, repairs: placed }),
);
