import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('responses are counted by operation and status class, and timed unless cached', async () => {
  const { answered, registry } = createMetrics();
  answered('a.list', 200, null);
  answered('a.list', 204, 0.5);
  answered('a.list', 404, 30);
  const lines = async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith('capstan_http'));
  const expected = [
    'capstan_http_requests_total{operation="a.list",status="2xx"} 2',
    'capstan_http_requests_total{operation="a.list",status="4xx"} 1',
    'capstan_http_request_seconds_bucket{le="0.001",operation="a.list"} 1',
    'capstan_http_request_seconds_bucket{le="0.005",operation="a.list"} 1',
    'capstan_http_request_seconds_bucket{le="0.02",operation="a.list"} 1',
    'capstan_http_request_seconds_bucket{le="0.1",operation="a.list"} 2',
    'capstan_http_request_seconds_bucket{le="0.5",operation="a.list"} 2',
    'capstan_http_request_seconds_bucket{le="2",operation="a.list"} 2',
    'capstan_http_request_seconds_bucket{le="10",operation="a.list"} 2',
    'capstan_http_request_seconds_bucket{le="+Inf",operation="a.list"} 2',
    'capstan_http_request_seconds_sum{operation="a.list"} 0.0305',
    'capstan_http_request_seconds_count{operation="a.list"} 2',
    'capstan_http_requests_under_way 0',
  ];
  assert.deepEqual(await lines(), expected);
  assert.deepEqual(await lines(), expected, 'asking changes nothing');
  assert.match(await registry.metrics(), /# TYPE capstan_http_request_seconds histogram/);
});
