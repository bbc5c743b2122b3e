import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../platform/config.ts';
import { collectorOf, TRACES_SETTINGS } from './settings.ts';

const read = (env: Record<string, string>) => readConfig(TRACES_SETTINGS, env);

test('without settings nothing is sent, and traces are kept for 30 days', () => {
  assert.equal(collectorOf(read({})), null);
  assert.equal(read({}).retention_ms, 30 * 86_400_000);
});

test('the collector’s headers are a list of pairs', () => {
  const { otlp_url, otlp_headers } = read({
    CAPSTAN_OTLP_URL: 'https://otlp.example.org/otlp/',
    CAPSTAN_OTLP_HEADERS: 'x-api-key=a=b, authorization=Basic%20eHl6%2C1',
  });
  assert.equal(otlp_url, 'https://otlp.example.org/otlp');
  assert.deepEqual(otlp_headers, { 'x-api-key': 'a=b', authorization: 'Basic eHl6,1' });
});

test('the usual names of OpenTelemetry are read, and each collector gets its own headers', () => {
  const usual = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/', OTEL_EXPORTER_OTLP_HEADERS: 'x-key=usual' };
  assert.deepEqual(collectorOf(read(usual)), { url: 'http://127.0.0.1:4318', headers: { 'x-key': 'usual' } });
  const ours = { ...usual, CAPSTAN_OTLP_URL: 'https://otlp.example.org' };
  assert.deepEqual(collectorOf(read(ours)), { url: 'https://otlp.example.org', headers: {} });
  assert.equal(collectorOf(read({ ...usual, OTEL_SDK_DISABLED: 'true' })), null);
});

test('headers that are none are refused without being shown; so is a retention too short', () => {
  for (const text of ['hidden', 'a b=hidden', '=hidden', 'a=hidden,', 'a=%zzhidden', 'a=hidden%0d%0ab'])
    assert.throws(
      () => read({ CAPSTAN_OTLP_HEADERS: text }),
      (error: Error) =>
        /CAPSTAN_OTLP_HEADERS must be a comma list/.test(error.message) && !/hidden/.test(error.message),
      text,
    );
  assert.throws(() => read({ CAPSTAN_TRACE_RETENTION: '1m' }), /at least 3600 s/);
});
