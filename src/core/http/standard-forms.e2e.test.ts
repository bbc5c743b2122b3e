import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Type } from '#core/json-schema/type.ts';
import { createLog } from '#core/log.ts';
import { Problem } from '#core/problem/problem.ts';
import type { Caller } from './caller.ts';
import { type Handler, json, type OperationBase, operation } from './operation.ts';
import { createServer, type HttpServer } from './server.ts';

/** Operations defined by an external standard: their bodies, errors, origins and optional credentials. */

const answers = { 200: { description: 'x', content: {} } };
const common = { summary: 'x', description: 'x x', access: 'public', answers, problems: [] } as const;

const OPERATIONS: { operation: OperationBase; handler: Handler }[] = [
  {
    operation: operation({
      ...common,
      id: 'x.createToken',
      method: 'POST',
      path: '/token',
      reads: 'form',
      error_form: 'oauth',
      any_origin: true,
      body: Type.Object({ code: Type.String({ minLength: 2 }) }),
    }),
    handler: ({ body }) => {
      if ((body as { code: string }).code !== 'good')
        throw new Problem('invalid_request', 'x.bad_code', 'No client’s "such" code: 東.', {
          extensions: { oauth_error: 'invalid_grant' },
        });
      return json(body);
    },
  },
  {
    operation: operation({
      ...common,
      id: 'x.listServers',
      method: 'GET',
      path: '/servers',
      error_form: 'registry',
      query: Type.Object({ limit: Type.Optional(Type.Integer()) }),
    }),
    handler: () => {
      throw new Problem('not_found', 'x.none', 'There is none.');
    },
  },
  {
    operation: operation({
      ...common,
      id: 'x.createMessage',
      method: 'POST',
      path: '/messages',
      access: 'optional',
      reads: 'text',
      scope: 'read',
      body: Type.Unknown(),
    }),
    handler: ({ body, caller }) => json({ body, user: caller?.user_id ?? null }),
  },
];

const guard = {
  admit: async (_operation: OperationBase, { authorization }: Record<string, unknown>) => {
    if (authorization !== 'Bearer good') throw new Problem('unauthenticated', 'x.token', 'A bad token.');
    return { user_id: 'u1' } as Caller;
  },
  stepUp: async () => {},
};

let server: HttpServer;
let base = '';
before(async () => {
  const gates = { guard, limiter: { has: () => false, take: async () => ({}) }, replays: {} as never };
  server = createServer({ operations: OPERATIONS, gates, log: createLog('fatal'), onAnswer: () => {} });
  base = `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`;
});
after(() => server.close(0));

const FORM = 'application/x-www-form-urlencoded';
const post = (path: string, body: string, type: string, headers: Record<string, string> = {}) =>
  fetch(base + path, { method: 'POST', body, headers: { 'content-type': type, ...headers } });

test('a form operation reads each field and rejects repeated fields, an empty body and JSON', async () => {
  assert.deepEqual(await (await post('/token', 'code=good', FORM)).json(), { code: 'good' });
  for (const [body, type] of [
    ['code=good&code=good', FORM],
    ['', FORM],
    ['{"code":"good"}', 'application/json'],
  ] as const) {
    const answer = await post('/token', body, type);
    assert.equal(answer.headers.get('content-type'), 'application/json');
    assert.equal(((await answer.json()) as { error: string }).error, 'invalid_request');
  }
});

test('an operation with its own error format uses it for all errors', async () => {
  const refused = await post('/token', 'code=bad', FORM);
  assert.equal(refused.status, 400);
  const body = { error: 'invalid_grant', error_description: "No client's 'such' code: ?." };
  assert.deepEqual(await refused.json(), body);
  const missing = await fetch(`${base}/servers`);
  assert.equal(missing.status, 404);
  assert.deepEqual(await missing.json(), { error: 'There is none.' });
  assert.match(((await (await fetch(`${base}/servers?limit=x`)).json()) as { error: string }).error, /limit/);
});

test('an operation with any_origin can be called from pages of any origin', async () => {
  const headers = { origin: 'https://page.example', 'access-control-request-method': 'POST' };
  const preflight = await fetch(`${base}/token`, { method: 'OPTIONS', headers });
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
  const good = await post('/token', 'code=good', FORM, { origin: 'https://page.example' });
  assert.equal(good.headers.get('access-control-allow-origin'), '*');
  assert.equal(good.headers.get('cache-control'), 'no-store');
  assert.equal((await post('/token', 'x', FORM)).headers.get('access-control-allow-origin'), '*');
});

test('a text body is passed unchanged, and an optional token is verified if sent', async () => {
  const plain = await post('/messages', '{not json', 'text/plain');
  assert.deepEqual(await plain.json(), { body: '{not json', user: null });
  const known = await post('/messages', '[]', 'text/plain', { authorization: 'Bearer good' });
  assert.deepEqual(await known.json(), { body: '[]', user: 'u1' });
  assert.equal((await post('/messages', '[]', 'text/plain', { authorization: 'Bearer bad' })).status, 401);
});
