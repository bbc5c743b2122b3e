// Picks versions by a range, with the rules of Semantic Versioning 2.0.0 and of npm's ranges. Input on standard input
// or in /workspace/input/input.json, output on standard output, exit code 2 for input that does not fit.
import { readFileSync } from 'node:fs';

const CORE = '(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)';
const VERSION = new RegExp(`^[v=\\s]*${CORE}(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?$`);
const PART = '(?:0|[1-9]\\d*|[xX*])';
const PARTIAL = new RegExp(
  `^[v=\\s]*(${PART})(?:\\.(${PART})(?:\\.(${PART})(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?)?)?$`,
);
const MAX_VERSIONS = 10_000;

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
    refuse('the input must be an object with versions');
  for (const key of Object.keys(input))
    if (!['versions', 'range', 'include_prerelease'].includes(key))
      refuse(`${key} is not a known member; use versions, range, include_prerelease`);
  const { versions, range = '*', include_prerelease: loose = false } = input;
  if (!Array.isArray(versions) || versions.some((version) => typeof version !== 'string'))
    refuse('versions must be a list of texts');
  if (versions.length > MAX_VERSIONS) refuse(`versions must hold at most ${MAX_VERSIONS}`);
  if (typeof range !== 'string' || range.length > 500) refuse('range must be a text of at most 500 characters');
  if (typeof loose !== 'boolean') refuse('include_prerelease must be true or false');
  return { versions, range, loose };
}

function parseVersion(text) {
  const match = VERSION.exec(text.trim());
  if (!match) return null;
  const core = match.slice(1, 4).map(Number);
  if (core.some((part) => part > Number.MAX_SAFE_INTEGER)) return null;
  const pre = match[4] === undefined ? [] : match[4].split('.');
  if (pre.some((id) => id === '' || /^0\d+$/.test(id))) return null;
  return { text, core, pre };
}

const compareNumbers = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function compareIds(a, b) {
  const [aIsNumber, bIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  return aIsNumber ? compareNumbers(Number(a), Number(b)) : a < b ? -1 : a > b ? 1 : 0;
}

function compareVersions(a, b) {
  for (let i = 0; i < 3; i++) if (a.core[i] !== b.core[i]) return compareNumbers(a.core[i], b.core[i]);
  if (a.pre.length === 0 || b.pre.length === 0) return compareNumbers(b.pre.length, a.pre.length);
  for (let i = 0; i < Math.max(a.pre.length, b.pre.length); i++) {
    if (a.pre[i] === undefined || b.pre[i] === undefined) return a.pre[i] === undefined ? -1 : 1;
    const order = compareIds(a.pre[i], b.pre[i]);
    if (order !== 0) return order;
  }
  return 0;
}

const at = (major, minor, patch, pre = []) => ({ core: [major, minor, patch], pre });
// The lowest version of all with these numbers, so that an upper bound shuts out its prereleases too.
const below = (major, minor, patch) => ({ op: '<', version: at(major, minor, patch, ['0']) });
const NOTHING = [{ op: '<', version: at(0, 0, 0, ['0']) }];

function parsePartial(text, range) {
  const match = PARTIAL.exec(text);
  if (!match) refuse(`range ${JSON.stringify(range)} cannot be read at ${JSON.stringify(text)}`);
  const numbers = [];
  for (const part of match.slice(1, 4)) {
    if (part === undefined || /^[xX*]$/.test(part)) break;
    numbers.push(Number(part));
  }
  return { numbers, pre: numbers.length === 3 && match[4] ? match[4].split('.') : [] };
}

/** The first version after everything that a partial version stands for. */
function nextAfter(numbers) {
  const [major, minor] = numbers;
  return numbers.length === 1 ? [major + 1, 0, 0] : [major, minor + 1, 0];
}

function caretEnd([major, minor = 0, patch = 0], given) {
  if (major > 0 || given === 1) return [major + 1, 0, 0];
  if (minor > 0 || given === 2) return [0, minor + 1, 0];
  return [0, 0, patch + 1];
}

function comparators(token, range, loose) {
  const [, op, text] = /^(\^|~>|~|>=|<=|>|<|=)?\s*(.*)$/.exec(token);
  const { numbers, pre } = parsePartial(text, range);
  const start = { op: '>=', version: lowest(numbers, pre, loose) };
  if (numbers.length === 0) return op === '<' || op === '>' ? NOTHING : [];
  if (op === '^') return [start, below(...caretEnd(numbers, numbers.length))];
  if (op === '~' || op === '~>') return [start, below(...nextAfter(numbers.slice(0, 2)))];
  if (numbers.length === 3) return [{ op: op ?? '=', version: at(...numbers, pre) }];
  if (op === '>') return [{ op: '>=', version: lowest(nextAfter(numbers).slice(0, 2), [], loose) }];
  if (op === '<=') return [below(...nextAfter(numbers))];
  if (op === '<') return [below(...lowest(numbers, [], false).core)];
  return op === '>=' ? [start] : [start, below(...nextAfter(numbers))];
}

/** Where a partial version begins: with its prereleases if those are wanted. */
function lowest(numbers, pre, loose) {
  const [major = 0, minor = 0, patch = 0] = numbers;
  return at(major, minor, patch, numbers.length < 3 && loose ? ['0'] : pre);
}

function hyphen(from, to, range, loose) {
  const low = parsePartial(from, range);
  const high = parsePartial(to, range);
  const [major, minor, patch] = high.numbers;
  const first = lowest(low.numbers, low.pre.length === 0 && loose ? ['0'] : low.pre, loose);
  const start = low.numbers.length === 0 ? [] : [{ op: '>=', version: first }];
  if (high.numbers.length === 0) return start;
  if (high.numbers.length < 3) return [...start, below(...nextAfter(high.numbers))];
  if (loose && high.pre.length === 0) return [...start, below(major, minor, patch + 1)];
  return [...start, { op: '<=', version: at(major, minor, patch, high.pre) }];
}

function parseRange(range, loose) {
  return range.split('||').map((alternative) => {
    const text = alternative.trim();
    const span = /^(\S+)\s+-\s+(\S+)$/.exec(text);
    if (span) return hyphen(span[1], span[2], range, loose);
    const tokens = text.replace(/(\^|~>|~|>=|<=|>|<|=)\s+/g, '$1').split(/\s+/).filter(Boolean);
    return tokens.flatMap((token) => comparators(token, range, loose));
  });
}

const HOLDS = { '=': (o) => o === 0, '<': (o) => o < 0, '<=': (o) => o <= 0, '>': (o) => o > 0, '>=': (o) => o >= 0 };

function satisfies(version, alternative, loose) {
  if (!alternative.every((c) => HOLDS[c.op](compareVersions(version, c.version)))) return false;
  if (version.pre.length === 0 || loose) return true;
  // A prerelease is meant only where the range names one of the same numbers.
  return alternative.some((c) => c.version.pre.length > 0 && c.version.core.every((part, i) => part === version.core[i]));
}

const { versions, range, loose } = readInput();
const parsed = versions.map(parseVersion);
const valid = parsed.filter(Boolean).sort((a, b) => compareVersions(b, a) || (a.text < b.text ? -1 : 1));
const alternatives = parseRange(range, loose);
const matching = valid.filter((version) => alternatives.some((alternative) => satisfies(version, alternative, loose)));
const stable = valid.find((version) => version.pre.length === 0);
console.log(
  JSON.stringify({
    picked: matching[0]?.text ?? null,
    matching: matching.map((version) => version.text),
    newest_stable: stable?.text ?? null,
    newest: valid[0]?.text ?? null,
    invalid: versions.filter((_, i) => parsed[i] === null),
  }),
);
