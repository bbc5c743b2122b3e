import { type Html, html } from '../server/html.ts';

/** Ranges of a text in UTF-16 code units; the end is exclusive. */
export type Ranges = readonly (readonly number[])[];

const LEAD_IN = 60;

/** Untrusted text with its matches marked. A long text starts shortly before the first match. */
export function marked(text: string, ranges: Ranges, most = 240): Html {
  const places = ranges
    .map(([from = 0, to = 0]) => [Math.max(0, from), Math.min(text.length, to)] as const)
    .filter(([from, to]) => from < to)
    .toSorted((a, b) => a[0] - b[0]);
  const first = places[0];
  const begin = first === undefined || first[1] <= most ? 0 : wordAt(text, first[0] - LEAD_IN);
  const end = wholeAt(text, Math.min(text.length, begin + most));
  const parts: (string | Html)[] = [];
  let at = begin;
  for (const [from, to] of places) {
    const [start, stop] = [Math.max(at, from), Math.min(to, end)];
    if (start >= stop) continue;
    parts.push(text.slice(at, start), html`<mark>${text.slice(start, stop)}</mark>`);
    at = stop;
  }
  return html`${begin > 0 && '…'}${parts}${text.slice(at, end)}${end < text.length && '…'}`;
}

/** Moves a position out of the middle of a surrogate pair. */
const wholeAt = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at - 1 : at);

function wordAt(text: string, at: number): number {
  const from = Math.max(0, at);
  const space = text.slice(from, from + LEAD_IN / 2).search(/\s/u);
  return space === -1 ? wholeAt(text, from) : from + space + 1;
}
