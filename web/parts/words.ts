import { type Html, html } from '../server/html.ts';

/** Formats numbers, times and untrusted text for pages. */

/** `15,200`. Without `Intl`, whose tables would cost the first page 25 ms and 8 MB. */
export const count = (value: number): string => `${value}`.replace(/\B(?=(?:\d{3}){1,7}$)/g, ',');

const SHORT: [unit: number, letter: string][] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
];

/** 15,200 reads "15.2K". */
export function shortCount(value: number): string {
  const tenths = (unit: number): number => Math.round((value / unit) * 10) / 10;
  // 999,950 rounds to "1M", not "1000K".
  const [unit, letter] = SHORT.find(([first]) => tenths(first / 1_000) >= 1_000) ?? [1, ''];
  return `${tenths(unit)}${letter}`;
}

/** A short count with its unit and the exact number in the title; null for zero. */
export const counted = (value: number, word: string): Html | null =>
  value === 0 ? null : html`<span title="${count(value)}">${shortCount(value)} ${word}${value === 1 ? '' : 's'}</span>`;

export function cut(text: string, most = 240): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length <= most
    ? line
    : `${line
        .slice(0, most)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}

const MINUTE = 60_000;
const STEPS: [limit_ms: number, unit_ms: number, unit: string][] = [
  [90 * MINUTE, MINUTE, 'minute'],
  [36 * 60 * MINUTE, 60 * MINUTE, 'hour'],
  [60 * 1_440 * MINUTE, 1_440 * MINUTE, 'day'],
  [730 * 1_440 * MINUTE, 30.44 * 1_440 * MINUTE, 'month'],
  [Number.POSITIVE_INFINITY, 365.25 * 1_440 * MINUTE, 'year'],
];

/** `3 days ago`, with the exact time in the title. Null without a time. */
export function ago(at: string | null, now_ms: number): Html | null {
  if (at === null || Number.isNaN(Date.parse(at))) return null;
  const passedMs = now_ms - Date.parse(at);
  const [, unitMs, unit] = STEPS.find(([limitMs]) => Math.abs(passedMs) < limitMs) as (typeof STEPS)[number];
  const many = Math.round(Math.abs(passedMs) / unitMs);
  const words = `${many} ${unit}${many === 1 ? '' : 's'}`;
  const text = many === 0 ? 'just now' : passedMs < 0 ? `in ${words}` : `${words} ago`;
  return html`<time datetime="${at}" title="${at}">${text}</time>`;
}

/** An untrusted address if it is http or https; otherwise null. */
export function webAddress(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}

/** A link to an untrusted address, or its text if the address is not safe. */
export function strangersLink(address: string, text = address.replace(/^https?:\/\/(?:www\.)?/, '')): Html | null {
  if (address === '') return null;
  const url = webAddress(address);
  return url === null
    ? html`<bdi>${cut(text, 200)}</bdi>`
    : html`<a href="${url}" rel="nofollow ugc noopener"><bdi>${cut(text, 200)}</bdi></a>`;
}
