// Which changes between two OpenAPI documents break clients. Input on standard input or in /workspace/input/input.json,
// output on standard output, exit code 2 for input that does not fit.
import { readFileSync } from 'node:fs';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const MAX_CHANGES = 1_000;
const MAX_DEPTH = 40;
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];

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

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (map, key) => Object.prototype.hasOwnProperty.call(map, key);
const mapAt = (map, key) => (isMap(map) && has(map, key) && isMap(map[key]) ? map[key] : {});
const listAt = (map, key) => (isMap(map) && has(map, key) && Array.isArray(map[key]) ? map[key] : []);

function readInput() {
  let input;
  try {
    input = JSON.parse(readText());
  } catch (error) {
    refuse(`the input is not JSON: ${error.message}`);
  }
  if (!isMap(input)) refuse('the input must be an object with before and after');
  for (const key of Object.keys(input))
    if (!['before', 'after'].includes(key)) refuse(`${key} is not a known member; use before, after`);
  for (const key of ['before', 'after']) {
    if (!isMap(input[key])) refuse(`${key} must be an OpenAPI document as an object`);
    if (!/^3\.\d+\.\d+/.test(input[key].openapi)) refuse(`${key}/openapi must be a version from 3.0.0 on`);
  }
  return input;
}

/** A part of a JSON Pointer in a URL's fragment. */
const unescape = (part) =>
  part.replace(/%([0-7][0-9A-Fa-f])/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))).replace(/~1/g, '/').replace(/~0/g, '~');

/** What a local reference stands for; an empty object for one that leads nowhere. */
function resolver(document) {
  return function resolve(value, seen = 0) {
    if (!isMap(value) || typeof value.$ref !== 'string' || seen > MAX_DEPTH) return isMap(value) ? value : {};
    if (!value.$ref.startsWith('#/')) return {};
    const parts = value.$ref.slice(2).split('/').map(unescape);
    let at = document;
    for (const part of parts) at = at !== null && typeof at === 'object' && has(at, part) ? at[part] : undefined;
    const { $ref, ...beside } = value;
    return { ...resolve(at, seen + 1), ...beside };
  };
}

const changes = [];
let operation = '';
const add = (level, kind, where, detail) => changes.push({ level, kind, operation, where, detail });
// The same change hurts in one direction and helps in the other.
const narrowed = (side, ...rest) => add(side === 'request' ? 'breaking' : 'info', ...rest);
const widened = (side, ...rest) => add(side === 'request' ? 'info' : 'breaking', ...rest);
const show = (value) => JSON.stringify(value)?.slice(0, 80) ?? 'nothing';

const { before, after } = readInput();
const [old, now] = [resolver(before), resolver(after)];

/** Operations by method and path, whose parameters count by place. */
function operationsOf(document, resolve) {
  const found = new Map();
  for (const [path, raw] of Object.entries(mapAt(document, 'paths'))) {
    const item = resolve(raw);
    for (const method of METHODS)
      if (isMap(item[method])) {
        const key = `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`;
        const names = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]);
        found.set(key, { shown: `${method.toUpperCase()} ${path}`, names, item, own: item[method] });
      }
  }
  return found;
}

function parametersOf({ item, own, names }, resolve) {
  const found = new Map();
  for (const raw of [...listAt(item, 'parameters'), ...listAt(own, 'parameters')]) {
    const parameter = resolve(raw);
    const place = names.indexOf(parameter.name);
    const key = parameter.in === 'path' && place >= 0 ? `path parameter ${place + 1}` : `${parameter.in} parameter ${parameter.name}`;
    found.set(parameter.in === 'header' ? key.toLowerCase() : key, parameter);
  }
  return found;
}

const schemaOf = (holder, resolve) => holder.schema ?? Object.values(mapAt(holder, 'content')).map((it) => resolve(it).schema)[0];

function compareOperations(a, b) {
  if (b.own.deprecated === true && a.own.deprecated !== true) add('warning', 'operation_deprecated', '', 'It is marked as deprecated.');
  if (a.own.operationId && a.own.operationId !== b.own.operationId)
    add('warning', 'operation_id_changed', '', `From ${show(a.own.operationId)} to ${show(b.own.operationId)}: generated clients rename their function.`);
  compareParameters(parametersOf(a, old), parametersOf(b, now));
  compareBodies(old(a.own.requestBody), now(b.own.requestBody));
  compareAnswers(mapAt(a.own, 'responses'), mapAt(b.own, 'responses'));
  compareSecurity(securityOf(a.own, before), securityOf(b.own, after));
}

function compareParameters(a, b) {
  for (const [key, parameter] of a) {
    const next = b.get(key);
    if (next === undefined) add('breaking', 'parameter_removed', key, 'Clients that send it are not understood any more.');
    if (next === undefined) continue;
    if (next.required === true && parameter.required !== true) add('breaking', 'parameter_now_required', key, 'Clients that leave it out are refused.');
    if (next.required !== true && parameter.required === true) add('info', 'parameter_now_optional', key, 'It may be left out.');
    compareSchemas(schemaOf(parameter, old), schemaOf(next, now), 'request', key);
  }
  for (const [key, parameter] of b)
    if (!a.has(key) && parameter.required === true) add('breaking', 'required_parameter_added', key, 'Clients do not send it yet.');
    else if (!a.has(key)) add('info', 'parameter_added', key, 'It may be left out.');
}

function compareBodies(a, b) {
  const [had, has_now] = [isMap(a.content), isMap(b.content)];
  if (!had && has_now) add(b.required === true ? 'breaking' : 'info', 'body_added', 'request', b.required === true ? 'Clients send none yet.' : 'It may be left out.');
  if (had && !has_now) add('breaking', 'body_removed', 'request', 'What clients send is not read any more.');
  if (!had || !has_now) return;
  if (b.required === true && a.required !== true) add('breaking', 'body_now_required', 'request', 'Clients that send none are refused.');
  compareContents(a, b, 'request', 'request');
}

function compareContents(a, b, side, where) {
  const [from, to] = [mapAt(a, 'content'), mapAt(b, 'content')];
  for (const type of Object.keys(from))
    if (!has(to, type)) add('breaking', 'media_type_removed', `${where} ${type}`, 'Clients may rely on it.');
    else compareSchemas(old(from[type]).schema, now(to[type]).schema, side, `${where} ${type}`);
  for (const type of Object.keys(to)) if (!has(from, type)) add('info', 'media_type_added', `${where} ${type}`, 'One more form.');
}

function compareAnswers(a, b) {
  for (const status of Object.keys(a)) {
    const where = `answer ${status}`;
    if (has(b, status)) compareContents(old(a[status]), now(b[status]), 'response', where);
    else add(/^[23]/.test(status) ? 'breaking' : 'warning', 'answer_removed', where, 'Clients may wait for it.');
  }
  for (const status of Object.keys(b))
    if (!has(a, status)) add(/^[23]/.test(status) ? 'warning' : 'info', 'answer_added', `answer ${status}`, 'Clients do not know it yet.');
}

const securityOf = (own, document) => listAt(has(own, 'security') ? own : document, 'security');

function compareSecurity(a, b) {
  const open = (list) => list.length === 0 || list.some((it) => isMap(it) && Object.keys(it).length === 0);
  const ways = (list) => new Set(list.map((it) => JSON.stringify(Object.entries(isMap(it) ? it : {}).sort())));
  if (open(a) && !open(b)) return add('breaking', 'sign_in_now_needed', 'security', 'Clients without credentials are refused.');
  if (!open(a) && open(b)) return add('info', 'sign_in_no_longer_needed', 'security', 'It is open to all.');
  const next = ways(b);
  if (!open(b) && [...ways(a)].some((way) => !next.has(way)))
    add('breaking', 'sign_in_changed', 'security', 'A way to sign in, or the scopes it asks for, is another.');
}

/** `allOf` as one schema, so far as that can be done without loss. */
function flat(raw, resolve, trail = []) {
  const schema = raw === true ? {} : resolve(raw);
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...own } = schema;
  const below = isMap(raw) && raw.$ref ? [...trail, raw.$ref] : trail;
  const parts = allOf.filter((part) => !isMap(part) || !below.includes(part.$ref));
  return [...parts.map((part) => flat(part, resolve, below)), own].reduce((all, part) => ({
    ...all,
    ...part,
    ...(all.properties || part.properties ? { properties: { ...all.properties, ...part.properties } } : {}),
    ...(all.required || part.required ? { required: [...new Set([...listAt(all, 'required'), ...listAt(part, 'required')])] } : {}),
  }));
}

/** Types as a set; 3.0 says `nullable` where 3.1 has the type null. Undefined for any type. */
function typesOf(schema) {
  if (schema.type === undefined) return undefined;
  const types = new Set([schema.type].flat());
  if (schema.nullable === true) types.add('null');
  if (types.has('number')) types.add('integer');
  return types;
}

const compared = new Set();
function compareSchemas(rawA, rawB, side, where, depth = 0) {
  if (rawA === undefined || rawB === undefined || depth > MAX_DEPTH) return;
  if (isMap(rawA) && isMap(rawB) && rawA.$ref && rawB.$ref) {
    // Also what ends the comparison of a schema that holds itself.
    const pair = `${operation} ${side} ${where.split(' /')[0]} ${rawA.$ref} ${rawB.$ref}`;
    if (compared.has(pair)) return;
    compared.add(pair);
  }
  const [a, b] = [flat(rawA, old), flat(rawB, now)];
  if (!compareTypes(a, b, side, where)) return;
  compareEnums(a, b, side, where);
  compareBounds(a, b, side, where);
  for (const key of ['pattern', 'format', 'const', 'multipleOf', 'uniqueItems'])
    if (JSON.stringify(a[key]) !== JSON.stringify(b[key])) {
      const told = [`${key}_changed`, where, `From ${show(a[key])} to ${show(b[key])}.`];
      if (a[key] === undefined || a[key] === false) narrowed(side, ...told);
      else if (b[key] === undefined || b[key] === false) add(side === 'request' ? 'info' : 'warning', ...told);
      else add(side === 'request' ? 'breaking' : 'warning', ...told);
    }
  compareMembers(a, b, side, where, depth);
  if (a.items !== undefined && b.items !== undefined) compareSchemas(a.items, b.items, side, member(where, '0'), depth + 1);
  for (const key of ['anyOf', 'oneOf']) compareBranches(listAt(a, key), listAt(b, key), side, where, depth);
}

/** Whether it makes sense to go on. */
function compareTypes(a, b, side, where) {
  const [from, to] = [typesOf(a), typesOf(b)];
  if (from === undefined && to === undefined) return true;
  const gone = from === undefined ? ['any'] : to === undefined ? [] : [...from].filter((it) => !to.has(it));
  const fresh = to === undefined ? ['any'] : from === undefined ? [] : [...to].filter((it) => !from.has(it));
  if (from === undefined) narrowed(side, 'type_narrowed', where, `Now only ${[...to].join(', ')}.`);
  else if (to === undefined) widened(side, 'type_widened', where, 'Now of any type.');
  else if (gone.length > 0 && fresh.length > 0) add('breaking', 'type_changed', where, `From ${[...from].join(', ')} to ${[...to].join(', ')}.`);
  else if (gone.length > 0) narrowed(side, 'type_narrowed', where, `No longer ${gone.join(', ')}.`);
  else if (fresh.length > 0) widened(side, 'type_widened', where, `Now also ${fresh.join(', ')}.`);
  return from === undefined || to === undefined || [...from].some((it) => to.has(it));
}

function compareEnums(a, b, side, where) {
  if (!Array.isArray(a.enum) && !Array.isArray(b.enum)) return;
  if (!Array.isArray(a.enum)) return narrowed(side, 'closed_set_added', where, `Now one of ${show(b.enum)}.`);
  if (!Array.isArray(b.enum)) return add(side === 'request' ? 'info' : 'warning', 'closed_set_removed', where, 'Now any value.');
  const [from, to] = [a.enum.map((it) => JSON.stringify(it)), b.enum.map((it) => JSON.stringify(it))];
  for (const value of from) if (!to.includes(value)) narrowed(side, 'value_removed', where, `No longer ${value}.`);
  for (const value of to) if (!from.includes(value)) add(side === 'request' ? 'info' : 'warning', 'value_added', where, `Now also ${value}: a client that knows all values meets a new one.`);
}

function compareBounds(a, b, side, where) {
  for (const key of [...UPPER, ...LOWER]) {
    const [from, to] = [a[key], b[key]].map((it) => (typeof it === 'number' ? it : UPPER.includes(key) ? Infinity : -Infinity));
    if (from === to) continue;
    const less = UPPER.includes(key) ? to < from : to > from;
    const detail = `${key} from ${show(a[key])} to ${show(b[key])}.`;
    if (less) narrowed(side, 'bound_tightened', where, detail);
    else add(side === 'request' ? 'info' : 'warning', 'bound_loosened', where, detail);
  }
}

const member = (where, name) =>
  `${where}${/ \/[^ ]*$/.test(where) ? '' : ' '}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`;

function compareMembers(a, b, side, where, depth) {
  const [from, to] = [mapAt(a, 'properties'), mapAt(b, 'properties')];
  const [needed, needed_now] = [new Set(listAt(a, 'required')), new Set(listAt(b, 'required'))];
  for (const name of Object.keys(from)) {
    const at = member(where, name);
    if (!has(to, name)) {
      if (side === 'response') add('breaking', 'member_removed', at, 'Clients may read it.');
      else if (b.additionalProperties === false) add('breaking', 'member_removed', at, 'Clients that send it are refused.');
      else add('warning', 'member_removed', at, 'What clients send is not read any more.');
      continue;
    }
    if (!needed.has(name) && needed_now.has(name)) narrowed(side, 'member_now_required', at, side === 'request' ? 'Clients that leave it out are refused.' : 'It is always there.');
    if (needed.has(name) && !needed_now.has(name)) widened(side, 'member_now_optional', at, side === 'request' ? 'It may be left out.' : 'Clients may rely on it.');
    compareSchemas(from[name], to[name], side, at, depth + 1);
  }
  for (const name of Object.keys(to))
    if (!has(from, name)) {
      const must = side === 'request' && needed_now.has(name);
      add(must ? 'breaking' : 'info', must ? 'required_member_added' : 'member_added', member(where, name), must ? 'Clients do not send it yet.' : 'One more member.');
    }
  if (a.additionalProperties !== false && b.additionalProperties === false) narrowed(side, 'members_closed', where, 'Other members are no longer allowed.');
}

function compareBranches(a, b, side, where, depth) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) compareSchemas(a[i], b[i], side, where, depth + 1);
  if (b.length < a.length) narrowed(side, 'branch_removed', where, `${a.length - b.length} of ${a.length} alternatives are gone.`);
  if (b.length > a.length && a.length > 0) add(side === 'request' ? 'info' : 'warning', 'branch_added', where, `${b.length - a.length} more alternatives.`);
}

const [operations, operations_now] = [operationsOf(before, old), operationsOf(after, now)];
for (const [key, a] of operations) {
  operation = a.shown;
  const b = operations_now.get(key);
  if (b) compareOperations(a, b);
  else add('breaking', 'operation_removed', '', a.own.deprecated === true ? 'It had been deprecated.' : 'It had not been deprecated.');
}
for (const [key, { shown }] of operations_now)
  if (!operations.has(key)) changes.push({ level: 'info', kind: 'operation_added', operation: shown, where: '', detail: 'One more operation.' });

const counts = { breaking: 0, warning: 0, info: 0 };
for (const { level } of changes) counts[level]++;
const order = (it) => `${Object.keys(counts).indexOf(it.level)} ${it.operation} ${it.where} ${it.kind} ${it.detail}`;
changes.sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
const breaking = counts.breaking > 0;
const suggested_bump = breaking ? 'major' : changes.length > 0 ? 'minor' : 'none';
console.log(JSON.stringify({ breaking, suggested_bump, counts, changes: changes.slice(0, MAX_CHANGES) }));
