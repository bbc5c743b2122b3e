import type { Attributes, Tracer } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { SERVICE } from '#core/service.ts';
import { type OtlpTarget, spanExporter } from './exporter.ts';
import type { TelemetryConfig } from './settings.ts';

/** OpenTelemetry's SDK for request spans, loaded only if they are exported. They are not stored. */

interface RequestProviderOptions {
  target: OtlpTarget;
  sampling: Pick<TelemetryConfig, 'sampler' | 'sampler_arg'>;
  resource: Attributes;
  /** A batch was rejected. */
  on_error(error: unknown): void;
}

interface RequestProvider {
  tracer: Tracer;
  /** Sends the rest, within the collector's timeout. */
  close(): Promise<void>;
}

/** Spans that end faster than the collector accepts them are dropped above this number: about 8 MB. */
const MAX_WAITING = 4_096;
const SENT_AT_ONCE = 512;
const DELAY_MS = 2_000;
const EXPORT_TIMEOUT_MS = 10_000;

export function startRequestProvider({
  target,
  sampling,
  resource,
  on_error,
}: RequestProviderOptions): RequestProvider {
  const exporter = spanExporter(target);
  const telling: typeof exporter = {
    shutdown: () => exporter.shutdown(),
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0) on_error(result.error ?? new Error('failed to export spans'));
        done(result);
      }),
  };
  const batches = new BatchSpanProcessor(telling, {
    scheduledDelayMillis: DELAY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: SENT_AT_ONCE,
  });
  const provider = new BasicTracerProvider({
    sampler: samplerOf(sampling),
    spanProcessors: [batches],
    resource: resourceFromAttributes(resource),
  });
  return {
    tracer: provider.getTracer(SERVICE.name, SERVICE.version),
    close: () => provider.shutdown().catch(() => {}),
  };
}

const ROOTS = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (share: number) => new TraceIdRatioBasedSampler(share),
};

function samplerOf({ sampler, sampler_arg }: RequestProviderOptions['sampling']): Sampler {
  const root = ROOTS[sampler.replace('parentbased_', '') as keyof typeof ROOTS](sampler_arg);
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
