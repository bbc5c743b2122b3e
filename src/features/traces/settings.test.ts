import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../platform/config.ts';
import { TRACES_SETTINGS } from './settings.ts';

const read = (env: Record<string, string>) => readConfig(TRACES_SETTINGS, env);

test('without settings nothing is sent, and traces are kept for 30 days', () => {
  assert.deepEqual(read({}), { otlp_url: null, otlp_headers: {}, retention_ms: 30 * 86_400_000 });
});

test('the collector’s headers are a list of pairs', () => {
  const { otlp_url, otlp_headers } = read({
    CAPSTAN_OTLP_URL: 'https://otlp.example.org/otlp/',
    CAPSTAN_OTLP_HEADERS: 'x-api-key=a=b, authorization=Basic%20eHl6%2C1',
  });
  assert.equal(otlp_url, 'https://otlp.example.org/otlp');
  assert.deepEqual(otlp_headers, { 'x-api-key': 'a=b', authorization: 'Basic eHl6,1' });
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
