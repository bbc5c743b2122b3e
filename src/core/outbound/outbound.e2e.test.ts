import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { seriesOf } from '#test/series.ts';
import { instrumentedOutbound } from './instrumented.ts';
import { createOutbound } from './outbound.ts';

const servers: Server[] = [];
const outbound = createOutbound({ allow_loopback: true, user_agent: 'capstan-test', timeout_ms: 5_000 });
after(async () => {
  await outbound.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

test('fetch() returns status, headers, URL and decoded body', async () => {
  const base = await serve((request, response) => {
    response.setHeader('content-encoding', 'gzip').setHeader('x-agent', request.headers['user-agent'] ?? '');
    response.end(gzipSync('hello'));
  });
  const response = await outbound.fetch(`${base}/a`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('x-agent'), 'capstan-test');
  assert.equal(response.headers.get('content-encoding'), null);
  assert.equal(response.url, `${base}/a`);
  assert.equal(await response.text(), 'hello');
});

test('outbound requests are counted by result, never by address', async () => {
  const base = await serve((request, response) => response.writeHead(request.url?.startsWith('/b') ? 404 : 200).end());
  const registry = new Registry();
  const counted = instrumentedOutbound(outbound, registry);
  await counted.fetch(`${base}/a`);
  await counted.fetch(`${base}/b?key=secret`);
  await assert.rejects(counted.fetch('http://10.0.0.1/'));
  await assert.rejects(counted.fetch(base, { signal: AbortSignal.abort() }));
  assert.deepEqual(await seriesOf(registry, 'capstan_outbound_seconds_count'), [
    'capstan_outbound_seconds_count{outcome="2xx"} 1',
    'capstan_outbound_seconds_count{outcome="4xx"} 1',
    'capstan_outbound_seconds_count{outcome="blocked"} 1',
    'capstan_outbound_seconds_count{outcome="given_up"} 1',
  ]);
});

test('nothing is sent to loopback in production, however the address is written', async () => {
  let hits = 0;
  const base = await serve((_request, response) => {
    hits++;
    response.end();
  });
  const port = new URL(base).port;
  const strict = createOutbound({
    allow_loopback: false,
    user_agent: 'capstan-test',
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'inside.example',
  ]) {
    for (const scheme of ['http', 'https']) {
      await assert.rejects(strict.fetch(`${scheme}://${host}:${port}/`), {
        code: 'outbound.failed',
        reason: 'blocked',
      });
    }
  }
  await strict.close();
  assert.equal(hits, 0);
});

test('a redirect to a forbidden address is not followed', async () => {
  const base = await serve((_request, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
  });
  await assert.rejects(outbound.fetch(base), { code: 'outbound.failed', reason: 'blocked' });
});

test('five redirects are followed, a sixth is refused', async () => {
  const base = await serve((request, response) => {
    const left = Number(new URL(request.url ?? '', 'http://x').searchParams.get('left'));
    if (left === 0) response.end('there');
    else response.writeHead(307, { location: `/?left=${left - 1}` }).end();
  });
  assert.equal(await (await outbound.fetch(`${base}/?left=5`)).text(), 'there');
  await assert.rejects(outbound.fetch(`${base}/?left=6`), { code: 'outbound.failed', reason: 'redirect' });
});

test('credentials and bodies are not sent to another origin', async () => {
  const seen: IncomingMessage[] = [];
  const other = await serve((request, response) => {
    seen.push(request);
    response.end();
  });
  const base = await serve((request, response) => {
    seen.push(request);
    const status = Number(request.url?.slice(1));
    response.writeHead(status, { location: status === 308 ? `${other}/` : `${other}/${status}` }).end();
  });
  const headers = { authorization: 'Bearer secret', 'x-api-key': 'secret', cookie: 'a=b', accept: 'text/plain' };
  await outbound.fetch(`${base}/302`, { headers });
  assert.equal(seen[0]?.headers.authorization, 'Bearer secret');
  assert.equal(seen[1]?.headers.accept, 'text/plain');
  assert.doesNotMatch(JSON.stringify(seen[1]?.headers), /secret|a=b/);
  await assert.rejects(outbound.fetch(`${base}/308`, { method: 'POST', body: 'secret' }), {
    code: 'outbound.failed',
  });
  assert.equal(seen.length, 3);
  await outbound.fetch(`${base}/303`, { method: 'POST', body: 'secret' });
  assert.equal(seen[4]?.method, 'GET');
});

test('the timeout covers the whole response, including a slow body', async () => {
  const base = await serve((_request, response) => {
    response.write('a');
  });
  const response = await outbound.fetch(base, { timeout_ms: 150 });
  await assert.rejects(response.text(), { code: 'outbound.timeout', kind: 'upstream_timeout' });
  await assert.rejects(outbound.fetch(await serve(() => {}), { timeout_ms: 100 }), { code: 'outbound.timeout' });
});

test('a body over the limit is refused, whether announced, streamed or compressed', async () => {
  const megabyte = Buffer.alloc(1024 * 1024);
  const bombs: RequestListener[] = [
    (_request, response) => response.writeHead(200, { 'content-length': 9_000_000 }).end(megabyte),
    (_request, response) => {
      for (let n = 0; n < 9; n++) response.write(megabyte);
      response.end();
    },
    (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5e7))),
    (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('small'))),
    (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(Buffer.alloc(5e6))),
  ];
  for (const bomb of bombs) {
    const read = outbound.fetch(await serve(bomb), { max_bytes: 1_500_000 }).then((response) => response.text());
    await assert.rejects(read, { code: 'outbound.failed', reason: 'too_large' });
  }
});

test('a lost connection, a closed port and an unknown host name are reported', async () => {
  const cut = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('half', () => response.destroy());
  });
  await assert.rejects(
    outbound.fetch(cut).then((response) => response.text()),
    { code: 'outbound.failed', reason: 'cut_off' },
  );
  await assert.rejects(outbound.fetch('http://127.0.0.1:1/'), { code: 'outbound.failed', reason: 'unreachable' });
  const nameless = createOutbound({ allow_loopback: true, user_agent: 'x', resolve: async () => [] });
  await assert.rejects(nameless.fetch('https://nowhere.example/'), { code: 'outbound.failed', reason: 'unreachable' });
  await nameless.close();
  await assert.rejects(outbound.fetch('no address'), { code: 'outbound.failed', reason: 'unreachable' });
});

test("an abort ends the request with the caller's reason", async () => {
  const base = await serve((_request, response) => {
    response.write('a');
  });
  const controller = new AbortController();
  const response = await outbound.fetch(base, { signal: controller.signal });
  const reading = response.text();
  controller.abort(new Error('enough'));
  await assert.rejects(reading, { message: 'enough' });
  await assert.rejects(outbound.fetch(base, { signal: controller.signal }), { message: 'enough' });
});

test('a response with an invalid status closes its connection', async () => {
  const closed: Promise<void>[] = [];
  const server = createTcpServer((socket) => {
    closed.push(new Promise((resolve) => socket.once('close', () => resolve())));
    socket.on('error', () => {});
    socket.once('data', () => socket.write('HTTP/1.1 999 Odd\r\n\r\nand on')).resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await assert.rejects(outbound.fetch(`http://127.0.0.1:${port}/`), { code: 'outbound.failed', reason: 'unreachable' });
  await Promise.all(closed);
  server.close();
});

test('proxy variables of the environment are ignored', async () => {
  let proxied = 0;
  const proxy = await serve((_request, response) => {
    proxied++;
    response.end('by the proxy');
  });
  const base = await serve((_request, response) => response.end('direct'));
  const program = `
    import { createOutbound } from ${JSON.stringify(new URL('./outbound.ts', import.meta.url))};
    const outbound = createOutbound({ allow_loopback: true, user_agent: 'x' });
    process.stdout.write(await (await outbound.fetch(${JSON.stringify(base)})).text());
    await outbound.close();`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  const env = { ...Object.fromEntries(names.map((name) => [name, proxy])), NODE_USE_ENV_PROXY: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env });
  assert.deepEqual([stdout, proxied], ['direct', 0]);
});
