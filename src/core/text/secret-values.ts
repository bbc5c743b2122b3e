import { MASK } from './redact.ts';

/**
 * Redacts known secrets in text and JSON, plain or encoded. `redact.ts` guesses by format; here the values are known.
 */
export interface SecretValues {
  /** Replaces each occurrence with `[redacted]`. Time grows only with the length of the text. */
  scrub(text: string): string;
  /** Redacts every string of a JSON value, including member names. Returns the same value if nothing was found. */
  scrubJson<T>(value: T): T;
  /** Approximate memory use. */
  bytes: number;
}

/** Shorter values are words that occur by chance. */
export const LEAST_CHARS = 5;
/** The automaton finds a secret by a prefix of this length; the rest is compared with the text. */
const MOST_PREFIX = 48;
/** At most this many secrets with the same prefix are compared to their end. */
const MOST_RESTS = 4;

/**
 * Finds values as they are, percent-encoded, form-encoded, JSON-escaped (once and twice), HTML-escaped, in hex, and in
 * base64 or base64url at any offset. A secret that is split or encoded differently is not found.
 */
export function secretValues(secrets: Iterable<string>): SecretValues {
  const forms = new Set([...new Set(secrets)].filter((secret) => secret.length >= LEAST_CHARS).flatMap(formsOf));
  if (forms.size === 0) return NONE;
  const automaton = automatonOf([...forms]);
  const scrub = (text: string): string => replaceAll(automaton, text);
  const isNumeric = [...forms].some((form) => /^-?[\d.]+$/.test(form));
  const scrubJson = (value: unknown): unknown => {
    if (typeof value === 'string') return scrub(value);
    if (typeof value === 'number' && isNumeric) return scrub(String(value)) === String(value) ? value : MASK;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return changed(value, value.map(scrubJson));
    const entries = Object.entries(value);
    const clean = entries.map(([name, member]) => [scrub(name), scrubJson(member)] as const);
    const isSame = clean.every(([name, member], at) => name === entries[at]?.[0] && member === entries[at]?.[1]);
    return isSame ? value : Object.fromEntries(clean);
  };
  return { scrub, scrubJson: scrubJson as SecretValues['scrubJson'], bytes: automaton.next.byteLength };
}

const NONE: SecretValues = { scrub: (text) => text, scrubJson: (value) => value, bytes: 0 };

const changed = (before: unknown[], after: unknown[]): unknown[] =>
  after.every((item, at) => item === before[at]) ? before : after;

function formsOf(secret: string): string[] {
  const wellFormed = secret.toWellFormed();
  const encoded = encodeURIComponent(wellFormed);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(wellFormed);
  return [
    secret,
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    encodeURI(wellFormed),
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    htmlEscaped(secret),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64Cores(bytes),
  ];
}

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const htmlEscaped = (text: string): string => text.replace(/[&<>"']/g, (character) => HTML[character] as string);

/** The base64 characters that depend only on these bytes, at each of the three offsets. */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const core = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** An Aho–Corasick automaton over the prefixes, with complete transitions. */
interface Automaton {
  /** The character class of a UTF-16 unit; 0 for units that occur in no secret. */
  classOf(unit: number): number;
  classes: number;
  /** The next state, by state and class. */
  next: Int32Array;
  /** The length of the longest prefix that ends in a state; 0 for none. */
  ends: Uint8Array;
  /** The rest of longer secrets, by the state in which their prefix ends. */
  rests: Map<number, string[]>;
}

function automatonOf(forms: readonly string[]): Automaton {
  const { classOf, classes } = classesOf(forms);
  const { children, ends, rests } = trieOf(forms, classOf);
  const next = new Int32Array(children.length * classes);
  const fallback = new Int32Array(children.length);
  const queue = [0];
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at] as number;
    const behind = fallback[state] as number;
    ends[state] ||= ends[behind] as number;
    for (let unit = 0; unit < classes; unit++) {
      const child = children[state]?.get(unit);
      const instead = state === 0 ? 0 : (next[behind * classes + unit] as number);
      next[state * classes + unit] = child ?? instead;
      if (child === undefined) continue;
      fallback[child] = instead;
      queue.push(child);
    }
  }
  return { classOf, classes, next, ends: Uint8Array.from(ends), rests };
}

interface Trie {
  /** Of each state, by character class. State 0 is the start. */
  children: Map<number, number>[];
  ends: number[];
  rests: Automaton['rests'];
}

function trieOf(forms: readonly string[], classOf: Automaton['classOf']): Trie {
  const trie: Trie = { children: [new Map()], ends: [0], rests: new Map() };
  for (const form of forms) {
    let state = 0;
    for (let at = 0; at < form.length && at < MOST_PREFIX; at++)
      state = childOf(trie, state, classOf(form.charCodeAt(at)));
    trie.ends[state] = Math.min(form.length, MOST_PREFIX);
    if (form.length > MOST_PREFIX) addRest(trie, state, form.slice(MOST_PREFIX));
  }
  return trie;
}

function childOf({ children, ends }: Trie, state: number, unit: number): number {
  const siblings = children[state] as Map<number, number>;
  const known = siblings.get(unit);
  if (known !== undefined) return known;
  ends.push(0);
  const child = children.push(new Map()) - 1;
  siblings.set(unit, child);
  return child;
}

function addRest({ rests }: Trie, state: number, rest: string): void {
  const known = rests.get(state) ?? [];
  if (known.length < MOST_RESTS) rests.set(state, [...known, rest]);
}

const ASCII = 128;

function classesOf(forms: readonly string[]) {
  const ascii = new Uint16Array(ASCII);
  const others = new Map<number, number>();
  let classes = 1;
  for (const form of forms)
    for (let at = 0; at < form.length; at++) {
      const unit = form.charCodeAt(at);
      if (unit < ASCII) ascii[unit] ||= classes++;
      else if (!others.has(unit)) others.set(unit, classes++);
    }
  const classOf = (unit: number): number => (unit < ASCII ? (ascii[unit] as number) : (others.get(unit) ?? 0));
  return { classOf, classes };
}

/** A text with more occurrences than this is redacted completely. */
const MOST_HIDDEN = 10_000;

interface Range {
  from: number;
  until: number;
}

function replaceAll({ classOf, classes, next, ends, rests }: Automaton, text: string): string {
  const hidden: Range[] = [];
  let state = 0;
  for (let at = 0; at < text.length; at++) {
    state = next[state * classes + classOf(text.charCodeAt(at))] as number;
    const length = ends[state] as number;
    if (length === 0) continue;
    const last = hide(hidden, at + 1 - length, at + 1);
    if (hidden.length > MOST_HIDDEN) return MASK;
    if (length < MOST_PREFIX) continue;
    for (const rest of rests.get(state) ?? []) last.until = endOfRest(text, rest, at + 1, last.until);
  }
  return hidden.length === 0 ? text : masked(text, hidden);
}

/** Adds a range to disjoint ones in order, joins it with those that it touches, and returns the last one. */
function hide(hidden: Range[], from: number, until: number): Range {
  const last = hidden[hidden.length - 1];
  if (last === undefined || last.until < from) {
    const added = { from, until };
    hidden.push(added);
    return added;
  }
  if (until > last.until) last.until = until;
  if (from < last.from) {
    last.from = from;
    joinLast(hidden, last);
  }
  return last;
}

/** The last range may begin before those in front of it. */
function joinLast(hidden: Range[], last: Range): void {
  hidden.pop();
  for (let before = hidden.at(-1); before !== undefined && before.until >= last.from; before = hidden.at(-1)) {
    last.from = Math.min(last.from, before.from);
    hidden.pop();
  }
  hidden.push(last);
}

/**
 * Where the text stops to be `rest`, which begins at `start`. The comparison starts at `until`, after what is already
 * redacted, so that each character is read once.
 */
function endOfRest(text: string, rest: string, start: number, until: number): number {
  let end = until;
  while (end - start < rest.length && text.charCodeAt(end) === rest.charCodeAt(end - start)) end++;
  return end;
}

function masked(text: string, hidden: readonly Range[]): string {
  const pieces: string[] = [];
  let shownFrom = 0;
  for (const { from, until } of hidden) {
    pieces.push(text.slice(shownFrom, from));
    shownFrom = until;
  }
  return [...pieces, text.slice(shownFrom)].join(MASK);
}
