import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { openWorld, type World } from './world.ts';

/** Over real sockets: what a page whose name leads here would get, and what everybody else gets. */

let local: World;
let reached: World;
const ports = new Map<World, number>();
before(async () => {
  local = await openWorld();
  reached = await openWorld({
    PUBLIC_URL: 'https://capstan.example',
    CAPSTAN_ALLOWED_HOSTS: 'capstan.internal',
    CAPSTAN_SECRET_KEY: randomBytes(32).toString('base64'),
    CAPSTAN_METRICS_TOKEN: 'metrics-token-of-this-test',
  });
  for (const world of [local, reached]) ports.set(world, (await world.listen()).port);
});
after(() => Promise.all([local.close(), reached.close()]));

const raw = (world: World, lines: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(ports.get(world) as number, '127.0.0.1', () =>
      socket.write(`${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });

const statusOf = (answer: string): number => Number(answer.split(' ', 2)[1]);

const ASKED = [
  ['GET / HTTP/1.1', 'accept: text/html'],
  ['GET /api/marketplace/registry HTTP/1.1'],
  ['GET /registry HTTP/1.1', 'accept: text/html'],
  ['GET /nowhere HTTP/1.1'],
  ['OPTIONS /api/auth/session HTTP/1.1', 'origin: http://evil.example'],
  ['POST /mcp/jsonrpc HTTP/1.1', 'content-type: application/json', 'content-length: 0'],
  ['POST /api/auth/google/start HTTP/1.1', 'content-length: 0'],
];

for (const [line, ...headers] of ASKED)
  test(`421: ${line} with another host name`, async () => {
    for (const host of ['evil.example', 'evil.example:8080', 'localhost.evil.example'])
      for (const world of [local, reached]) {
        const answer = await raw(world, [line as string, `host: ${host}`, ...headers]);
        assert.equal(statusOf(answer), 421, answer);
        assert.match(answer, /"code":"http\.misdirected_request"/);
      }
  });

test('accepts its own names, IP addresses and HTTP/1.0 requests without a Host header', async () => {
  const path = '/api/marketplace/registry/stats';
  for (const host of ['127.0.0.1', 'localhost:8080', '[::1]', '10.9.8.7:80'])
    assert.notEqual(statusOf(await raw(local, [`GET ${path} HTTP/1.1`, `host: ${host}`])), 421, host);
  for (const host of ['capstan.example', 'capstan.example:443', 'capstan.internal:8080', 'pod-1.capstan.internal'])
    assert.notEqual(statusOf(await raw(reached, [`GET ${path} HTTP/1.1`, `host: ${host}`])), 421, host);
  assert.notEqual(statusOf(await raw(reached, [`GET ${path} HTTP/1.0`])), 421);
});

test('/healthz accepts any host name, and /metrics any with its token', async () => {
  for (const world of [local, reached])
    assert.equal(statusOf(await raw(world, ['GET /healthz HTTP/1.1', 'host: capstan-1:8080'])), 200);
  const token = 'authorization: Bearer metrics-token-of-this-test';
  assert.equal(statusOf(await raw(reached, ['GET /metrics HTTP/1.1', 'host: capstan-1:8080', token])), 200);
  assert.equal(statusOf(await raw(reached, ['GET /metrics HTTP/1.1', 'host: capstan-1:8080'])), 401);
  assert.equal(statusOf(await raw(local, ['GET /metrics HTTP/1.1', 'host: evil.example'])), 403);
});

test('every response has HSTS if PUBLIC_URL is https, otherwise none has it', async () => {
  const host = 'host: capstan.example';
  const hsts = /\r\nstrict-transport-security: max-age=31536000\r\n/i;
  const asked: [number, string[]][] = [
    [200, ['GET /healthz HTTP/1.1', host]],
    [200, ['GET /api HTTP/1.1', host]],
    [200, ['GET /api HTTP/1.1', host]],
    [200, ['GET / HTTP/1.1', host, 'accept: text/html']],
    [404, ['GET /nowhere HTTP/1.1', host]],
    [404, ['GET /nowhere HTTP/1.1', host, 'accept: text/html']],
    [405, ['DELETE /api HTTP/1.1', host]],
    [204, ['OPTIONS /api HTTP/1.1', host]],
    [400, ['GET /api/marketplace/registry?x=1 HTTP/1.1', host]],
    [414, [`GET /${'x'.repeat(9_000)} HTTP/1.1`, host]],
    [421, ['GET /api HTTP/1.1', 'host: evil.example']],
    [400, ['GET /api HTTP/1.1']],
    [431, ['GET /api HTTP/1.1', host, `x: ${'y'.repeat(20_000)}`]],
    [400, ['NONSENSE']],
    [200, ['GET /api/marketplace/registry/export HTTP/1.1', host]],
  ];
  for (const [status, lines] of asked) {
    const line = `${lines[0]}`;
    const answer = await raw(reached, lines);
    assert.equal(statusOf(answer), status, `${line.slice(0, 60)}: ${answer.slice(0, 300)}`);
    assert.match(answer, hsts, line);
    assert.equal(answer.match(/strict-transport-security/gi)?.length, 1, line);
    assert.doesNotMatch(await raw(local, lines), hsts);
  }
});
