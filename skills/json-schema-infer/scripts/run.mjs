// Infers a JSON Schema (2020-12) from sample documents. Input on standard input or in /workspace/input/input.json,
// output on standard output, exit code 2 for input that does not fit.
import { readFileSync } from 'node:fs';

const MAX_SAMPLES = 10_000;
const MAX_DEPTH = 100;
const isDay = (text) => {
  const day = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const EMAIL = new RegExp(`^[A-Za-z0-9_%+-]+(?:\\.[A-Za-z0-9_%+-]+)*@${LABEL}(?:\\.${LABEL})+$`);
const DATE_TIME = /^.{10}[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
const URI_CHARACTER = "(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})";
const URI = new RegExp(`^[A-Za-z][A-Za-z0-9+.-]*://[A-Za-z0-9]${URI_CHARACTER}*(?:#${URI_CHARACTER}*)?$`);
// Narrower than the standards, so that no sample is refused by the schema that was made from it.
const FORMATS = {
  'date-time': (text) => DATE_TIME.test(text) && isDay(text.slice(0, 10)),
  date: isDay,
  uuid: (text) => /^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/.test(text),
  email: (text) => EMAIL.test(text),
  uri: (text) => URI.test(text),
};

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
  if (!isMap(input)) refuse('the input must be an object with samples');
  for (const key of Object.keys(input))
    if (!['samples', 'title', 'max_enum', 'closed'].includes(key))
      refuse(`${key} is not a known member; use samples, title, max_enum, closed`);
  const { samples, title, max_enum = 5, closed = false } = input;
  if (!Array.isArray(samples) || samples.length === 0) refuse('samples must be a list of documents, not empty');
  if (samples.length > MAX_SAMPLES) refuse(`samples must hold at most ${MAX_SAMPLES}`);
  if (deeper(samples, MAX_DEPTH)) refuse(`samples are nested deeper than ${MAX_DEPTH} levels`);
  if (title !== undefined && typeof title !== 'string') refuse('title must be a text');
  if (!Number.isInteger(max_enum) || max_enum < 0 || max_enum > 50) refuse('max_enum must be a whole number from 0 to 50');
  if (typeof closed !== 'boolean') refuse('closed must be true or false');
  return { samples, title, max_enum, closed };
}

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const deeper = (value, left) =>
  typeof value === 'object' && value !== null && (left === 0 || Object.values(value).some((v) => deeper(v, left - 1)));

function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function inferWith({ max_enum, closed }) {
  function infer(values) {
    const hasFraction = values.some((value) => typeOf(value) === 'number');
    const byType = new Map();
    for (const value of values) {
      const type = typeof value === 'number' && hasFraction ? 'number' : typeOf(value);
      if (byType.has(type)) byType.get(type).push(value);
      else byType.set(type, [value]);
    }
    const types = [...byType.keys()].sort();
    if (types.length === 0) return {};
    return Object.assign({ type: types.length === 1 ? types[0] : types }, ...types.map((type) => rules(type, byType.get(type), types.length === 1)));
  }

  function rules(type, values, isOnlyType) {
    if (type === 'object') return inferObject(values);
    if (type === 'array') return inferArray(values);
    return type === 'string' ? inferText(values, isOnlyType) : {};
  }

  function inferObject(values) {
    const members = new Map();
    for (const value of values)
      for (const [key, member] of Object.entries(value)) {
        const seen = members.get(key);
        if (seen) seen.push(member);
        else members.set(key, [member]);
      }
    const keys = [...members.keys()].sort();
    const required = keys.filter((key) => members.get(key).length === values.length);
    return {
      properties: Object.fromEntries(keys.map((key) => [key, infer(members.get(key))])),
      ...(required.length > 0 ? { required } : {}),
      ...(closed ? { additionalProperties: false } : {}),
    };
  }

  function inferArray(values) {
    const items = values.flat(1);
    return items.length > 0 ? { items: infer(items) } : {};
  }

  function inferText(values, isOnlyType) {
    const format = Object.keys(FORMATS).find((name) => values.every((value) => FORMATS[name](value)));
    if (format) return { format };
    // Unlike the other keywords, enum would shut out values of other types.
    if (!isOnlyType) return {};
    const different = [...new Set(values)].sort();
    // A closed set shows by repetition: on average each value at least three times.
    const isEnum = different.length <= max_enum && values.length >= 3 * different.length;
    return isEnum ? { enum: different } : {};
  }

  return infer;
}

const { samples, title, max_enum, closed } = readInput();
const infer = inferWith({ max_enum, closed });
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...(title === undefined ? {} : { title }),
  ...infer(samples),
};
console.log(JSON.stringify({ samples: samples.length, schema }));
