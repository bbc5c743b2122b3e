import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('answers are counted by route and status, and those that were not ready by their time', async () => {
  const { answered, registry } = createMetrics();
  answered('/list', 200, null);
  answered('/list', 200, 0.5);
  answered('/list', 404, 30);
  const lines = async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith('capstan_http'));
  const expected = [
    'capstan_http_requests_total{route="/list",status="200"} 2',
    'capstan_http_requests_total{route="/list",status="404"} 1',
    'capstan_http_request_seconds_bucket{le="0.001",route="/list"} 1',
    'capstan_http_request_seconds_bucket{le="0.005",route="/list"} 1',
    'capstan_http_request_seconds_bucket{le="0.02",route="/list"} 1',
    'capstan_http_request_seconds_bucket{le="0.1",route="/list"} 2',
    'capstan_http_request_seconds_bucket{le="0.5",route="/list"} 2',
    'capstan_http_request_seconds_bucket{le="2",route="/list"} 2',
    'capstan_http_request_seconds_bucket{le="10",route="/list"} 2',
    'capstan_http_request_seconds_bucket{le="+Inf",route="/list"} 2',
    'capstan_http_request_seconds_sum{route="/list"} 0.0305',
    'capstan_http_request_seconds_count{route="/list"} 2',
  ];
  assert.deepEqual(await lines(), expected);
  assert.deepEqual(await lines(), expected, 'asking changes nothing');
  assert.match(await registry.metrics(), /# TYPE capstan_http_request_seconds histogram/);
});
