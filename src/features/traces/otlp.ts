import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { SERVICE } from '../../platform/service.ts';

/** Where spans are sent as well, by OTLP over HTTP with protobuf bodies. */
export interface OtlpTarget {
  /** The collector's address without `/v1/traces`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Of one batch, retries included. */
  timeout_ms?: number;
}

const TIMEOUT_MS = 5_000;
/** As many as a full queue has batches: at the end all go at once. */
const REQUESTS_AT_ONCE = 16;

/**
 * The official exporter, loaded with the first span. It is put together from its parts, because as a whole it reads
 * the environment by itself, and would send headers that were meant for another collector.
 */
export function otlpExporter(target: OtlpTarget): SpanExporter {
  let loaded: Promise<Exporter> | undefined;
  return {
    export: (spans, done) => {
      loaded ??= loadExporter(target);
      loaded.then(
        (exporter) => exporter.export([...spans], done),
        (error) => done({ code: 1, error }),
      );
    },
    shutdown: async () => (await loaded)?.shutdown(),
  };
}

type Exporter = Awaited<ReturnType<typeof loadExporter>>;

async function loadExporter({ url, headers, timeout_ms = TIMEOUT_MS }: OtlpTarget) {
  const [{ OTLPExporterBase }, { createOtlpHttpExportDelegate, httpAgentFactoryFromOptions }, transformer] =
    await Promise.all([
      import('@opentelemetry/otlp-exporter-base'),
      import('@opentelemetry/otlp-exporter-base/node-http'),
      import('@opentelemetry/otlp-transformer'),
    ]);
  const options = {
    url: `${url}/v1/traces`,
    headers: async () => ({ ...headers, 'Content-Type': 'application/x-protobuf' }),
    userAgent: `${SERVICE.title}/${SERVICE.version}`,
    timeoutMillis: timeout_ms,
    concurrencyLimit: REQUESTS_AT_ONCE,
    compression: 'none' as const,
    agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
  };
  const { ProtobufTraceSerializer, TraceExporterMetricsHelper } = transformer;
  return new OTLPExporterBase<ReadableSpan[]>(
    createOtlpHttpExportDelegate(
      options,
      ProtobufTraceSerializer,
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  );
}
