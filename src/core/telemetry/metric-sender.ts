import type { Attributes } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { metricExporter, type OtlpTarget } from './exporter.ts';
import { metricData, type Shown } from './metric-data.ts';

/** Sends metrics to a collector. Loaded with the first batch. */
export interface MetricSender {
  /** Rejects if the collector did not accept them. */
  send(shown: readonly Shown[]): Promise<void>;
  close(): Promise<void>;
}

export function startMetricSender(target: OtlpTarget, attributes: Attributes): MetricSender {
  const exporter = metricExporter(target);
  const resource = resourceFromAttributes(attributes);
  return {
    send: (shown) => {
      const now_ms = Date.now();
      const moment = { now_ms, began_ms: now_ms - process.uptime() * 1_000 };
      return new Promise((resolve, reject) =>
        exporter.export(metricData(shown, resource, moment), ({ code, error }) =>
          code === 0 ? resolve() : reject(error ?? new Error('failed to export metrics')),
        ),
      );
    },
    close: () => exporter.shutdown(),
  };
}
