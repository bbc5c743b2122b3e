import {
  AggregatorRegistry,
  type MetricObject,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';
import type { Threads } from '#core/threads/threads.ts';

/** The body of a metrics response. */
export interface MetricsText {
  media_type: string;
  read(): Promise<string>;
  /** The same as data. */
  values(): Promise<MetricObjectWithValues<MetricValue<string>>[]>;
}

/** Combines the metrics of all serving threads, whichever thread is asked, according to `across` in gauges.ts. */
export function metricsOfThreads(threads: Threads, registry: Registry): MetricsText {
  const media_type = registry.contentType;
  if (threads.count === 1)
    return { media_type, read: () => registry.metrics(), values: () => registry.getMetricsAsJSON() };
  const gather = threads.inEach('metrics', async () => {
    const metrics = (await registry.getMetricsAsJSON()) as unknown as MetricObject[];
    return { thread: threads.number, metrics };
  });
  const together = async () => {
    const gathered = (await gather()).sort((a, b) => a.thread - b.thread);
    return AggregatorRegistry.aggregate(gathered.map(({ metrics }) => metrics.map(ofProcess)));
  };
  return {
    media_type,
    read: async () => (await together()).metrics(),
    values: async () => (await together()).getMetricsAsJSON(),
  };
}

/**
 * The library's default metrics are per process. It counts them since it was loaded, so those of the first thread are
 * used; event loop lag is the maximum, so that a blocked loop is visible.
 */
function ofProcess(metric: MetricObject): MetricObject {
  if (metric.name.startsWith('capstan_process_')) return { ...metric, aggregator: 'first' };
  return WORST.test(metric.name) ? { ...metric, aggregator: 'max' } : metric;
}

const WORST = /^capstan_nodejs_eventloop_lag(_p\d+)?_seconds$/;
