import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Caller } from '#core/http/caller.ts';
import { type Handler, json, operation } from '#core/http/operation.ts';
import { createServer } from '#core/http/server.ts';
import { Type } from '#core/json-schema/type.ts';
import { createLog } from '#core/log.ts';
import { ALONE } from '#core/threads/threads.ts';
import { until } from '#test/until.ts';
import { createStreamLimits } from './stream-limits.ts';

const callerOf = (user_id: string): Caller => ({
  user_id,
  tier: 'free',
  scopes: ['read', 'write'],
  is_operator: false,
  unproven_network: null,
  sign_in_id: null,
  api_key_id: null,
  signed_in_at_ms: null,
});

const watch = operation({
  id: 'x.watchThings',
  method: 'GET',
  path: '/events',
  summary: 'x',
  description: 'x x',
  access: 'optional',
  query: Type.Object({ whole: Type.Optional(Type.Boolean()) }),
  problems: [],
  answers: { 200: { description: 'x', content: { 'text/event-stream': { schema: Type.String() } } } },
});

async function stand(per_user: number, per_network: number) {
  const ended: string[] = [];
  const handler: Handler<typeof watch> = ({ query, caller, signal }) => {
    if (query.whole === true) return json({});
    return { media_type: 'text/event-stream', body: events(`${caller?.user_id}`, signal) };
  };
  async function* events(who: string, signal: AbortSignal) {
    yield 'data: 1\n\n';
    if (!signal.aborted) await once(signal, 'abort');
    ended.push(who);
  }
  const server = createServer({
    log: createLog('silent'),
    onAnswer: () => {},
    operations: [{ operation: watch, handler: handler as Handler }],
    gates: {
      guard: {
        admit: async (_operation, { authorization }) => callerOf(`${authorization}`),
        stepUp: async () => {},
      },
      limiter: { has: () => true, take: async () => ({}) },
      replays: { once: (_request, run) => run() },
      streams: createStreamLimits({ threads: ALONE, per_user, per_network }),
    },
  });
  const { port } = await server.listen('127.0.0.1', 0);
  // An answer that nothing refers to is collected, and its stream ends.
  const open: { leave: AbortController; answer: Response }[] = [];
  return {
    ended,
    ask: async (user: string | null, query = '') => {
      const leave = new AbortController();
      const headers: Record<string, string> = user === null ? {} : { authorization: user };
      const answer = await fetch(`http://127.0.0.1:${port}/events${query}`, { headers, signal: leave.signal });
      open.push({ leave, answer });
      const code = answer.ok ? null : ((await answer.json()) as { code: string }).code;
      return { status: answer.status, code, retry_after: answer.headers.get('retry-after'), leave };
    },
    [Symbol.asyncDispose]: async () => {
      for (const { leave } of open) leave.abort();
      await server.close(0);
    },
  };
}

test('429: an account has too many open streams, and closing one frees a slot', async () => {
  await using service = await stand(2, 100);
  const first = await service.ask('ada');
  assert.equal((await service.ask('ada')).status, 200);
  const { status, code, retry_after } = await service.ask('ada');
  assert.deepEqual([status, code, retry_after], [429, 'http.limit_exceeded', '10']);
  assert.equal((await service.ask('bob')).status, 200);
  assert.equal((await service.ask('ada', '?whole=true')).status, 200, 'an answer that is no stream does not count');
  first.leave.abort();
  await until('the end of the first stream', () => service.ended.length > 0);
  assert.equal((await service.ask('ada')).status, 200);
});

test('429: a network has too many open streams over all its accounts', async () => {
  await using service = await stand(2, 3);
  for (const user of ['ada', 'bob', null]) assert.equal((await service.ask(user)).status, 200);
  for (const user of ['eve', null]) assert.equal((await service.ask(user)).code, 'http.limit_exceeded');
});
