import {
  AggregatorRegistry,
  type MetricObject,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';
import type { Threads } from '#core/threads/threads.ts';

/** What is answered to whoever asks for metrics. */
export interface MetricsText {
  media_type: string;
  read(): Promise<string>;
  /** The same as data. */
  values(): Promise<MetricObjectWithValues<MetricValue<string>>[]>;
}

/** What all serving threads have counted, put together, whichever of them is asked: `across` of gauges.ts says how. */
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
 * The library's own are meant for processes. What it counts of a process it counts from when it was loaded, so that of the
 * first thread is taken by all; and a loop that hangs is to be seen, however well the others do.
 */
function ofProcess(metric: MetricObject): MetricObject {
  if (metric.name.startsWith('capstan_process_')) return { ...metric, aggregator: 'first' };
  return WORST.test(metric.name) ? { ...metric, aggregator: 'max' } : metric;
}

const WORST = /^capstan_nodejs_eventloop_lag(_p\d+)?_seconds$/;
