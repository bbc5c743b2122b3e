import { address, choice, duration, type Setting, type Values } from '../../platform/config.ts';

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const HOUR_MS = 3_600_000;

/** `name=value,name=value`, values percent-encoded where they hold a comma: the form that collectors' guides give. */
const headerList = (name: string, description: string): Setting<Record<string, string>> => ({
  ...{ name, default: '', description, secret: true },
  form: 'a comma list of name=value',
  parse: (text) => {
    const pairs = text === '' ? [] : text.split(',').map((pair) => pair.trim());
    return Object.fromEntries(pairs.map(readPair));
  },
});

/** Throws without the value: it is a secret. */
function readPair(pair: string, index: number): [string, string] {
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, at)).trim();
  const value = decoded(pair.slice(at + 1).trim());
  if (!HEADER_NAME.test(name) || value === null || !/^[\x20-\x7e]+$/.test(value))
    throw new Error(`must be a comma list of name=value; entry ${index + 1} is none`);
  return [name, value];
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export const TRACES_SETTINGS = {
  otlp_url: address('CAPSTAN_OTLP_URL', {
    description:
      'Address of an OpenTelemetry collector, such as http://127.0.0.1:4318. Spans are sent to its /v1/traces too, by OTLP over HTTP.',
  }),
  otlp_headers: headerList(
    'CAPSTAN_OTLP_HEADERS',
    'Headers for the collector, such as x-api-key=…; a comma in a value is written %2C.',
  ),
  otel_endpoint: address('OTEL_EXPORTER_OTLP_ENDPOINT', {
    description: 'The same by the name that OpenTelemetry gives it; CAPSTAN_OTLP_URL comes before it.',
  }),
  otel_headers: headerList(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'Headers for OTEL_EXPORTER_OTLP_ENDPOINT, and for no other collector.',
  ),
  otel_disabled: choice('OTEL_SDK_DISABLED', 'false', ['false', 'true'], {
    description: 'true sends nothing to OTEL_EXPORTER_OTLP_ENDPOINT.',
  }),
  retention_ms: duration('CAPSTAN_TRACE_RETENTION', '30d', HOUR_MS, {
    description:
      'How long traces are kept. Receipts stay; a trace that is gone can no longer be held against its digest.',
  }),
} as const;

export type CollectorConfig = Omit<Values<typeof TRACES_SETTINGS>, 'retention_ms'>;

/** The collector that the settings name, with its own headers alone; null for none. */
export function collectorOf(config: CollectorConfig): { url: string; headers: Record<string, string> } | null {
  const { otlp_url, otlp_headers, otel_endpoint, otel_headers, otel_disabled } = config;
  if (otlp_url !== null) return { url: otlp_url, headers: otlp_headers };
  return otel_endpoint === null || otel_disabled === 'true' ? null : { url: otel_endpoint, headers: otel_headers };
}
