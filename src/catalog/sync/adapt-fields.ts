import { fold } from '#catalog/changes/fold.ts';

/** Sanitizes untrusted values: each function accepts anything and returns a value that is safe to save. Pure. */

/** Longest kept text, in UTF-16 units. */
export const MAX = {
  name: 200,
  description: 4_000,
  version: 100,
  author: 200,
  license: 100,
  url: 2_048,
  id: 512,
} as const;
const MAX_TAGS = 50;
const MAX_TAG = 64;
const MAX_MANIFEST_CHARS = 262_144;
// Earlier and later times are placeholders or mistakes, and would sort before or after all real ones.
const EARLIEST_MS = Date.UTC(1990, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Trimmed to `max` units without splitting a surrogate pair; NUL and lone surrogates become U+FFFD. '' if it is not a string. */
export function text(value: unknown, max: number): string {
  if (typeof value !== 'string') return '';
  const clean = value.toWellFormed().replaceAll('\0', '\ufffd').trim();
  return clean.length <= max
    ? clean
    : clean
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd();
}

/** A non-negative safe integer, or 0. */
export const count = (value: unknown): number => (isCount(value) ? value : 0);

/** Whether the provider reported a valid number. `count` returns 0 for all others. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** An http or https address as written, or ''. Addresses with a user name are rejected, because they can disguise their host. */
export function url(value: unknown): string {
  const url = text(value, MAX.url + 1);
  if (url.length > MAX.url || !/^https?:\/\/[^\s\p{Cc}]+$/iu.test(url)) return '';
  const parsed = URL.parse(url);
  return parsed === null || parsed.username !== '' || parsed.password !== '' ? '' : url;
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2})?)(\.\d{1,9})?(Z|z|[+-]\d{2}:?\d{2})?)?$/;

/** ISO 8601 text (UTC unless it names an offset) or milliseconds since the epoch, as ISO UTC with milliseconds; else null. */
export function time(value: unknown): string | null {
  const ms = typeof value === 'number' ? Math.trunc(value) : isoMs(value);
  return ms >= EARLIEST_MS && ms < LATEST_MS ? new Date(ms).toISOString() : null;
}

function isoMs(value: unknown): number {
  const parts = typeof value === 'string' ? ISO.exec(value.trim()) : null;
  if (parts === null) return Number.NaN;
  const [, year, month, day, clock = '00:00', fraction = '', zone = 'Z'] = parts;
  // JavaScript would read 30 February as 1 March.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return Number.NaN;
  const offset = zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  return Date.parse(
    `${year}-${month}-${day}T${clock.length === 5 ? `${clock}:00` : clock}${fraction.slice(0, 4)}${offset}`,
  );
}

/** The latest of ISO times, or null. */
export function latest(times: Iterable<string | null>): string | null {
  let greatest: string | null = null;
  for (const time of times) if (time !== null && (greatest === null || time > greatest)) greatest = time;
  return greatest;
}

/** The strings among `values` in order, without duplicates that differ only in case or accents. */
export function tags(values: unknown): string[] {
  const kept = new Map<string, string>();
  for (const value of Array.isArray(values) ? values : []) {
    const tag = text(value, MAX_TAG);
    const key = fold(tag);
    if (tag !== '' && !kept.has(key)) kept.set(key, tag);
    if (kept.size === MAX_TAGS) break;
  }
  return [...kept.values()];
}

/** An id exactly as the provider wrote it, or null if it cannot be stored or used in a path. */
export function externalId(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX.id) return null;
  // Clients resolve the path segments `.` and `..`, so they cannot be ids.
  return !value.isWellFormed() || /\p{Cc}/u.test(value) || value === '.' || value === '..' ? null : value;
}

const GITHUB =
  /^(?:git\+)?(?:(?:https?|ssh|git):\/\/)?(?:git@)?(?:www\.)?github\.com[/:]([a-z0-9][\w-]{0,60})(?:[/?#]|$)/i;

/** The account in a GitHub address of any form, or ''. */
export const githubOwner = (address: unknown): string =>
  typeof address === 'string' ? (GITHUB.exec(address.trim())?.[1] ?? '') : '';

/** The first value that is not empty, or ''. */
export const firstOf = (...values: string[]): string => values.find((value) => value !== '') ?? '';

/** The provider's record, kept for the detail; null if it is not an object or too large. */
export const manifest = (raw: unknown): Record<string, unknown> | null =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw) && isWithin(raw, { chars: MAX_MANIFEST_CHARS })
    ? (raw as Record<string, unknown>)
    : null;

/**
 * Whether its JSON has at most about `left.chars` characters, counted without serializing, because YAML aliases can expand
 * exponentially. Deeper nesting than `levels` is rejected, because it could overflow the stack of later readers.
 */
export function isWithin(value: unknown, left: { chars: number }, levels = 64): boolean {
  left.chars -= typeof value === 'string' ? value.length + 2 : 4;
  if (left.chars < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.entries(value).every(([key, item]) => {
    if (!Array.isArray(value)) left.chars -= key.length + 3;
    return isWithin(item, left, levels - 1);
  });
}
