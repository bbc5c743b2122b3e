import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from '#core/json-schema/type.ts';
import { Problem } from '#core/problem/problem.ts';
import { anyText } from '#test/any-text.ts';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { jsonExcess, MAX_JSON_DEPTH, MAX_JSON_FIELDS, MAX_JSON_VALUES } from './body-bounds.ts';
import { BODY_LIMIT_BYTES } from './framework-problem.ts';
import type { Incoming } from './incoming.ts';
import type { OperationBase } from './operation.ts';
import { bodyReader } from './read-body.ts';

const NAMED = Type.Object({ name: Type.Optional(Type.String()) }, { additionalProperties: false });

const operation = (more: Partial<OperationBase>): OperationBase => ({
  id: 'x.createThing',
  method: 'POST',
  path: '/things',
  summary: 'x',
  description: 'x x',
  access: 'public',
  answers: {},
  problems: [],
  ...more,
});

const FORM = 'application/x-www-form-urlencoded';
const asked = (body: string | null, type: string | null = 'application/json') =>
  ({ headers: type === null ? {} : { 'content-type': type }, body: body ?? undefined }) as unknown as Incoming;

function problemOf(run: () => unknown): Problem {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof Problem, `${error}`);
    return error;
  }
  assert.fail('accepted');
}

/** Fills the body limit with distinct parts. */
function fill(part: (at: number) => string, separator: string): string {
  const parts: string[] = [];
  for (let length = 0, at = 0; ; at++) {
    const next = part(at);
    length += next.length + separator.length;
    if (length > BODY_LIMIT_BYTES - 100) return parts.join(separator);
    parts.push(next);
  }
}

const ENOUGH_MS = 50;

test('413: rejects a form of more than 1,000 fields of any length within 50 ms', () => {
  const read = bodyReader(operation({ body: NAMED, reads: 'form' }));
  for (const body of [fill((at) => `${at.toString(36)}=1`, '&'), fill(() => 'a', '&'), fill(() => '', '&')]) {
    const problem = problemOf(() => read(asked(body, FORM)));
    assert.deepEqual([problem.code, problem.reason], ['http.content_too_large', 'complexity']);
    assert.match(problem.message, /form fields \(limit: 1,000\)/);
    assert.ok(cpuTimeOf(() => problemOf(() => read(asked(body, FORM))), ENOUGH_MS) <= ENOUGH_MS);
  }
});

test('400: names a repeated field once and limits the list of unknown fields', () => {
  const read = bodyReader(operation({ body: NAMED, reads: 'form' }));
  const twice = problemOf(() => read(asked('name=1&name=2&name=3', FORM)));
  assert.deepEqual(twice.errors, [{ pointer: '/name', detail: 'must be sent once' }]);
  const many = problemOf(() => read(asked(Array.from({ length: 900 }, (_, at) => `f${at}=1`).join('&'), FORM)));
  assert.match(many.message, /f0, f1, .* and 890 more/);
  assert.ok(JSON.stringify(many.errors).length + many.message.length < 2_000);
});

test('413: rejects too deep or too large JSON within 50 ms, and reads JSON at the limit', () => {
  const read = bodyReader(operation({ body: Type.Unknown() }));
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  assert.deepEqual(read(asked(deep(MAX_JSON_DEPTH))), JSON.parse(deep(MAX_JSON_DEPTH)));
  assert.match(problemOf(() => read(asked(deep(MAX_JSON_DEPTH + 1)))).message, /more than 64 levels deep/);
  const list = (length: number) => `[${'1,'.repeat(length - 1)}1]`;
  assert.equal((read(asked(list(MAX_JSON_VALUES))) as unknown[]).length, MAX_JSON_VALUES);
  assert.match(problemOf(() => read(asked(list(MAX_JSON_VALUES + 1)))).message, /more than 50,000 values/);
  const named = (count: number) => `{${Array.from({ length: count }, (_, at) => `"f${at}":1`).join(',')}}`;
  assert.equal(Object.keys(read(asked(named(MAX_JSON_FIELDS))) as object).length, MAX_JSON_FIELDS);
  assert.match(problemOf(() => read(asked(named(MAX_JSON_FIELDS + 1)))).message, /more than 10,000 fields/);
  for (const body of [
    deep(BODY_LIMIT_BYTES / 2),
    '{"a":'.repeat(200_000),
    `[${fill((at) => `{"${at.toString(36)}":1}`, ',')}]`,
    `{${fill((at) => `"${at.toString(36)}":1`, ',')}}`,
    `{"a":"${'\\"['.repeat(300_000)}"}`,
  ]) {
    const time = cpuTimeOf(() => {
      try {
        read(asked(body));
      } catch {}
    }, ENOUGH_MS);
    assert.ok(time <= ENOUGH_MS, `${body.slice(0, 20)} took ${time} ms`);
  }
});

test('400: many invalid fields give a short response within 50 ms', () => {
  const Things = Type.Object({ things: Type.Array(NAMED) }, { additionalProperties: false });
  const read = bodyReader(operation({ body: Things }));
  for (const body of [
    `{${Array.from({ length: 9_900 }, (_, at) => `"field-${at}":1`).join(',')}}`,
    `{"things":[${Array.from({ length: 9_900 }, () => '{"name":1}').join(',')}]}`,
    `{"things":[${Array.from({ length: 9_900 }, () => '{"other":1}').join(',')}]}`,
    `{"${'x'.repeat(500_000)}":1}`,
  ]) {
    const problem = problemOf(() => read(asked(body)));
    assert.deepEqual([problem.code, problem.reason], ['http.invalid', 'input']);
    assert.ok((problem.errors ?? []).length <= 20);
    assert.ok(JSON.stringify(problem.errors).length + problem.message.length < 4_000, problem.message.slice(0, 200));
    const time = cpuTimeOf(() => problemOf(() => read(asked(body))), ENOUGH_MS);
    assert.ok(time <= ENOUGH_MS, `${body.slice(0, 20)} took ${time} ms`);
  }
});

test('400: a long array of unique items is rejected by its length within 50 ms', () => {
  const Scopes = Type.Array(Type.Enum(['read', 'write']), { minItems: 1, maxItems: 2, uniqueItems: true });
  const read = bodyReader(operation({ body: Type.Object({ scopes: Scopes }) }));
  const body = JSON.stringify({ scopes: Array(45_000).fill('read') });
  assert.deepEqual(problemOf(() => read(asked(body))).errors, [
    { pointer: '/scopes', detail: 'must not have more than 2 items' },
  ]);
  assert.ok(cpuTimeOf(() => problemOf(() => read(asked(body))), ENOUGH_MS) <= ENOUGH_MS);
});

test('brackets within JSON strings do not count as nesting', () => {
  fc.assert(
    fc.property(fc.array(anyText({ maxLength: 20 }), { maxLength: 5 }), (texts) => {
      const noisy = texts.map((text) => `${text}${'[{,'.repeat(MAX_JSON_DEPTH)}\\"`);
      assert.equal(jsonExcess(JSON.stringify(noisy)), null);
      assert.notEqual(jsonExcess(`${'['.repeat(MAX_JSON_DEPTH)}${JSON.stringify([noisy])}`), null);
    }),
  );
});

test('the body can be omitted if all of its fields are optional', () => {
  const read = bodyReader(operation({ body: NAMED }));
  assert.deepEqual(read(asked(null, null)), {});
  assert.deepEqual(read(asked('')), {});
  assert.deepEqual(read(asked('{"name":"x"}')), { name: 'x' });
  // A cross-site form may send nothing, but it always has the form content type.
  assert.equal(problemOf(() => read(asked('', FORM))).code, 'http.unsupported_media_type');
  const needed = bodyReader(operation({ body: Type.Object({ name: Type.String() }) }));
  assert.equal(problemOf(() => needed(asked(null, null))).code, 'http.unsupported_media_type');
});

test('400: rejects fields if the operation has no body', () => {
  const read = bodyReader(operation({}));
  assert.equal(read(asked(null, null)), null);
  assert.equal(read(asked('{}')), null);
  const { code, errors } = problemOf(() => read(asked('{"scope":"admin"}')));
  assert.deepEqual([code, errors?.[0]?.detail], ['http.invalid', 'has unknown fields: scope']);
});
