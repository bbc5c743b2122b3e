import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#core/config/config.ts';
import { collectorsOf, TELEMETRY_SETTINGS } from './settings.ts';

const read = (env: Record<string, string>) => readConfig(TELEMETRY_SETTINGS, env);
function targets(env: Record<string, string>) {
  const { traces, metrics } = collectorsOf(read(env));
  return [traces, metrics].map((otlpTarget) => otlpTarget && `${otlpTarget.url} ${Object.entries(otlpTarget.headers)}`);
}

test('nothing is exported without settings', () => {
  assert.deepEqual(targets({}), [null, null]);
});

test('CAPSTAN_OTLP_HEADERS is parsed as a list of pairs', () => {
  const { otlp_url, otlp_headers } = read({
    CAPSTAN_OTLP_URL: 'https://otlp.example.org/otlp/',
    CAPSTAN_OTLP_HEADERS: 'x-api-key=a=b, authorization=Basic%20eHl6%2C1',
  });
  assert.equal(otlp_url, 'https://otlp.example.org/otlp');
  assert.deepEqual(otlp_headers, { 'x-api-key': 'a=b', authorization: 'Basic eHl6,1' });
});

test("OpenTelemetry's standard variables apply, and each collector receives only its own headers", () => {
  const usual = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/', OTEL_EXPORTER_OTLP_HEADERS: 'x-key=usual' };
  const all = ['http://127.0.0.1:4318/v1/traces x-key,usual', 'http://127.0.0.1:4318/v1/metrics x-key,usual'];
  assert.deepEqual(targets(usual), all);
  const alone = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:9090/api/v1/otlp/v1/metrics' };
  assert.deepEqual(targets(alone), [null, `${alone.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT} `]);
  const apart = { ...usual, ...alone, OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'x-key=own' };
  assert.deepEqual(targets(apart), [all[0], `${alone.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT} x-key,own`]);
  const ours = { ...apart, CAPSTAN_OTLP_URL: 'https://otlp.example.org' };
  const toOurs = ['https://otlp.example.org/v1/traces ', 'https://otlp.example.org/v1/metrics '];
  assert.deepEqual(targets(ours), toOurs);
  assert.deepEqual(targets({ ...ours, OTEL_TRACES_EXPORTER: 'none' }), [null, toOurs[1]]);
  assert.deepEqual(targets({ ...ours, OTEL_METRICS_EXPORTER: 'none' }), [toOurs[0], null]);
  assert.deepEqual(targets({ ...apart, OTEL_SDK_DISABLED: 'true' }), [null, null]);
});

test('invalid headers, samplers and ratios are rejected without showing the headers', () => {
  for (const text of ['hidden', 'a b=hidden', '=hidden', 'a=hidden,', 'a=%zzhidden', 'a=hidden%0d%0ab'])
    assert.throws(
      () => read({ CAPSTAN_OTLP_HEADERS: text }),
      (error: Error) =>
        /CAPSTAN_OTLP_HEADERS must be comma-separated/.test(error.message) && !/hidden/.test(error.message),
      text,
    );
  assert.throws(() => read({ OTEL_TRACES_SAMPLER: 'jaeger_remote' }), /OTEL_TRACES_SAMPLER must be one of/);
  for (const share of ['1.1', '-1', 'half', '', '.'])
    if (share === '') assert.equal(read({ OTEL_TRACES_SAMPLER_ARG: share }).sampler_arg, 1);
    else assert.throws(() => read({ OTEL_TRACES_SAMPLER_ARG: share }), /must be a number from 0 to 1/);
});
