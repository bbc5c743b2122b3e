import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { SpanStatusCode } from '@opentelemetry/api';
import type { OtlpTarget } from '#core/telemetry/exporter.ts';
import { readTraceparent } from '#core/telemetry/traceparent.ts';
import { startOtlpReceiver } from '#test/fakes/otlp-receiver.ts';
import type { StoredSpan } from './span.ts';
import { inSpan, startTracing } from './tracing.ts';

function tracingTo(otlp: OtlpTarget) {
  const saved: StoredSpan[] = [];
  const lost: string[] = [];
  const tracing = startTracing({
    save: async (spans) => void saved.push(...spans),
    otlp: { ...otlp, url: `${otlp.url}/v1/traces` },
    resource: { 'service.name': 'capstan' },
    on_error: (_, what) => lost.push(what),
  });
  return { tracing, saved, lost };
}

test('a collector receives redacted spans with the service name and the configured headers', async () => {
  await using receiver = await startOtlpReceiver();
  const { tracing, saved, lost } = tracingTo({ url: receiver.url, headers: { 'x-api-key': 'k1' } });
  await inSpan(
    tracing.tracer,
    null,
    'outer password=hunter2secret',
    { a: 1, f: 1.5, 'api-key': 'x' },
    async (outer) => {
      await inSpan(tracing.tracer, outer, 'inner', { list: ['x', 'token=abcdef123'] }, async (inner) => {
        inner.addEvent('seen', { note: 'Bearer abcdefghijkl' });
        inner.setStatus({ code: SpanStatusCode.ERROR, message: 'secret: abcdef' });
      });
    },
  );
  await tracing.close();
  assert.deepEqual(lost, []);
  const [request] = receiver.requests;
  assert.deepEqual([request?.path, request?.headers['content-type']], ['/v1/traces', 'application/x-protobuf']);
  assert.equal(request?.headers['x-api-key'], 'k1');
  const [inner, outer] = receiver.spans;
  assert.deepEqual(outer?.resource, { 'service.name': 'capstan' });
  assert.equal(outer?.name, 'outer password=[redacted]');
  assert.deepEqual(outer?.attributes, { a: 1, f: 1.5, 'api-key': '[redacted]' });
  assert.deepEqual(inner?.attributes, { list: ['x', 'token=[redacted]'] });
  assert.deepEqual(inner?.events, [{ name: 'seen', attributes: { note: 'Bearer [redacted]' } }]);
  assert.deepEqual(inner?.status, { code: 2, message: 'secret: [redacted]' });
  assert.equal(inner?.parent_span_id, outer?.span_id);
  const ids = (spans: { trace_id: string; span_id: string }[]) =>
    spans.map((span) => `${span.trace_id} ${span.span_id}`);
  assert.deepEqual(ids(receiver.spans), ids(saved));
});

test("a collector receives a span's link to the caller", async () => {
  await using receiver = await startOtlpReceiver();
  const { tracing } = tracingTo({ url: receiver.url, headers: {} });
  const link = readTraceparent('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
  await inSpan(tracing.tracer, null, 'run', {}, async () => {}, { link });
  await tracing.close();
  const [span] = receiver.spans;
  assert.deepEqual(span?.links, [{ trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' }]);
  assert.equal(span?.parent_span_id, '');
});

test('inputs and outputs are stored but not sent to a collector', async () => {
  await using receiver = await startOtlpReceiver();
  const { tracing, saved } = tracingTo({ url: receiver.url, headers: {} });
  const content = {
    'gen_ai.tool.call.arguments': 'in',
    'gen_ai.tool.call.result': 'out',
    'gen_ai.output.messages': 'said',
  };
  await inSpan(tracing.tracer, null, 'run', { ...content, 'gen_ai.tool.name': 'x' }, async () => {});
  await tracing.close();
  assert.deepEqual(saved[0]?.attributes, { ...content, 'gen_ai.tool.name': 'x' });
  assert.deepEqual(receiver.spans[0]?.attributes, { 'gen_ai.tool.name': 'x' });
});

test('headers from the environment are not sent to a collector configured in settings', async () => {
  await using receiver = await startOtlpReceiver();
  process.env.OTEL_EXPORTER_OTLP_HEADERS = 'x-other=secret';
  const { tracing } = tracingTo({ url: receiver.url, headers: {} });
  await inSpan(tracing.tracer, null, 'a', {}, async () => {});
  await tracing.close();
  delete process.env.OTEL_EXPORTER_OTLP_HEADERS;
  assert.equal(receiver.requests.length, 1);
  assert.equal(receiver.requests[0]?.headers['x-other'], undefined);
});

test('if a collector rejects spans, they are stored anyway and counted as lost', async () => {
  await using receiver = await startOtlpReceiver();
  receiver.status = 400;
  const { tracing, saved, lost } = tracingTo({ url: receiver.url, headers: {} });
  await inSpan(tracing.tracer, null, 'a', {}, async () => {});
  await tracing.close();
  assert.deepEqual([saved.length, receiver.spans.length, lost], [1, 0, ['sent']]);
});

test('a collector that never responds delays neither runs nor storage', async () => {
  let begunAtFirstLoss = 0;
  let connections = 0;
  const silent = createServer(() => {
    connections++;
    if (lost.length === 0) begunAtFirstLoss = connections;
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const timeout_ms = 1_500;
  const { tracing, saved, lost } = tracingTo({ url: `http://127.0.0.1:${port}`, headers: {}, timeout_ms });
  for (let at = 0; at < 3_000; at++) await inSpan(tracing.tracer, null, `run ${at}`, {}, async () => {});
  await tracing.flush();
  assert.equal(saved.length, 3_000);
  assert.deepEqual(lost, [], 'nobody has waited for the collector');
  await tracing.close();
  silent.close();
  assert.ok(begunAtFirstLoss > 1, 'the six batches do not wait for each other');
  assert.deepEqual([...new Set(lost)], ['sent']);
});
