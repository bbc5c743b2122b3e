import { address, choice, integer, type Setting, text, type Values } from '#core/config/config.ts';
import type { OtlpTarget } from './exporter.ts';

/** Settings of the service's own telemetry. OpenTelemetry's variables have their standard meaning. */

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** `name=value,name=value`, with commas in values percent-encoded, as in the documentation of collectors. */
const pairs = (name: string, description: string, secret: boolean): Setting<Record<string, string>> => ({
  name,
  default: '',
  description,
  secret,
  form: 'comma-separated name=value pairs',
  parse: (written) => {
    const each = written === '' ? [] : written.split(',').map((pair) => pair.trim());
    return Object.fromEntries(each.map(readPair));
  },
});

/** Errors do not contain the value, which may be a secret. */
function readPair(pair: string, index: number): [string, string] {
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, at)).trim();
  const value = decoded(pair.slice(at + 1).trim());
  if (!NAME.test(name) || value === null || !/^[\x20-\x7e]+$/.test(value))
    throw new Error(`must be comma-separated name=value pairs; entry ${index + 1} is invalid`);
  return [name, value];
}

function decoded(written: string): string | null {
  try {
    return decodeURIComponent(written);
  } catch {
    return null;
  }
}

const headers = (name: string, description: string) => pairs(name, description, true);

const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** From 0 to 1. */
const share = (name: string, description: string): Setting<number> => ({
  name,
  default: '1',
  description,
  secret: false,
  form: 'a number from 0 to 1',
  parse: (written) => {
    const number = Number(written);
    if (!/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(written) || number > 1) throw new Error('must be a number from 0 to 1');
    return number;
  },
});

export const TELEMETRY_SETTINGS = {
  otlp_url: address('CAPSTAN_OTLP_URL', {
    description:
      'URL of an OpenTelemetry collector, such as http://127.0.0.1:4318. Spans are sent to /v1/traces and ' +
      'metrics to /v1/metrics as OTLP over HTTP. Takes precedence over the OTEL_* settings.',
  }),
  otlp_headers: headers(
    'CAPSTAN_OTLP_HEADERS',
    'Headers for CAPSTAN_OTLP_URL, such as x-api-key=…; write a comma in a value as %2C.',
  ),
  otel_endpoint: address('OTEL_EXPORTER_OTLP_ENDPOINT', {
    description: 'Standard OpenTelemetry setting with the same purpose.',
  }),
  otel_headers: headers('OTEL_EXPORTER_OTLP_HEADERS', 'Headers for collectors set by OTEL_* settings only.'),
  traces_endpoint: address('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', {
    description: 'Full URL for spans; nothing is appended to it.',
  }),
  traces_headers: headers(
    'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
    'Headers for spans; replaces OTEL_EXPORTER_OTLP_HEADERS.',
  ),
  metrics_endpoint: address('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', {
    description: 'Full URL for metrics; nothing is appended to it.',
  }),
  metrics_headers: headers(
    'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
    'Headers for metrics; replaces OTEL_EXPORTER_OTLP_HEADERS.',
  ),
  traces_exporter: choice('OTEL_TRACES_EXPORTER', 'otlp', ['otlp', 'none'], {
    description: 'Set to none to disable span export.',
  }),
  metrics_exporter: choice('OTEL_METRICS_EXPORTER', 'otlp', ['otlp', 'none'], {
    description: 'Set to none to disable metric export.',
  }),
  metrics_interval_ms: integer('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 1_000, 3_600_000, {
    description: 'Metric export interval in milliseconds.',
  }),
  sampler: choice<(typeof SAMPLERS)[number]>('OTEL_TRACES_SAMPLER', 'parentbased_always_on', SAMPLERS, {
    description:
      "Sampler for request traces. Parent-based samplers follow the caller's traceparent. Runs are always " + 'traced.',
  }),
  sampler_arg: share('OTEL_TRACES_SAMPLER_ARG', 'Ratio of requests traced by the traceidratio samplers.'),
  service_name: text('OTEL_SERVICE_NAME', '', {
    description: 'Service name in spans and metrics. Default: capstan, or the one in OTEL_RESOURCE_ATTRIBUTES.',
  }),
  resource_attributes: pairs(
    'OTEL_RESOURCE_ATTRIBUTES',
    'Additional resource attributes, such as deployment.environment.name=production.',
    false,
  ),
  otel_disabled: choice('OTEL_SDK_DISABLED', 'false', ['false', 'true'], {
    description: 'Set to true to disable export to collectors set by OTEL_* settings.',
  }),
} as const;

export type TelemetryConfig = Values<typeof TELEMETRY_SETTINGS>;

/** Null if the signal is not exported. */
export interface Collectors {
  traces: OtlpTarget | null;
  metrics: OtlpTarget | null;
}

/** Returns the configured collectors, each with its own headers only. */
export function collectorsOf(config: TelemetryConfig): Collectors {
  const { traces_endpoint, traces_headers, metrics_endpoint, metrics_headers } = config;
  return {
    traces: config.traces_exporter === 'none' ? null : targetOf(config, '/v1/traces', traces_endpoint, traces_headers),
    metrics:
      config.metrics_exporter === 'none' ? null : targetOf(config, '/v1/metrics', metrics_endpoint, metrics_headers),
  };
}

function targetOf(
  { otlp_url, otlp_headers, otel_endpoint, otel_headers, otel_disabled }: TelemetryConfig,
  path: string,
  ownUrl: string | null,
  ownHeaders: Record<string, string>,
): OtlpTarget | null {
  if (otlp_url !== null) return { url: `${otlp_url}${path}`, headers: otlp_headers };
  const url = ownUrl ?? (otel_endpoint === null ? null : `${otel_endpoint}${path}`);
  if (url === null || otel_disabled === 'true') return null;
  return { url, headers: Object.keys(ownHeaders).length > 0 ? ownHeaders : otel_headers };
}
