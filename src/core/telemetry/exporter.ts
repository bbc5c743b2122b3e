import type { IExporterMetricsHelper, ISerializer } from '@opentelemetry/otlp-transformer';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { SERVICE } from '#core/service.ts';

/** Where spans or metrics are sent, by OTLP over HTTP with protobuf bodies. */
export interface OtlpTarget {
  /** The complete URL. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** For one batch, including retries. */
  timeout_ms?: number;
}

interface OtlpExporter<T> {
  /** `done` is called once; code 0 is success. */
  export(value: T, done: (result: { code: number; error?: Error }) => void): void;
  shutdown(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
/** Matches the number of batches in a full queue, because at shutdown all are sent at once. */
const REQUESTS_AT_ONCE = 16;

export function spanExporter(target: OtlpTarget): SpanExporter {
  const exporter = otlpExporter<ReadableSpan[]>(target, (of) => ({
    component: 'otlp_http_span_exporter',
    serializer: of.ProtobufTraceSerializer,
    counting: of.TraceExporterMetricsHelper,
  }));
  return { ...exporter, export: (spans, done) => exporter.export([...spans], done) };
}

export const metricExporter = (target: OtlpTarget): OtlpExporter<ResourceMetrics> =>
  otlpExporter(target, (of) => ({
    component: 'otlp_http_metric_exporter',
    serializer: of.ProtobufMetricsSerializer,
    counting: of.MetricsExporterMetricsHelper,
  }));

type Transformer = typeof import('@opentelemetry/otlp-transformer');

/** OTLP functions for one signal. */
type SignalOf<T> = (transformer: Transformer) => {
  component: string;
  serializer: ISerializer<T, unknown>;
  counting: IExporterMetricsHelper<T>;
};

/**
 * The official exporter, loaded with the first batch. It is assembled from its parts, because the complete one reads
 * the environment and would send headers meant for another collector.
 */
function otlpExporter<T>(target: OtlpTarget, signalOf: SignalOf<T>): OtlpExporter<T> {
  let loaded: ReturnType<typeof loadExporter<T>> | undefined;
  return {
    export: (value, done) => {
      loaded ??= loadExporter(target, signalOf);
      loaded.then(
        (exporter) => exporter.export(value, done),
        (error) => done({ code: 1, error }),
      );
    },
    shutdown: async () => (await loaded)?.shutdown(),
  };
}

async function loadExporter<T>({ url, headers, timeout_ms = TIMEOUT_MS }: OtlpTarget, signalOf: SignalOf<T>) {
  const [{ OTLPExporterBase }, { createOtlpHttpExportDelegate, httpAgentFactoryFromOptions }, transformer] =
    await Promise.all([
      import('@opentelemetry/otlp-exporter-base'),
      import('@opentelemetry/otlp-exporter-base/node-http'),
      import('@opentelemetry/otlp-transformer'),
    ]);
  const options = {
    url,
    headers: async () => ({ ...headers, 'Content-Type': 'application/x-protobuf' }),
    userAgent: `${SERVICE.title}/${SERVICE.version}`,
    timeoutMillis: timeout_ms,
    concurrencyLimit: REQUESTS_AT_ONCE,
    compression: 'none' as const,
    agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
  };
  const { component, serializer, counting } = signalOf(transformer);
  return new OTLPExporterBase<T>(createOtlpHttpExportDelegate(options, serializer, component, counting, undefined));
}
