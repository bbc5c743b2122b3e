import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { Type } from '#core/json-schema/type.ts';
import { createLog } from '#core/log.ts';
import { until } from '#test/until.ts';
import { MAX_WAITING_REQUESTS } from './connections.ts';
import { inProcess } from './in-process.ts';
import { type Handler, json, type OperationBase, operation } from './operation.ts';
import { createServer, type ServerOptions } from './server.ts';

const common = {
  summary: 'x',
  description: 'x x',
  access: 'public',
  answers: { 200: { description: 'x', content: {} } },
  problems: [],
} as const;

const params = Type.Object({ id: Type.String() });
const THING = operation({ ...common, id: 'x.getThing', method: 'GET', path: '/things/{id}', params });
const BODY = Type.Object({ text: Type.String() });
const ECHO = operation({ ...common, id: 'x.createThing', method: 'POST', path: '/things', body: BODY });

async function open(bound: { operation: OperationBase; handler: Handler }[], more: Partial<ServerOptions> = {}) {
  const server = createServer({ operations: bound, log: createLog('silent'), onAnswer: () => {}, ...more });
  const { port } = await server.listen('127.0.0.1', 0);
  const sockets: Socket[] = [];
  return {
    port,
    server,
    client: () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      return socket;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await server.close(0);
    },
  };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;
function post(text: string): string {
  const body = JSON.stringify({ text });
  return `POST /things HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

test('pipelined requests are answered in order, one at a time', async () => {
  let atWork = 0;
  let most = 0;
  const handler: Handler = async ({ params: given }) => {
    most = Math.max(most, ++atWork);
    await new Promise(setImmediate);
    atWork -= 1;
    return json(given);
  };
  const { client, close } = await open([
    { operation: THING, handler },
    { operation: ECHO, handler: ({ body }) => json(body) },
  ]);
  const socket = client();
  let said = '';
  socket.on('data', (chunk) => (said += chunk));
  const long = 'x'.repeat(200_000);
  socket.write(
    [...Array.from({ length: 50 }, (_, at) => get(`/things/${at}`)), post(long), get('/things/last')].join(''),
  );
  await until('the last answer', () => said.includes('"id":"last"'));
  assert.deepEqual(
    [...said.matchAll(/\{"id":"(\w+)"\}/g)].map(([, id]) => id),
    [...Array.from({ length: 50 }, (_, at) => `${at}`), 'last'],
  );
  assert.ok(said.includes(long));
  assert.equal(most, 1);
  await close();
});

test('a connection with too many pipelined requests is closed, and only the first one runs', async () => {
  let begun = 0;
  const held = Promise.withResolvers<void>();
  const handler: Handler = async () => {
    begun += 1;
    await held.promise;
    return json({});
  };
  const { client, close } = await open([{ operation: THING, handler }]);
  const socket = client();
  const closed = once(socket, 'close');
  socket.write(get('/things/1').repeat(MAX_WAITING_REQUESTS + 2));
  await closed;
  assert.equal(begun, 1);
  const other = client();
  other.write(get('/things/1'));
  held.resolve();
  const [answer] = await once(other, 'data');
  assert.match(`${answer}`, /^HTTP\/1\.1 200/);
  await close();
});

/** More than the buffers of both ends of a loopback connection. */
const LARGE = Buffer.alloc(64 * 2 ** 20, 'x');

test('a client that stops reading is disconnected, and its stream is ended', async () => {
  const ended: string[] = [];
  let streamed = 0;
  async function* chunks() {
    try {
      for (;;) {
        streamed += 1;
        yield LARGE.subarray(0, 65_536);
      }
    } finally {
      ended.push('stream');
    }
  }
  const handler: Handler = ({ params: { id }, signal }) => {
    signal.addEventListener('abort', () => ended.push('answer'));
    return { media_type: 'application/octet-stream', body: id === 'stream' ? chunks() : LARGE };
  };
  const { client, close } = await open([{ operation: THING, handler }], { send_timeout_ms: 200 });
  for (const id of ['stream', 'whole']) {
    const socket = client().pause();
    socket.write(get(`/things/${id}`));
  }
  await until('both have ended', () => ended.filter((what) => what === 'answer').length === 2);
  assert.ok(ended.includes('stream'));
  // The buffers of the connection limit it, not how much the source produces in that time.
  assert.ok(streamed < 1_000, `${streamed} chunks were taken`);
  await close();
});

test('a slow handler is not cut off by the send timeout', async () => {
  const [begun, cut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const handler: Handler = async ({ params: { id }, signal }) => {
    if (id === 'unread') {
      signal.addEventListener('abort', () => cut.resolve());
      return { media_type: 'application/octet-stream', body: LARGE };
    }
    begun.resolve();
    await cut.promise;
    return json({ done: true });
  };
  const { client, port, close } = await open([{ operation: THING, handler }], { send_timeout_ms: 100 });
  const answering = fetch(`http://127.0.0.1:${port}/things/slow`);
  await begun.promise;
  // This one begins later and is cut for its silence, while the other is still being made.
  client().pause().write(get('/things/unread'));
  assert.deepEqual(await (await answering).json(), { done: true });
  await close();
});

test('429 and 503: limits concurrent responses of an operation, and releases their slots', async () => {
  const release = Promise.withResolvers<void>();
  async function* slow() {
    yield 'first\n';
    await release.promise;
  }
  const stream = operation({ ...THING, id: 'x.exportThings', at_once: { per_network: 2, in_all: 3 } });
  const handler: Handler = () => ({ media_type: 'text/plain', body: slow() });
  const { port, server, close } = await open([{ operation: stream, handler }], { trusted_proxies: ['127.0.0.1'] });
  const ask = (from: string) =>
    fetch(`http://127.0.0.1:${port}/things/1`, { headers: { 'x-forwarded-for': from, 'accept-encoding': 'identity' } });
  const openOnes = [await ask('192.0.2.1'), await ask('192.0.2.1')];
  const refused = await ask('192.0.2.1');
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '10');
  assert.equal(((await refused.json()) as { code: string }).code, 'http.limit_exceeded');
  openOnes.push(await ask('2001:db8::1'));
  const full = await ask('192.0.2.9');
  assert.deepEqual([full.status, ((await full.json()) as { code: string }).code], [503, 'http.unavailable']);
  release.resolve();
  for (const answer of openOnes) assert.equal(await answer.text(), 'first\n');
  for (let times = 0; times < 5; times++) {
    assert.equal(await (await ask('192.0.2.1')).text(), 'first\n');
    assert.equal((await inProcess(server.fastify, '/things/1')).status, 200);
  }
  await close();
});
