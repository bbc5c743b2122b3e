import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#core/config/config.ts';
import { startOtlpReceiver } from '#test/fakes/otlp-receiver.ts';
import { collectorCheck } from './collector-check.ts';
import { TELEMETRY_SETTINGS } from './settings.ts';

test('doctor reports a missing collector, a working one and one that rejects data', async () => {
  await using receiver = await startOtlpReceiver();
  const look = async (env: Record<string, string>) => {
    const found = await collectorCheck(readConfig(TELEMETRY_SETTINGS, env)).run(AbortSignal.timeout(5_000));
    return found.map(({ level, seen }) => `${level} ${seen}`);
  };
  assert.deepEqual(await look({}), ['ok No collector configured: spans and metrics are not exported.']);
  const env = { CAPSTAN_OTLP_URL: `${receiver.url}/otlp`, CAPSTAN_OTLP_HEADERS: 'x-key=hidden' };
  assert.deepEqual(await look(env), [`ok ${receiver.url} accepts spans.`, `ok ${receiver.url} accepts metrics.`]);
  assert.deepEqual(receiver.requests.map((request) => `${request.path} ${request.headers['x-key']}`).sort(), [
    '/otlp/v1/metrics hidden',
    '/otlp/v1/traces hidden',
  ]);
  receiver.status = 404;
  const [refused, ...more] = await look({ ...env, OTEL_METRICS_EXPORTER: 'none' });
  assert.match(`${refused}`, new RegExp(`^fail ${receiver.url} rejects spans: \\S`));
  assert.doesNotMatch(`${refused}`, /hidden/);
  assert.deepEqual(more, []);
});
