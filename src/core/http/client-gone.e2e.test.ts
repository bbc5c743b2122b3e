import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Type } from '#core/json-schema/type.ts';
import { createLog } from '#core/log.ts';
import { until } from '#test/until.ts';
import { operation } from './operation.ts';
import { createServer } from './server.ts';

const about = { summary: 'x', description: 'x x', access: 'public', problems: [] } as const;
const params = Type.Object({ id: Type.String() });
const answers = { 200: { description: 'x', content: {} } };

test('server-sent events reach the client one by one and uncompressed, and end when it disconnects', async () => {
  const watch = operation({
    ...about,
    answers,
    id: 'x.watchThing',
    method: 'GET',
    path: '/events/{id}',
    params,
  });
  const gone: AbortSignal[] = [];
  const server = createServer({
    log: createLog('silent'),
    onAnswer: () => {},
    operations: [
      {
        operation: watch,
        handler: async (input) => {
          // Like a guard that queries the database: the request itself has closed by now.
          for (let turns = 0; turns < 20; turns++) await turn();
          return { media_type: 'text/event-stream', body: events(input) };
        },
      },
    ],
  });
  async function* events(input: { signal: AbortSignal }) {
    const { signal } = input;
    gone.push(signal);
    yield 'data: 1\n\n';
    if (!signal.aborted) await once(signal, 'abort');
  }
  const { port } = await server.listen('127.0.0.1', 0);
  const leave = new AbortController();
  const headers = { 'accept-encoding': 'gzip, br, zstd' };
  const answer = await fetch(`http://127.0.0.1:${port}/events/1`, { headers, signal: leave.signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'data: 1\n\n');
  leave.abort();
  await until('word that the client has gone', () => gone[0]?.aborted);
  await server.close(0);
});

test('a client that disconnects before the first event ends its stream and is not logged', async () => {
  const lines: string[] = [];
  const told = { asked: false, ended: false };
  const wait = operation({ ...about, answers, id: 'x.waitThing', method: 'GET', path: '/late/{id}', params });
  async function* late({ signal }: { signal: AbortSignal }) {
    try {
      told.asked = true;
      if (!signal.aborted) await once(signal, 'abort');
      yield 'data: 1\n\n';
    } finally {
      told.ended = true;
    }
  }
  const server = createServer({
    log: createLog('error', { write: (line) => void lines.push(line) }),
    onAnswer: () => {},
    operations: [{ operation: wait, handler: (input) => ({ media_type: 'text/event-stream', body: late(input) }) }],
  });
  const { port } = await server.listen('127.0.0.1', 0);
  const leave = new AbortController();
  const asked = fetch(`http://127.0.0.1:${port}/late/1`, { signal: leave.signal });
  await until('a look at the events', () => told.asked);
  leave.abort();
  await assert.rejects(asked);
  await until('an end of the events', () => told.ended);
  await server.close(0);
  assert.deepEqual(lines, []);
});
