import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { test } from 'node:test';
import { sql } from 'kysely';
import { readConfig } from '#core/config/config.ts';
import type { Database } from '#core/db/open.ts';
import { traceStatements } from '#core/db/traced.ts';
import { type Handler, json, jsonAnswer, operation } from '#core/http/operation.ts';
import { createServer } from '#core/http/server.ts';
import { Type } from '#core/json-schema/type.ts';
import { createLog } from '#core/log.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { tracedOutbound } from '#core/outbound/traced.ts';
import { Problem } from '#core/problem/problem.ts';
import { eachDatabase } from '#test/databases.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '#test/fakes/otlp-receiver.ts';
import { startRequestProvider } from './request-provider.ts';
import { requestSpans } from './request-spans.ts';
import { TELEMETRY_SETTINGS } from './settings.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const below = (flags: string) => ({ headers: { traceparent: `00-${TRACE}-${SPAN}-${flags}` } });

const FETCH = operation({
  id: 'test.askThing',
  method: 'GET',
  path: '/things/{name}',
  summary: '',
  description: '',
  access: 'public',
  params: Type.Object({ name: Type.String() }),
  query: Type.Object({ key: Type.Optional(Type.String()) }),
  answers: { 200: jsonAnswer('', Type.Unknown()) },
  problems: [],
});

interface Stand {
  collector: string;
  timeout_ms?: number;
  env?: Record<string, string>;
  database?: Database;
  handler?: (given: Parameters<Handler>[0], outbound: ReturnType<typeof createOutbound>) => unknown;
}

/** A server with one operation whose spans go to a collector. `close` sends the rest. */
async function openStand({ collector, timeout_ms = 300, env = {}, database, handler = () => 'done' }: Stand) {
  const lines: Record<string, unknown>[] = [];
  const errors: unknown[] = [];
  const provider = startRequestProvider({
    target: { url: `${collector}/v1/traces`, headers: {}, timeout_ms },
    sampling: readConfig(TELEMETRY_SETTINGS, env),
    resource: {},
    on_error: (error) => errors.push(error),
  });
  const spans = requestSpans(provider.tracer);
  if (database !== undefined) traceStatements(database, spans);
  const outbound = tracedOutbound(createOutbound({ allow_loopback: true, user_agent: 'test' }), spans);
  const load = { under_way: 0 };
  const server = createServer({
    operations: [{ operation: FETCH, handler: async (given) => json(await handler(given, outbound)) }],
    log: createLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    spans,
    load,
    onAnswer: () => {},
  });
  const { port } = await server.listen('127.0.0.1', 0);
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    await answer.text();
    return answer.status;
  };
  const close = async () => {
    await server.close(0);
    await outbound.close();
    await provider.close();
  };
  return { ask, close, lines, errors, load, spans };
}

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find((span) => span.name === name);
  assert.ok(found, `${name} among ${spans.map((span) => span.name)}`);
  return found;
}

async function tracedOnce(receiver: OtlpReceiver, stand: Omit<Stand, 'collector'>, path: string, init?: RequestInit) {
  const { ask, close, lines } = await openStand({ collector: receiver.url, ...stand });
  const status = await ask(path, init);
  await close();
  return { status, lines };
}

test("a request span continues the caller's trace and is named by its route, and logs have the trace id", async () => {
  await using receiver = await startOtlpReceiver();
  const { lines } = await tracedOnce(receiver, {}, '/things/hidden?key=hidden', {
    headers: { ...below('01').headers, authorization: 'Bearer hidden', 'x-request-id': 'hidden-id' },
  });
  const [span, ...others] = receiver.spans;
  assert.deepEqual(others, []);
  assert.deepEqual([span?.name, span?.kind], ['GET /things/{name}', 2]);
  assert.deepEqual([span?.trace_id, span?.parent_span_id], [TRACE, SPAN]);
  assert.deepEqual(span?.attributes, {
    'http.request.method': 'GET',
    'network.protocol.version': '1.1',
    'capstan.operation': 'test.askThing',
    'http.route': '/things/{name}',
    'http.response.status_code': 200,
  });
  assert.equal(lines.find((line) => line.msg === 'answered')?.trace_id, TRACE);
});

test('a handler receives the trace context of the request span; a malformed traceparent starts a new trace', async () => {
  await using receiver = await startOtlpReceiver();
  const seen: unknown[] = [];
  const handler: Stand['handler'] = ({ headers }) => seen.push(headers.traceparent);
  await tracedOnce(receiver, { handler }, '/things/a', { headers: { traceparent: `00-${TRACE}-${SPAN}` } });
  const [span] = receiver.spans;
  assert.deepEqual(seen, [`00-${span?.trace_id}-${span?.span_id}-01`]);
  assert.notEqual(span?.trace_id, TRACE);
  assert.equal(span?.parent_span_id, '');
});

test('a 4xx span is not an error, a 500 span is, with its code but without its message', async () => {
  await using receiver = await startOtlpReceiver();
  const { ask, close, lines } = await openStand({
    collector: receiver.url,
    handler: ({ params }) => {
      throw (params as { name: string }).name === 'refused'
        ? new Problem('not_found', 'test.none', 'hidden')
        : new Error('hidden');
    },
  });
  await ask('/things/refused');
  await ask('/things/broken');
  await ask('/nowhere/hidden', { method: 'PROPFIND' });
  await close();
  const [refused, broken, nowhere] = receiver.spans;
  const about = (receivedSpan?: ReceivedSpan) => [
    receivedSpan?.status.code,
    receivedSpan?.attributes['http.response.status_code'],
    receivedSpan?.attributes['error.type'],
    receivedSpan?.attributes['capstan.problem.code'],
  ];
  assert.deepEqual(about(refused), [0, 404, undefined, 'test.none']);
  assert.deepEqual(about(broken), [2, 500, 'http.internal', 'http.internal']);
  assert.deepEqual([nowhere?.name, nowhere?.attributes['http.request.method']], ['HTTP', '_OTHER']);
  assert.equal(nowhere?.attributes['capstan.operation'], 'unknown');
  assert.equal(lines.find((line) => line.msg === 'unhandled error')?.trace_id, broken?.trace_id);
  assert.doesNotMatch(JSON.stringify(receiver.spans), /hidden/);
});

eachDatabase('statement spans', (open, engine) => {
  test('each statement of a request has a span with kind and table, without SQL text or values', async () => {
    await using receiver = await startOtlpReceiver();
    const database = await open();
    const { db } = database;
    await tracedOnce(
      receiver,
      {
        database,
        handler: async () => {
          await db.selectFrom('jobs as j').select('j.kind').where('j.kind', '=', 'hidden').execute();
          await db.transaction().execute((trx) => trx.deleteFrom('jobs').where('kind', '=', 'hidden').execute());
          await sql`SELECT hidden FROM nowhere`.execute(db).catch(() => {});
          for (let at = 0; at < 130; at++) await db.selectFrom('spans').select('name').limit(1).execute();
        },
      },
      '/things/a',
    );
    await db.selectFrom('jobs').selectAll().execute();
    const server = named(receiver.spans, 'GET /things/{name}');
    const children = receiver.spans.filter((span) => span !== server);
    assert.ok(children.every((child) => child.kind === 3 && child.parent_span_id === server.span_id));
    const told = children.slice(0, 6).map((child) => child.name);
    assert.deepEqual(told, ['SELECT jobs', 'BEGIN', 'DELETE jobs', 'COMMIT', 'SELECT', 'SELECT spans']);
    assert.deepEqual(named(children, 'DELETE jobs').attributes, {
      'db.system.name': engine === 'sqlite' ? 'sqlite' : 'postgresql',
      'db.operation.name': 'DELETE',
      'db.collection.name': 'jobs',
    });
    const failed = named(children, 'SELECT');
    assert.equal(failed.status.code, 2);
    assert.match(`${failed.attributes['error.type']}`, engine === 'sqlite' ? /^\w+$/ : /^42P01$/);
    assert.deepEqual([children.length, server.attributes['capstan.spans_left_out']], [128, 7]);
    assert.doesNotMatch(JSON.stringify(receiver.spans), /hidden|nowhere/);
  });
});

test('outbound requests have spans by host, and the host receives no trace context', async () => {
  await using receiver = await startOtlpReceiver();
  await using stranger = await startOtlpReceiver();
  stranger.status = 503;
  const handler: Stand['handler'] = async (_, outbound) => {
    await (await outbound.fetch(`${stranger.url}/hidden?token=hidden`, { method: 'POST', body: 'x' })).text();
    await outbound.fetch('http://[fd00::1]:9/hidden').catch(() => {});
  };
  await tracedOnce(receiver, { handler }, '/things/a', below('01'));
  const server = named(receiver.spans, 'GET /things/{name}');
  const post = named(receiver.spans, 'POST');
  assert.deepEqual([post.kind, post.parent_span_id, post.status.code], [3, server.span_id, 2]);
  assert.deepEqual(post.attributes, {
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'http.response.status_code': 503,
    'error.type': '503',
  });
  const refused = named(receiver.spans, 'GET').attributes;
  assert.deepEqual([refused['server.address'], refused['error.type']], ['[fd00::1]', 'outbound.failed']);
  assert.doesNotMatch(JSON.stringify(receiver.spans), /hidden/);
  assert.deepEqual(
    Object.keys(stranger.requests[0]?.headers ?? {}).filter((key) => /trace|baggage/.test(key)),
    [],
  );
});

test('the sampler decides which requests are traced, and the parent-based one follows the caller', async () => {
  await using receiver = await startOtlpReceiver();
  const sampled = async (sampler: string, arg: string, init?: RequestInit) => {
    receiver.spans.length = 0;
    await tracedOnce(
      receiver,
      { env: { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: arg } },
      '/things/a',
      init,
    );
    return receiver.spans.length;
  };
  assert.equal(await sampled('parentbased_always_on', '1'), 1);
  assert.equal(await sampled('parentbased_always_on', '1', below('00')), 0);
  assert.equal(await sampled('parentbased_traceidratio', '0'), 0);
  assert.equal(await sampled('parentbased_traceidratio', '0', below('01')), 1);
  assert.equal(await sampled('traceidratio', '0', below('01')), 0);
  assert.equal(await sampled('always_off', '1', below('01')), 0);
  assert.equal(await sampled('always_on', '1', below('00')), 1);
});

test('a collector that does not respond slows no request, and receives the queued spans later', async () => {
  await using receiver = await startOtlpReceiver();
  const answers = Promise.withResolvers<void>();
  receiver.until = answers.promise;
  const SPANS = 100;
  const stand = await openStand({
    collector: receiver.url,
    timeout_ms: 8_000,
    handler: () => {
      for (let at = 0; at < SPANS; at++)
        stand.spans.asked({ name: 'SELECT', attributes: { 'db.system.name': 'sqlite' }, began_ms: 0 });
      return 'done';
    },
  });
  const times: number[] = [];
  for (let at = 0; at < 48; at++) {
    const before = process.threadCpuUsage();
    assert.equal(await stand.ask('/things/a'), 200);
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1_000);
  }
  // None waited for the collector, which has not responded yet, or did more work for it.
  assert.ok((times.toSorted((a, b) => a - b)[24] ?? 0) < 50, `${times}`);
  assert.equal(stand.load.under_way, 0);
  answers.resolve();
  await stand.close();
  assert.equal(receiver.spans.length, 512 + 4_096, 'what was on its way, and what waited');
});

test('a collector that never responds delays shutdown by at most its timeout, and is logged', async () => {
  const silent = createTcpServer((socket) => void socket.on('error', () => {}));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const { ask, close, errors } = await openStand({ collector: `http://127.0.0.1:${port}` });
  await ask('/things/a');
  await close();
  silent.close();
  assert.equal(errors.length, 1);
});
