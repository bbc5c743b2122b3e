import { type Html, html } from '../server/html.ts';
import { isMembers } from './result-parts.ts';
import { count } from './words.ts';

/**
 * A JSON value for people: members as a tree, lists of similar objects as a table. The value is untrusted and may be
 * huge, so everything shown is taken from one budget, and the rest is counted, not read.
 */

interface Budget {
  /** Values that may still be shown. */
  values: number;
  /** Characters of texts that may still be shown. */
  characters: number;
}

const MOST_VALUES = 2_000;
const MOST_CHARACTERS = 100_000;
const MOST_DEPTH = 8;
/** Of one list or object. */
const MOST_ENTRIES = 100;
const MOST_TEXT = 4_000;
const MOST_CELL = 300;
const MOST_NAME = 120;
const MOST_COLUMNS = 12;
/** Rows that decide whether a list is a table. */
const LOOKED_AT = 20;

export const valueView = (value: unknown): Html =>
  html`<div class="value-tree" dir="auto">${shown(value, { values: MOST_VALUES, characters: MOST_CHARACTERS }, 0)}</div>`;

type Members = Record<string, unknown>;

function shown(value: unknown, budget: Budget, depth: number): Html {
  budget.values--;
  if (typeof value !== 'object' || value === null) return scalar(value, budget, MOST_TEXT);
  if (budget.values <= 0 || depth === MOST_DEPTH) return html`<span class="label">${sizeOf(value)}, not shown</span>`;
  if (!Array.isArray(value)) return members(value as Members, budget, depth);
  if (value.length === 0) return html`<span class="label">empty list</span>`;
  const columns = columnsOf(value);
  return columns === null ? list(value, budget, depth) : table(value as Members[], columns, budget, depth);
}

function members(value: Members, budget: Budget, depth: number): Html {
  const names = Object.keys(value);
  if (names.length === 0) return html`<span class="label">no members</span>`;
  const entries: Html[] = [];
  for (const name of names.slice(0, MOST_ENTRIES)) {
    if (budget.values <= 0) break;
    entries.push(
      html`<div><dt>${taken(name, budget, MOST_NAME)}</dt><dd>${shown(value[name], budget, depth + 1)}</dd></div>`,
    );
  }
  return html`<dl class="members">${entries}</dl>${more(names.length - entries.length, 'member')}`;
}

function list(value: readonly unknown[], budget: Budget, depth: number): Html {
  const entries: Html[] = [];
  for (const entry of value.slice(0, MOST_ENTRIES)) {
    if (budget.values <= 0) break;
    entries.push(html`<li>${shown(entry, budget, depth + 1)}</li>`);
  }
  return html`<ol class="entries">${entries}</ol>${more(value.length - entries.length, 'entry', 'entries')}`;
}

/** The columns of a list of objects with few, mostly scalar members; null for any other list. */
function columnsOf(value: readonly unknown[]): string[] | null {
  const first = value.slice(0, LOOKED_AT);
  if (first.length < 2 || !first.every(isMembers)) return null;
  const columns = new Set<string>();
  let nested = 0;
  for (const row of first)
    for (const name in row) {
      columns.add(name);
      if (columns.size > MOST_COLUMNS) return null;
      if (typeof row[name] === 'object' && row[name] !== null) nested++;
    }
  return columns.size === 0 || nested > first.length ? null : [...columns];
}

function table(value: readonly unknown[], columns: readonly string[], budget: Budget, depth: number): Html {
  const rows: Html[] = [];
  for (const row of value.slice(0, MOST_ENTRIES)) {
    if (budget.values <= 0 || !isMembers(row)) break;
    rows.push(html`<tr>${columns.map((name) => cell(row, name, budget, depth))}</tr>`);
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>
<thead><tr>${columns.map((name) => html`<th scope="col"${areNumbers(value, name) && html` class="number"`}>${name.slice(0, MOST_NAME)}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>${more(value.length - rows.length, 'row')}`;
}

/** Whether the column holds numbers, which are aligned with their heading. */
const areNumbers = (value: readonly unknown[], name: string): boolean =>
  value.slice(0, LOOKED_AT).every((row) => isMembers(row) && ['number', 'undefined'].includes(typeof row[name]));

function cell(row: Members, name: string, budget: Budget, depth: number): Html {
  if (!Object.hasOwn(row, name)) return html`<td></td>`;
  const value = row[name];
  if (typeof value === 'object' && value !== null) return html`<td>${shown(value, budget, depth + 2)}</td>`;
  budget.values--;
  return html`<td${typeof value === 'number' && html` class="number"`}>${scalar(value, budget, MOST_CELL)}</td>`;
}

function scalar(value: unknown, budget: Budget, most: number): Html {
  if (typeof value !== 'string')
    return html`<span class="${value === null ? 'null' : typeof value}">${String(value)}</span>`;
  if (value === '') return html`<span class="label">empty text</span>`;
  return html`<span class="string" dir="auto">${taken(value, budget, most)}</span>`;
}

/** The start of a text, as far as the budget allows. */
function taken(text: string, budget: Budget, most: number): string {
  const room = Math.min(most, budget.characters);
  const start = text.length <= room ? text : text.slice(0, room).toWellFormed();
  budget.characters -= start.length;
  return start.length < text.length ? `${start}… (${count(text.length)} characters)` : start;
}

const more = (left: number, one: string, many = `${one}s`): Html | false =>
  left > 0 && html`<p class="fine">${count(left)} more ${left === 1 ? one : many}.</p>`;

const sizeOf = (value: object): string => (Array.isArray(value) ? `list of ${count(value.length)}` : 'object');
