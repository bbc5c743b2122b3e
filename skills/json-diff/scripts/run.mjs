// Structural difference of two JSON documents as an RFC 6902 patch. Input on standard input or in
// /workspace/input/input.json, output on standard output, exit code 2 for input that does not fit.
import { readFileSync } from 'node:fs';

const MAX_CELLS = 1_000_000;
const MAX_DEPTH = 200;

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
  if (!isMap(input)) refuse('the input must be an object with before and after');
  for (const key of Object.keys(input))
    if (!['before', 'after', 'ignore_keys'].includes(key))
      refuse(`${key} is not a known member; use before, after, ignore_keys`);
  for (const key of ['before', 'after']) if (!has(input, key)) refuse(`${key} is missing`);
  const ignored = has(input, 'ignore_keys') ? input.ignore_keys : [];
  if (!Array.isArray(ignored) || ignored.some((key) => typeof key !== 'string'))
    refuse('ignore_keys must be a list of texts');
  for (const key of ['before', 'after'])
    if (deeper(input[key], MAX_DEPTH)) refuse(`${key} is nested deeper than ${MAX_DEPTH} levels`);
  return { before: input.before, after: input.after, ignored: new Set(ignored) };
}

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (map, key) => Object.prototype.hasOwnProperty.call(map, key);
const deeper = (value, left) =>
  typeof value === 'object' && value !== null && (left === 0 || Object.values(value).some((v) => deeper(v, left - 1)));
const pointer = (path, key) => `${path}/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`;

function differ(ignored) {
  const patch = [];

  /** One text for all documents that are equal: members sorted, ignored ones left out. */
  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
    if (!isMap(value)) return JSON.stringify(value);
    const keys = Object.keys(value).filter((key) => !ignored.has(key)).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
  }

  function compare(before, after, path) {
    if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path);
    else if (isMap(before) && isMap(after)) compareMaps(before, after, path);
    else if (canonical(before) !== canonical(after)) patch.push({ op: 'replace', path, value: after });
  }

  function compareMaps(before, after, path) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !ignored.has(key)).sort();
    for (const key of keys) {
      const at = pointer(path, key);
      if (!has(after, key)) patch.push({ op: 'remove', path: at });
      else if (!has(before, key)) patch.push({ op: 'add', path: at, value: after[key] });
      else compare(before[key], after[key], at);
    }
  }

  function compareLists(before, after, path) {
    const kept = commonElements(before.map(canonical), after.map(canonical));
    let [i, j, at] = [0, 0, 0];
    for (const [nextI, nextJ] of [...kept, [before.length, after.length]]) {
      // Between two kept elements: change in pairs, then remove or add what is left over.
      for (; i < nextI && j < nextJ; i++, j++, at++) compare(before[i], after[j], pointer(path, at));
      for (; i < nextI; i++) patch.push({ op: 'remove', path: pointer(path, at) });
      for (; j < nextJ; j++, at++) patch.push({ op: 'add', path: pointer(path, at), value: after[j] });
      [i, j, at] = [nextI + 1, nextJ + 1, at + 1];
    }
  }

  compare(before, after, '');
  return patch;
}

/** Pairs of positions of a longest common subsequence; position by position where the lists are too long for it. */
function commonElements(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [rows, columns] = [a.length - start - end, b.length - start - end];
  const pairs = Array.from({ length: start }, (_, k) => [k, k]);
  if (rows * columns <= MAX_CELLS) pairs.push(...middle(a, b, start, rows, columns));
  else for (let k = start; k < start + Math.min(rows, columns); k++) if (a[k] === b[k]) pairs.push([k, k]);
  for (let k = end; k > 0; k--) pairs.push([a.length - k, b.length - k]);
  return pairs;
}

function middle(a, b, start, rows, columns) {
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[start + i] === b[start + j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  const pairs = [];
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (a[start + i] === b[start + j]) pairs.push([start + i++, start + j++]);
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return pairs;
}

const { before, after, ignored } = readInput();
const patch = differ(ignored);
const counts = { add: 0, remove: 0, replace: 0 };
for (const { op } of patch) counts[op]++;
console.log(JSON.stringify({ equal: patch.length === 0, counts, patch }));
