import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Type } from '#core/json-schema/type.ts';
import { createLog } from '#core/log.ts';
import { Problem } from '#core/problem/problem.ts';
import { type Handler, json, type OperationBase, operation } from './operation.ts';
import { createServer, type HttpServer } from './server.ts';

const answers = { 200: { description: 'x', content: {} } };
const common = { summary: 'x', description: 'x x', access: 'public', answers, problems: [] } as const;
const LONG = 'word '.repeat(2_000);

const OPERATIONS: { operation: OperationBase; handler: Handler }[] = [
  {
    operation: operation({
      ...common,
      id: 'x.listThings',
      method: 'GET',
      path: '/things',
      query: Type.Object({
        limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
        q: Type.Optional(Type.String()),
      }),
    }),
    handler: ({ query }) => json({ query, text: LONG }),
  },
  {
    operation: operation({
      ...common,
      id: 'x.getThing',
      method: 'GET',
      path: '/things/{kind}/{id}',
      wildcard: 'id',
      params: Type.Object({ kind: Type.String(), id: Type.String() }),
    }),
    handler: ({ params }) => json(params),
  },
  {
    operation: operation({
      ...common,
      id: 'x.createThing',
      method: 'POST',
      path: '/things',
      body: Type.Object({ name: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
    }),
    handler: ({ body }) => json(body, { status: 201 }),
  },
  {
    operation: operation({ ...common, id: 'x.getBug', method: 'GET', path: '/bug' }),
    handler: () => {
      throw new Error('secret detail of the inside');
    },
  },
  {
    operation: operation({ ...common, id: 'x.getGone', method: 'GET', path: '/gone' }),
    handler: () => {
      throw new Problem('gone', 'x.gone', 'It was here.', { extensions: { tombstone: { id: 1 } } });
    },
  },
];

let server: HttpServer;
let base = '';
const logged: string[] = [];
before(async () => {
  const log = createLog('error', { write: (line) => logged.push(line) });
  server = createServer({ operations: OPERATIONS, log, onAnswer: () => {} });
  const { port } = await server.listen('127.0.0.1', 0);
  base = `http://127.0.0.1:${port}`;
});
after(() => server.close(0));

async function problemOf(response: Response) {
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  const body = (await response.json()) as Record<string, unknown>;
  assert.equal(body.status, response.status);
  assert.equal(body.type, `/docs/errors/${body.code}`);
  assert.equal(body.request_id, response.headers.get('x-request-id'));
  return body;
}

test('200: fills in defaults, parses numbers, and adds a request id and security headers', async () => {
  const response = await fetch(`${base}/things?q=a%20b`);
  assert.deepEqual(((await response.json()) as { query: unknown }).query, { q: 'a b', limit: 50 });
  assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
});

for (const [query, pointer] of [
  ['limit=0', '/limit'],
  ['limit=201', '/limit'],
  ['limit=1e1', '/limit'],
  ['limit=', '/limit'],
  ['limit=5&limit=6', '/limit'],
  ['colour=red', '/colour'],
] as const)
  test(`400: ?${query} is reported as an error at ${pointer}`, async () => {
    const response = await fetch(`${base}/things?${query}`);
    assert.equal(response.status, 400);
    const body = await problemOf(response);
    assert.deepEqual([body.code, body.reason], ['http.invalid', 'input']);
    assert.deepEqual(
      (body.errors as { pointer: string }[]).map((error) => error.pointer),
      [pointer],
    );
  });

test('400: lists the allowed names for an unknown parameter', async () => {
  const body = await problemOf(await fetch(`${base}/things?colour=red`));
  assert.match(String(body.detail), /allowed are limit, q/);
});

test('400: the response to an invalid query is not much longer than the request', async () => {
  for (const query of ['a=1&'.repeat(99), `${'x'.repeat(8_000)}=1`, 'limit=x&'.repeat(90), 'a=1&'.repeat(2_000)]) {
    const response = await fetch(`${base}/things?${query}`);
    assert.equal(response.status, 400);
    const body = await response.text();
    assert.ok(body.length < query.length + 3_000, `${body.length} bytes for ${query.slice(0, 10)}`);
    assert.ok((JSON.parse(body).errors ?? []).length <= 20);
  }
  const body = await problemOf(await fetch(`${base}/things?${'a=1&'.repeat(50)}`));
  assert.match(String(body.detail), /; and 47 more\.$/);
});

test('414: the URL is longer than 8,192 characters', async () => {
  for (const url of [`/things?q=${'a'.repeat(8_190)}`, `/things/k/${'a'.repeat(8_190)}`, `/${'a'.repeat(8_192)}`]) {
    const response = await fetch(`${base}${url}`);
    assert.equal(response.status, 414);
    assert.equal((await problemOf(response)).code, 'http.url_too_long');
  }
  assert.equal((await fetch(`${base}/things/k/${'a'.repeat(8_000)}`)).status, 200);
});

for (const [path, expected] of [
  ['a%2Fb', 'a/b'],
  ['a/b', 'a/b'],
  ['a%252Fb', 'a%2Fb'],
  ['%40x%2F%C3%A9', '@x/é'],
  ['a//b/', 'a//b/'],
] as const)
  test(`200: the path ${path} is decoded once to ${expected}`, async () => {
    assert.deepEqual(await (await fetch(`${base}/things/k/${path}`)).json(), { kind: 'k', id: expected });
  });

test('400: the path contains a malformed escape', async () => {
  const response = await fetch(`${base}/things/k/%E0%A4%A`);
  assert.equal(response.status, 400);
  assert.equal((await problemOf(response)).code, 'http.invalid');
});

test('304: If-None-Match accepts the ETag of every encoding', async () => {
  for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
    const first = await fetch(`${base}/things`, { headers: { 'accept-encoding': encoding } });
    await first.arrayBuffer();
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${base}/things`, { headers: { 'if-none-match': `"other", W/${etag}` } });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), '');
  }
});

test('gzip, br and zstd responses decompress to the same text', async () => {
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
  for (const [encoding, decode] of Object.entries(unpack)) {
    const { rawPayload, headers } = await server.fastify.inject({
      url: '/things',
      headers: { 'accept-encoding': encoding },
    });
    assert.equal(headers['content-encoding'], encoding);
    assert.match(String(headers.vary), /accept-encoding/);
    assert.equal(JSON.parse(decode(rawPayload).toString()).text, LONG);
    assert.ok(rawPayload.length < LONG.length / 4);
  }
});

test('HEAD returns the headers only', async () => {
  const response = await fetch(`${base}/things`, { method: 'HEAD' });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), '');
});

test('404 for an unknown path, 405 with Allow for a known one, 204 for a preflight', async () => {
  assert.equal((await problemOf(await fetch(`${base}/nothing`))).code, 'http.not_found');
  const wrong = await fetch(`${base}/things`, { method: 'DELETE' });
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'GET, POST, HEAD, OPTIONS');
  const preflight = await fetch(`${base}/things`, { method: 'OPTIONS' });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
});

const post = (body: string, type = 'application/json') =>
  fetch(`${base}/things`, { method: 'POST', body, headers: { 'content-type': type } });

test('415: rejects an invalid Content-Type on any method and path', async () => {
  logged.length = 0;
  for (const [method, path] of [
    ['POST', '/things'],
    ['OPTIONS', '/things'],
    ['DELETE', '/things'],
    ['POST', '/nothing'],
  ] as const) {
    const response = await fetch(`${base}${path}`, { method, headers: { 'content-type': 'gzip' } });
    assert.equal(response.status, 415);
    assert.equal((await problemOf(response)).code, 'http.unsupported_media_type');
  }
  assert.deepEqual(logged, []);
});

test('request bodies: 201, 400 with the pointer, 413 and 415', async () => {
  assert.equal((await post('{"name":"a"}')).status, 201);
  assert.equal((await problemOf(await post('{"name":'))).code, 'http.invalid');
  const wrong = await problemOf(await post('{"name":"","x":1}'));
  assert.deepEqual((wrong.errors as { pointer: string }[]).map((error) => error.pointer).sort(), ['', '/name']);
  assert.equal((await post('a', 'text/plain')).status, 415);
  assert.equal((await post(`{"name":"${'a'.repeat(1_100_000)}"}`)).status, 413);
});

test('500: an unexpected error is logged once, and the response reveals nothing about it', async () => {
  logged.length = 0;
  const response = await fetch(`${base}/bug`);
  const text = await response.text();
  assert.equal(response.status, 500);
  assert.doesNotMatch(text, /secret detail/);
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? '', /secret detail of the inside/);
});

test('410: the response includes the additional members of the problem', async () => {
  const body = await problemOf(await fetch(`${base}/gone`));
  assert.deepEqual(body.tombstone, { id: 1 });
});

const raw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });

test('malformed HTTP requests get problem+json responses too', async () => {
  assert.match(await raw('NONSENSE\r\n\r\n'), /^HTTP\/1\.1 400 .*application\/problem\+json.*http\.invalid/s);
  assert.match(
    await raw(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`),
    /^HTTP\/1\.1 431 .*http\.headers_too_large/s,
  );
  for (const hosts of ['', 'Host: a\r\nhost: b\r\n'])
    assert.match(await raw(`GET / HTTP/1.1\r\n${hosts}\r\n`), /^HTTP\/1\.1 400 .*must have exactly one Host header/s);
  const close = 'Host: a\r\nConnection: close\r\n';
  assert.match(await raw(`QUERY / HTTP/1.1\r\n${close}\r\n`), /^HTTP\/1\.1 415 .*http\.unsupported_media_type/s);
});
