import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsProblem } from '#accounts/errors.ts';
import { defined } from '#core/defined.ts';
import { coreProblem } from '#core/errors.ts';
import { Type } from '#core/json-schema/type.ts';
import { createLog } from '#core/log.ts';
import type { Caller } from './caller.ts';
import type { Gates, ReplayRequest } from './gates.ts';
import { inProcess } from './in-process.ts';
import { type Handler, json, type OperationBase, operation } from './operation.ts';
import { createServer } from './server.ts';

/** Tests the order of request checks with gates that only record their calls. */

const APP = 'https://app.example';
const ADA: Caller = {
  user_id: 'ada',
  tier: 'free',
  scopes: ['read', 'write'],
  is_operator: false,
  unproven_network: null,
  sign_in_id: null,
  api_key_id: null,
  signed_in_at_ms: null,
};
const some = (
  parts: Partial<OperationBase> & Pick<OperationBase, 'id' | 'method' | 'path' | 'access'>,
): OperationBase => operation({ summary: '', description: '', answers: {}, problems: [], ...parts });
const body = Type.Object({ name: Type.String() }, { additionalProperties: false });
const OPERATIONS = [
  some({ id: 'x.list', method: 'GET', path: '/things', access: 'public' }),
  some({ id: 'x.create', method: 'POST', path: '/things', access: 'jwt', creates: true, limit: 'few', body }),
  some({ id: 'x.search', method: 'POST', path: '/search', access: 'public', limit: 'few' }),
  some({
    id: 'x.get',
    method: 'GET',
    path: '/users/{id}',
    access: 'sensitive',
    own: 'id',
    params: Type.Object({ id: Type.String() }),
  }),
];

function stand(operations = OPERATIONS, trusted_proxies: string[] = []) {
  const asked: string[] = [];
  const replayed: ReplayRequest[] = [];
  const gates: Gates = {
    guard: {
      admit: async (_operation, { authorization }) => {
        asked.push('admit');
        if (authorization === 'Bearer good') return ADA;
        throw accountsProblem('auth.token_required', 'No.', {
          headers: { 'www-authenticate': 'Bearer' },
        });
      },
      stepUp: async () => void asked.push('stepUp'),
    },
    limiter: {
      has: (limit) => limit === 'few',
      take: async (limit, address) => {
        asked.push(`take ${limit} ${address}`);
        if (address === '198.51.100.66') throw coreProblem('http.limit_exceeded', 'Wait.', { reason: 'rate' });
        return { ratelimit: '"few";r=1;t=1' };
      },
    },
    replays: {
      once: async (request, run) => {
        replayed.push(request);
        return run();
      },
    },
  };
  const handler: Handler = ({ address }) => json({ address }, { headers: { vary: 'x-thing' } });
  const server = createServer({
    gates,
    trusted_proxies,
    log: createLog('silent'),
    onAnswer: () => {},
    allowed_origins: [APP],
    operations: operations.map((operationBase) => ({ operation: operationBase, handler })),
  });
  const ask = (method: string, path: string, headers: Record<string, string> = {}, sent?: string) =>
    inProcess(server.fastify, path, { method, headers, ...defined({ body: sent }) });
  return { ask, asked, replayed };
}

const GOOD = { authorization: 'Bearer good', 'content-type': 'application/json' };

test('a request is checked against its limit first, then its caller, and the response has the limit headers', async () => {
  const { ask, asked, replayed } = stand();
  const answer = await ask('POST', '/things', GOOD, '{"name":"a"}');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('ratelimit'), '"few";r=1;t=1');
  assert.deepEqual(asked, ['take few 127.0.0.1', 'admit', 'stepUp']);
  assert.deepEqual(replayed, []);
});

test('an invalid request consumes neither a signature nor an idempotency key', async () => {
  const { ask, asked, replayed } = stand();
  const answer = await ask('POST', '/things', { ...GOOD, 'idempotency-key': 'k' }, '{"nam":"a"}');
  assert.equal(answer.status, 400);
  assert.deepEqual([asked.includes('stepUp'), replayed], [false, []]);
  assert.equal((await ask('GET', '/users/bob', GOOD)).status, 403);
  assert.equal(asked.includes('stepUp'), false);
});

test('an idempotency key is bound to its owner, operation, path and body, and ignored without an owner', async () => {
  const { ask, replayed } = stand();
  await ask('POST', '/things', { ...GOOD, 'idempotency-key': 'k1' }, '{"name":"a"}');
  assert.deepEqual(replayed, [{ key: 'k1', owner: 'ada', operation: 'x.create', content: '/things?\n{"name":"a"}' }]);
  await ask('POST', '/search', { 'idempotency-key': 'k1' });
  assert.equal(replayed.length, 1, 'nobody’s key is nobody’s');
});

test("limits use the connection's address; only trusted proxies can set another one", async () => {
  const spoofed = { 'x-forwarded-for': '198.51.100.66', forwarded: 'for=198.51.100.66', 'x-real-ip': '198.51.100.66' };
  const direct = stand();
  assert.deepEqual(await (await direct.ask('POST', '/search', spoofed)).json(), { address: '127.0.0.1' });
  const proxied = stand(OPERATIONS, ['127.0.0.1']);
  assert.equal((await proxied.ask('POST', '/search', spoofed)).status, 429);
  await proxied.ask('POST', '/search', { 'x-forwarded-for': '198.51.100.66, 203.0.113.5' });
  assert.equal(proxied.asked.at(-1), 'take few 203.0.113.5');
});

test('401: cookies are not accepted as credentials', async () => {
  const { ask } = stand();
  const cookie = '__Host-session=good; token=good; authorization=Bearer good';
  for (const [method, path] of [
    ['POST', '/things'],
    ['GET', '/users/ada'],
  ] as const)
    assert.equal((await ask(method, path, { cookie, origin: APP }, method === 'POST' ? '{}' : undefined)).status, 401);
});

const cors = ({ headers }: Response) => [headers.get('access-control-allow-origin'), headers.get('vary')];

test('allowed origins can read responses and problems, other origins only public GETs', async () => {
  const { ask } = stand();
  const create = (headers: Record<string, string>) => ask('POST', '/things', headers, '{"name":"a"}');
  assert.deepEqual(cors(await create({ ...GOOD, origin: APP })), [APP, 'x-thing, Origin, accept-encoding']);
  assert.deepEqual(cors(await create({ ...GOOD, origin: 'https://evil.example' })), [
    null,
    'x-thing, Origin, accept-encoding',
  ]);
  const refused = await create({ origin: APP });
  assert.deepEqual([refused.status, ...cors(refused)], [401, APP, 'Origin']);
  assert.match(refused.headers.get('access-control-expose-headers') ?? '', /WWW-Authenticate/);
  assert.deepEqual(cors(await create({ origin: 'https://evil.example' })), [null, 'Origin']);
  assert.deepEqual(cors(await ask('POST', '/search', { origin: APP })), [APP, 'x-thing, Origin, accept-encoding']);
  assert.deepEqual(cors(await ask('POST', '/search', { origin: 'null' }))[0], null);
  for (const origin of [APP, 'https://evil.example'])
    assert.deepEqual(cors(await ask('GET', '/things', { origin })), ['*', 'x-thing, accept-encoding']);
  assert.equal(cors(await ask('GET', '/nothing', { origin: 'https://evil.example' }))[0], '*');
});

test('preflights allow the same origins as the requests', async () => {
  const { ask } = stand();
  const preflight = (path: string, origin: string, method: string) =>
    ask('OPTIONS', path, { origin, 'access-control-request-method': method });
  const allowed = await preflight('/things', APP, 'POST');
  assert.deepEqual([allowed.status, ...cors(allowed)], [204, APP, 'Origin']);
  assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /Authorization.*Idempotency-Key/);
  assert.equal(allowed.headers.get('access-control-allow-credentials'), null);
  assert.equal(cors(await preflight('/things', 'https://evil.example', 'POST'))[0], null);
  assert.equal(cors(await preflight('/things', 'https://evil.example', 'GET'))[0], '*');
  assert.equal(cors(await preflight('/users/ada', APP, 'GET'))[0], APP);
});

test('refuses to start with an operation that names an unknown limit or access class', () => {
  assert.throws(
    () => stand([some({ id: 'x.y', method: 'POST', path: '/y', access: 'jwt', limit: 'many' })]),
    /limit many/,
  );
  assert.throws(
    () => stand([some({ id: 'x.y', method: 'POST', path: '/y', access: 'open' as never })]),
    /access class/,
  );
});

test('refuses to start if two operations share a route with different checks', () => {
  const open = some({ id: 'x.open', method: 'GET', path: '/y', access: 'public' });
  const beside = (operation: Partial<OperationBase>) =>
    some({ id: 'x.beside', method: 'GET', path: '/z', access: 'public', mounted_by: 'x.open', ...operation });
  stand([open, beside({})]);
  for (const operation of [{ access: 'jwt' }, { limit: 'few' }, { mounted_by: 'x.none' }] as const)
    assert.throws(() => stand([open, beside(operation)]), /different guards/);
});
