import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCors, OPEN_TO_ALL } from './cors.ts';
import { type OperationBase, operation } from './operation.ts';

const APP = 'https://app.example';
const cors = createCors([APP]);
const some = (method: OperationBase['method'], access: OperationBase['access']) =>
  operation({ id: 'x.x', method, path: '/x', summary: '', description: '', access, answers: {}, problems: [] });

const list = some('GET', 'public');
const create = some('POST', 'jwt');
const search = some('POST', 'public');

const ask = (operations: OperationBase[], origin: string | undefined, method?: string) =>
  cors.preflight(operations, { origin, 'access-control-request-method': method });

test('every origin can read public GETs', () => {
  for (const origin of [APP, 'https://evil.example', 'null', undefined])
    assert.equal(cors.headersFor(true, origin), OPEN_TO_ALL);
});

test('other operations are readable only from allowed origins, with Vary: Origin', () => {
  const headers = cors.headersFor(false, APP);
  assert.equal(headers['access-control-allow-origin'], APP);
  assert.equal(headers.vary, 'Origin');
  assert.match(headers['access-control-expose-headers'] ?? '', /RateLimit, .*Retry-After/);
  for (const origin of [
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    'null',
    undefined,
  ])
    assert.deepEqual(cors.headersFor(false, origin), { vary: 'Origin' });
});

test('without allowed origins, responses do not vary by origin', () => {
  const closed = createCors([]);
  assert.deepEqual(closed.headersFor(false, APP), {});
  assert.deepEqual(closed.preflight([create], { origin: APP, 'access-control-request-method': 'POST' }), {});
});

test('a preflight from an allowed origin gets all methods of the path and our request headers', () => {
  const headers = ask([list, create], APP, 'POST');
  assert.equal(headers['access-control-allow-origin'], APP);
  assert.equal(headers['access-control-allow-methods'], 'GET, POST, HEAD, OPTIONS');
  for (const name of [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'X-Challenge-Id',
    'X-Wallet-Signature',
    'X-Request-Id',
    'Traceparent',
  ])
    assert.ok(headers['access-control-allow-headers']?.split(', ').includes(name), name);
  assert.equal(headers['access-control-max-age'], '7200');
  assert.equal(headers.vary, 'Origin');
});

test('a preflight from another origin gets only public GETs', () => {
  const headers = ask([list, create], 'https://evil.example', 'GET');
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
  assert.doesNotMatch(headers['access-control-allow-headers'] ?? '', /authorization|wallet/i);
  assert.deepEqual(ask([list, create], 'https://evil.example', 'POST'), { vary: 'Origin' });
  assert.deepEqual(ask([search], 'https://evil.example', 'POST'), { vary: 'Origin' });
  assert.deepEqual(ask([create], undefined), { vary: 'Origin' });
});

test('a public POST is limited to allowed origins', () => {
  assert.equal(ask([search], APP, 'POST')['access-control-allow-origin'], APP);
});

test('CORS headers never allow credentials', () => {
  const all = [cors.headersFor(true, APP), cors.headersFor(false, APP), ask([list, create], APP, 'POST')];
  assert.ok(all.every((entry) => !('access-control-allow-credentials' in entry)));
});
