import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { endOfString } from '#core/text/json-text.ts';

/**
 * Limits on the structure of a body. A megabyte can have half a million fields or levels of nesting, and parsing those
 * costs far more than the bytes, so they are counted in one pass before parsing.
 */

const MAX_FORM_FIELDS = 1_000;
export const MAX_JSON_DEPTH = 64;
/** Objects, arrays, members and elements together. */
export const MAX_JSON_VALUES = 50_000;
/** Members of all objects. Each name costs several times as much as an element, in the parser and in every check. */
export const MAX_JSON_FIELDS = 10_000;

/** Throws `http.content_too_large` (`complexity`). */
export function boundForm(body: string): void {
  if (countUpTo(body, '&', MAX_FORM_FIELDS) >= MAX_FORM_FIELDS)
    throw tooComplex(`Too many form fields (limit: ${MAX_FORM_FIELDS.toLocaleString('en')}).`);
}

/** Throws `http.content_too_large` (`complexity`). */
export function boundJson(body: string): void {
  const fault = jsonExcess(body);
  if (fault !== null) throw tooComplex(`The body ${fault}.`);
}

/** Counts occurrences of a character and stops at `most`. */
export function countUpTo(text: string, character: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count < most; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Returns why the text should not be parsed, or null. It does not need to be valid JSON. The result completes the
 * sentence "The body …". `mostFields`: members of all objects.
 */
export function jsonExcess(text: string, mostFields = MAX_JSON_FIELDS): string | null {
  // Most bodies are too short to exceed a limit.
  if (text.length <= MAX_JSON_DEPTH) return null;
  let depth = 0;
  let values = 0;
  let fields = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN || code === OPEN_LIST) {
      values += 1;
      depth += 1;
    } else if (code === CLOSE || code === CLOSE_LIST) depth -= 1;
    else if (code === COMMA) values += 1;
    else if (code === COLON) fields += 1;
    if (depth > MAX_JSON_DEPTH || fields > mostFields || values > MAX_JSON_VALUES)
      return excessOf(depth, fields, mostFields);
  }
  return null;
}

function excessOf(depth: number, fields: number, mostFields: number): string {
  if (depth > MAX_JSON_DEPTH) return `is nested more than ${MAX_JSON_DEPTH} levels deep`;
  if (fields > mostFields) return `contains more than ${mostFields.toLocaleString('en')} fields`;
  return `contains more than ${MAX_JSON_VALUES.toLocaleString('en')} values`;
}

const tooComplex = (detail: string): Problem => coreProblem('http.content_too_large', detail, { reason: 'complexity' });
