import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { Type } from '#core/json-schema/type.ts';
import { curlOf } from './example-request.ts';
import { gateProblems } from './openapi/gates.ts';
import { openApiDocument, renderOpenApi } from './openapi.ts';
import { jsonAnswer, operation } from './operation.ts';

const Thing = Type.Object({ id: Type.String(), note: Type.Union([Type.String(), Type.Null()]) });

const OPERATIONS = [
  operation({
    id: 'wing.things.listThings',
    method: 'GET',
    path: '/things',
    also: ['/stuff'],
    summary: 'List things',
    description: 'Every thing.',
    access: 'public',
    query: Type.Object(
      {
        limit: Type.Integer({ default: 50, minimum: 1 }),
        search: Type.Optional(Type.String({ pattern: '^\\p{L}', minLength: 1 })),
        kind: Type.String(),
      },
      { additionalProperties: false },
    ),
    examples: { limit: 50, search: 'it’s "one"', kind: 'a' },
    answers: {
      200: jsonAnswer('Things.', Type.Object({ items: Type.Array(Thing) })),
    },
    problems: ['things.warming_up'],
  }),
  operation({
    id: 'wing.things.updateThing',
    method: 'PUT',
    path: '/things/{shelf}/{id}',
    wildcard: 'id',
    summary: 'Change a thing',
    description: 'Changes its note.',
    access: 'sensitive',
    params: Type.Object({ shelf: Type.String({ description: 'Where.' }), id: Type.String() }),
    body: Thing,
    examples: { shelf: 'a b', id: '@one/two%3' },
    body_example: { id: '1', note: "it's" },
    answers: { 200: jsonAnswer('The thing.', Thing) },
    problems: ['things.not_found', 'things.gone_astray'],
  }),
  operation({
    id: 'wing.things.createThing',
    method: 'POST',
    path: '/things',
    summary: 'Make a thing',
    description: 'Makes one.',
    access: 'jwt',
    limit: 'things',
    creates: true,
    body: Thing,
    body_example: { id: '1', note: null },
    answers: { 201: jsonAnswer('The thing.', Thing) },
    problems: [],
  }),
] as const;

const gates = [...new Set(OPERATIONS.flatMap(gateProblems))];
const PROBLEMS = {
  ...Object.fromEntries(gates.map((code) => [code, { kind: 'rate_limited' as const, meaning: 'Not now.' }])),
  'http.idempotency_conflict': { kind: 'conflict' as const, meaning: 'Wait.' },
  'http.content_too_large': { kind: 'too_large' as const, meaning: 'Too large.' },
  'http.invalid': { kind: 'invalid_request' as const, meaning: 'It does not fit.' },
  'http.unsupported_media_type': { kind: 'unsupported_media_type' as const, meaning: 'Not JSON.' },
  'things.not_found': { kind: 'not_found' as const, meaning: 'No such thing.' },
  'things.gone_astray': { kind: 'not_found' as const, meaning: 'It was here.' },
  'things.warming_up': { kind: 'unavailable' as const, meaning: 'Wait.' },
};

const INPUT = {
  operations: OPERATIONS,
  info: { title: 'Things', version: '1.2.3', description: 'For the test.' },
  server_url: '/',
  tags: [
    { name: 'things', description: 'Things.' },
    { name: 'empty', description: 'Nothing uses it.' },
  ],
  problems: PROBLEMS,
  schemas: { Thing, Unused: Type.Object({ x: Type.String() }) },
};

// biome-ignore lint/suspicious/noExplicitAny: a document is walked freely here.
const document = openApiDocument(INPUT) as any;

test('a query parameter is required unless it has a default or is optional', () => {
  const required = document.paths['/things'].get.parameters.map((parameter: { name: string; required?: boolean }) => [
    parameter.name,
    parameter.required ?? false,
  ]);
  assert.deepEqual(required, [
    ['limit', false],
    ['search', false],
    ['kind', true],
  ]);
});

test('a named schema becomes a component and is referenced wherever it occurs', () => {
  const ref = { $ref: '#/components/schemas/Thing' };
  const list = document.paths['/things'].get.responses['200'].content['application/json'].schema;
  assert.deepEqual(list.properties.items.items, ref);
  assert.deepEqual(document.paths['/things/{shelf}/{id}'].put.requestBody.content['application/json'].schema, ref);
  assert.deepEqual(Object.keys(document.components.schemas), ['Problem', 'Thing']);
});

test('a pattern that most tools would misinterpret is omitted', () => {
  const { pattern, minLength } = document.paths['/things'].get.parameters[1].schema;
  assert.deepEqual([pattern, minLength], [undefined, 1]);
});

test('problems are grouped by status, with every code in the description', () => {
  const { responses } = document.paths['/things/{shelf}/{id}'].put;
  assert.deepEqual(Object.keys(responses), ['200', '400', '404', '413', '415', '429', 'default']);
  assert.deepEqual(responses['404'], {
    $ref: '#/components/responses/NotFound',
    description: '`things.not_found`, `things.gone_astray`',
  });
  const { description, content } = document.components.responses.NotFound;
  assert.equal(description, '- `things.not_found`: No such thing.\n- `things.gone_astray`: It was here.');
  const { schema, example } = content['application/problem+json'];
  assert.deepEqual(schema, { $ref: '#/components/schemas/Problem' });
  assert.equal(example.type, '/docs/errors/things.not_found');
  assert.equal(example.title, 'Not found');
});

test('an undeclared problem code is rejected', () => {
  assert.throws(
    () => openApiDocument({ ...INPUT, problems: {} }),
    /things.listThings refers to the undeclared problem/,
  );
});

test('public operations have no security, sensitive ones require token, signature and challenge', () => {
  assert.deepEqual(document.paths['/things'].get.security, []);
  assert.deepEqual(document.paths['/things/{shelf}/{id}'].put.security, [
    { bearer: [], wallet_signature: [], challenge_id: [] },
  ]);
  assert.deepEqual(Object.keys(document.components.securitySchemes), ['bearer', 'wallet_signature', 'challenge_id']);
});

test("an operation's gates add its idempotency key, problems, limit headers and credential headers", () => {
  const { post } = document.paths['/things'];
  assert.deepEqual(
    post.parameters.map((parameter: { name: string; in: string; required?: boolean }) => [
      parameter.name,
      parameter.in,
      parameter.required ?? false,
    ]),
    [['Idempotency-Key', 'header', false]],
  );
  const of = (response: { $ref?: string }) =>
    response.$ref === undefined
      ? response
      : document.components.responses[response.$ref.replace('#/components/responses/', '')];
  const headers = (status: string) => Object.keys(of(post.responses[status]).headers ?? {});
  assert.deepEqual(headers('201'), ['RateLimit', 'RateLimit-Policy', 'Idempotent-Replayed']);
  assert.deepEqual(headers('429'), ['RateLimit', 'RateLimit-Policy', 'Retry-After']);
  assert.deepEqual(headers('409'), ['Retry-After']);
  assert.deepEqual(headers('400'), []);
  assert.deepEqual(Object.keys(document.components.headers).length, 4);
  for (const code of ['auth.token_required', 'http.limit_exceeded', 'http.idempotency_key_reused'])
    assert.match(of(post.responses['429']).description, new RegExp(code));
  const { put, get } = { ...document.paths['/things/{shelf}/{id}'], ...document.paths['/things'] };
  assert.match(of(put.responses['429']).description, /auth\.signature_required.*auth\.wallet_required/s);
  assert.deepEqual(Object.keys(get.responses), ['200', '400', '503', 'default']);
});

test('two sets of common problem codes get two response names', () => {
  const change = { ...OPERATIONS[1], problems: [] };
  const read = { ...change, id: 'wing.things.readThing', method: 'POST' as const, access: 'jwt' as const };
  const { paths, components } = openApiDocument({ ...INPUT, operations: [change, read] }) as typeof document;
  const { put, post } = paths['/things/{shelf}/{id}'];
  const names = [put, post].map((value) => value.responses['429'].$ref.replace('#/components/responses/', ''));
  assert.deepEqual(names, ['RateLimitedTokenSignatureWalletChain', 'RateLimitedToken']);
  assert.doesNotMatch(components.responses.RateLimitedToken.description, /auth\.wallet_required/);
});

test('a parameter or example used by several operations becomes one component', () => {
  const [list, change] = OPERATIONS;
  const shown = jsonAnswer('The thing.', Thing, { id: '1' });
  const operations = [
    { ...change, answers: { 200: shown } },
    { ...change, id: 'wing.things.moveThing', method: 'PATCH' as const, answers: { 200: shown } },
    list,
  ];
  const { paths, components } = openApiDocument({ ...INPUT, operations }) as typeof document;
  const { patch } = paths['/things/{shelf}/{id}'];
  assert.deepEqual(patch.parameters[0], { $ref: '#/components/parameters/Shelf' });
  assert.equal(components.parameters.Shelf.description, 'Where.');
  assert.deepEqual(Object.keys(components.parameters), ['Shelf', 'Id']);
  const media = patch.responses['200'].content['application/json'];
  assert.deepEqual(media.examples, { Thing: { $ref: '#/components/examples/Thing' } });
  assert.deepEqual(components.examples, { Thing: { value: { id: '1' } } });
});

test('different parameters with the same name are named after their first operation', () => {
  const [, change] = OPERATIONS;
  const said = (description: string, names: readonly string[]) =>
    names.map((name) => {
      const params = Type.Object({ shelf: Type.String({ description }), id: Type.String() });
      return { ...change, id: `things.${name}`, path: `/${name}/{shelf}/{id}`, params };
    });
  const operations = [...said('Of wood.', ['plane', 'saw']), ...said('Of iron.', ['forge', 'cast'])];
  const { components } = openApiDocument({ ...INPUT, operations }) as typeof document;
  assert.deepEqual(Object.keys(components.parameters), ['PlaneShelf', 'Id', 'ForgeShelf']);
});

test('alias paths and tags without operations are omitted', () => {
  assert.deepEqual(Object.keys(document.paths), ['/things', '/things/{shelf}/{id}']);
  assert.deepEqual(document.tags, [{ name: 'things', description: 'Things.' }]);
});

test('the rendered YAML equals the document and is deterministic', () => {
  const text = renderOpenApi(INPUT);
  assert.deepEqual(parse(text), JSON.parse(JSON.stringify(document)));
  assert.equal(renderOpenApi(INPUT), text);
});

test('the curl example omits defaults, encodes the path once and quotes for the shell', () => {
  assert.equal(curlOf(OPERATIONS[0], 'http://h'), "curl -sS 'http://h/things?search=it%E2%80%99s+%22one%22&kind=a'");
  assert.equal(
    curlOf(OPERATIONS[1], 'http://h').split(' \\\n  ')[0],
    "curl -sS -X PUT 'http://h/things/a%20b/%40one/two%253'",
  );
  assert.match(curlOf(OPERATIONS[1], 'http://h'), /-d '\{"id":"1","note":"it'\\''s"\}'$/);
});
