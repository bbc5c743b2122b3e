// When a cron expression fires next, in UTC. Input on standard input or in /workspace/input/input.json, output on
// standard output, exit code 2 for input that does not fit.
import { readFileSync } from 'node:fs';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS = [
  { name: 'minute', least: 0, most: 59, names: [] },
  { name: 'hour', least: 0, most: 23, names: [] },
  { name: 'day_of_month', least: 1, most: 31, names: [] },
  { name: 'month', least: 1, most: 12, names: MONTHS },
  // 7 is Sunday too.
  { name: 'day_of_week', least: 0, most: 7, names: DAYS },
];
const MACROS = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const DAY_MS = 86_400_000;
// 29 February may be eight years away; on one day of the week, forty.
const HORIZON_DAYS = 366 * 41;

function refuse(message) {
  console.error(`input error: ${message}`);
  process.exit(2);
}

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
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    refuse('the input must be an object with expression and from');
  for (const key of Object.keys(input))
    if (!['expression', 'from', 'count'].includes(key)) refuse(`${key} is not a known member; use expression, from, count`);
  const { expression, from, count = 5 } = input;
  if (typeof expression !== 'string' || expression.length > 500) refuse('expression must be a text such as */15 9-17 * * mon-fri');
  const isTime = typeof from === 'string' && /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(from);
  if (!isTime || Number.isNaN(Date.parse(from))) refuse('from must be a time such as 2026-03-01T10:00:00Z or a date');
  if (!Number.isInteger(count) || count < 1 || count > 100) refuse('count must be a whole number from 1 to 100');
  return { expression, from: Date.parse(from), count };
}

function readValue(text, field) {
  const named = field.names.indexOf(text.toLowerCase());
  const value = named >= 0 ? named + (field.name === 'month' ? 1 : 0) : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= field.least && value <= field.most))
    refuse(`expression: ${field.name} has ${JSON.stringify(text)}; it takes ${field.least} to ${field.most}`);
  return value;
}

/** The values of one field, in order. */
function readField(text, field) {
  const values = new Set();
  for (const part of text.split(',')) {
    const match = /^(\*|[^-/]+)(?:-([^-/]+))?(?:\/(\d{1,2}))?$/.exec(part);
    if (!match || (match[1] === '*' && match[2] !== undefined))
      refuse(`expression: ${field.name} has ${JSON.stringify(part)}, which is no value, range or step`);
    const [, first, last, step] = match;
    const from = first === '*' ? field.least : readValue(first, field);
    const top = field.name === 'day_of_week' && (first === '*' || last === undefined) ? 6 : field.most;
    const to = last !== undefined ? readValue(last, field) : first === '*' || step !== undefined ? top : from;
    const by = step === undefined ? 1 : Number(step);
    if (by === 0) refuse(`expression: ${field.name} has a step of 0`);
    if (from > to) refuse(`expression: ${field.name} has the range ${part}, which runs backwards`);
    for (let value = from; value <= to; value += by) values.add(field.name === 'day_of_week' ? value % 7 : value);
  }
  return [...values].sort((a, b) => a - b);
}

function readExpression(expression) {
  const text = expression.trim().toLowerCase();
  if (text.startsWith('@') && !Object.keys(MACROS).includes(text))
    refuse(`expression: ${expression} is not one of ${Object.keys(MACROS).join(', ')}`);
  const parts = (MACROS[text] ?? text).split(/\s+/);
  if (parts.length !== 5) refuse(`expression has ${parts.length} fields; it takes minute, hour, day, month, day of week`);
  const fields = Object.fromEntries(FIELDS.map((field, i) => [field.name, readField(parts[i], field)]));
  // When both days are restricted, either may match; that is cron's oldest rule.
  const either = !parts[2].startsWith('*') && !parts[4].startsWith('*');
  return { fields, either };
}

function nextTimes({ fields, either }, from, count) {
  const times = [];
  const start = Math.floor(from / DAY_MS) * DAY_MS;
  for (let day = 0; day < HORIZON_DAYS && times.length < count; day++) {
    const midnight = start + day * DAY_MS;
    const date = new Date(midnight);
    if (!fields.month.includes(date.getUTCMonth() + 1)) continue;
    const byMonth = fields.day_of_month.includes(date.getUTCDate());
    const byWeek = fields.day_of_week.includes(date.getUTCDay());
    if (either ? !byMonth && !byWeek : !byMonth || !byWeek) continue;
    for (const hour of fields.hour)
      for (const minute of fields.minute) {
        const time = midnight + (hour * 60 + minute) * 60_000;
        if (time > from && times.length < count) times.push(new Date(time).toISOString().replace('.000Z', 'Z'));
      }
  }
  return times;
}

const { expression, from, count } = readInput();
const schedule = readExpression(expression);
const times = nextTimes(schedule, from, count);
const gaps = times.slice(1).map((time, i) => (Date.parse(time) - Date.parse(times[i])) / 1000);
console.log(
  JSON.stringify({
    times,
    never: times.length === 0,
    shortest_gap_s: gaps.length > 0 ? Math.min(...gaps) : null,
    longest_gap_s: gaps.length > 0 ? Math.max(...gaps) : null,
    fields: schedule.fields,
    either_day: schedule.either,
  }),
);
