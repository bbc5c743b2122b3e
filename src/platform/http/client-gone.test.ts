import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from '../json-schema/type.ts';
import { createLog } from '../log.ts';
import { operation } from './operation.ts';
import { createServer } from './server.ts';

const about = { summary: 'x', description: 'x x', access: 'public', problems: [] } as const;
const answers = { 200: { description: 'x', content: {} } };

test('events reach a client one by one, packed by nothing, and end when it has gone', async () => {
  const watch = operation({
    ...{ ...about, answers, id: 'x.watchThing', method: 'GET', path: '/events/{id}' },
    params: Type.Object({ id: Type.String() }),
  });
  const gone: AbortSignal[] = [];
  const server = createServer({
    log: createLog('silent'),
    onAnswer: () => {},
    operations: [
      {
        operation: watch,
        handler: async (input) => {
          // As a guard does that asks the database: by now the request itself has closed.
          await sleep(20);
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
  for (const deadline = Date.now() + 2_000; gone[0]?.aborted !== true; await sleep(5))
    assert.ok(Date.now() < deadline, 'nobody was told that the client has gone');
  await server.close(0);
});
