import type { Registry } from 'prom-client';
import type { Log } from '#core/log.ts';
import { gaugeLosses } from './losses.ts';
import type { Shown } from './metric-data.ts';
import { pushMetrics } from './push-metrics.ts';
import type { RequestSpans } from './request-spans.ts';
import { type Sending, sendingOf } from './sending.ts';
import type { TelemetryConfig } from './settings.ts';

/** Exports this process's telemetry according to the settings. */
interface Telemetry extends Sending {
  /** Null if no spans are exported; then none are created. */
  spans: RequestSpans | null;
  /** Sends the rest, within the collector's timeout. */
  close(): Promise<void>;
}

interface TelemetryOptions {
  config: TelemetryConfig;
  log: Pick<Log, 'warn'>;
  registry: Registry;
  /** The metrics to push, and whether to push at shutdown; null if another thread does it. */
  metrics: { read(): Promise<readonly Shown[]>; at_end: boolean } | null;
}

export async function openTelemetry({ config, log, registry, metrics }: TelemetryOptions): Promise<Telemetry> {
  const sending = sendingOf(config, log);
  const { collectors, resource, losses } = sending;
  gaugeLosses(registry, losses);
  const requests = await openRequestSpans(sending, config);
  const pushed =
    collectors.metrics === null || metrics === null
      ? null
      : pushMetrics({
          target: collectors.metrics,
          interval_ms: config.metrics_interval_ms,
          resource,
          ...metrics,
          on_error: (error) => losses.lost('metrics', error),
        });
  return {
    ...sending,
    spans: requests?.spans ?? null,
    close: async () => void (await Promise.all([requests?.close(), pushed?.close()])),
  };
}

/** OpenTelemetry's SDK takes 14 MB, so it is loaded only with a collector. */
async function openRequestSpans({ collectors, resource, losses }: Sending, sampling: TelemetryConfig) {
  if (collectors.traces === null) return null;
  const [{ startRequestProvider }, { requestSpans }] = await Promise.all([
    import('./request-provider.ts'),
    import('./request-spans.ts'),
  ]);
  const { tracer, close } = startRequestProvider({
    target: collectors.traces,
    sampling,
    resource,
    on_error: (error) => losses.lost('requests', error),
  });
  return { spans: requestSpans(tracer), close };
}
