import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsOf } from '#test/accounts.ts';
import { startOtlpReceiver } from '#test/fakes/otlp-receiver.ts';
import { openWorld } from '#test/world.ts';

test('a collector receives request spans, linked runs and every metric of /metrics', async () => {
  await using receiver = await startOtlpReceiver();
  const world = await openWorld({ CAPSTAN_OTLP_URL: receiver.url, OTEL_RESOURCE_ATTRIBUTES: 'a.b=c' });
  await world.catalog.ready;
  const { token } = await (await accountsOf(world)).signUp();
  const { url } = await world.listen();
  const ask = async (path: string, init?: RequestInit) => (await fetch(`${url}${path}`, init)).text();
  // Not ready: this starts the index of the search.
  await ask('/readyz');
  const params = { name: 'registry_search', arguments: { query: 'weather' } };
  await ask('/mcp/jsonrpc', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const shown = await ask('/metrics');
  await world.close(1_000);
  const span = (name: string) => receiver.spans.find((receivedSpan) => receivedSpan.name === name);
  assert.equal(span('SELECT')?.parent_span_id, span('GET /readyz')?.span_id);
  const [call, tool] = [span('POST /mcp/jsonrpc'), span('tools/call registry_search')];
  // A run has its own trace, linked to the request that started it.
  assert.notEqual(tool?.trace_id, call?.trace_id);
  assert.deepEqual(tool?.links, [{ trace_id: call?.trace_id, span_id: call?.span_id }]);
  assert.deepEqual([call?.resource['a.b'], tool?.resource['a.b']], ['c', 'c']);

  const names = [...shown.matchAll(/^# TYPE (\S+)/gm)].map(([, match]) => match);
  assert.deepEqual(receiver.metrics.map((metric) => metric.name).toSorted(), names.toSorted());
  const metric = (name: string) => receiver.metrics.find((metric) => metric.name === name);
  const readiness = ({ attributes }: { attributes: Record<string, unknown> }) =>
    attributes.operation === 'core.health.getReadiness';
  const requests = metric('capstan_http_requests_total')?.points.filter(readiness);
  assert.deepEqual(requests, [{ attributes: { operation: 'core.health.getReadiness', status: '5xx' }, value: 1 }]);
  const seconds = metric('capstan_http_request_seconds');
  const buckets = seconds?.points.find(readiness)?.value as number[];
  assert.deepEqual([seconds?.unit, buckets.length, buckets.reduce((sum, bucket) => sum + bucket, 0)], ['s', 8, 1]);
  const version = metric('capstan_build_info')?.points[0]?.attributes.version;
  assert.match(shown, new RegExp(`capstan_build_info\\{version="${version}"`));
});
