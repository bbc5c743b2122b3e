import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';
import type { Threads } from '../threads/threads.ts';

/** What is answered to whoever asks for metrics. */
export interface MetricsText {
  media_type: string;
  read(): Promise<string>;
}

/** What all serving threads have counted, put together, whichever of them is asked: `across` of gauges.ts says how. */
export function metricsOfThreads(threads: Threads, registry: Registry): MetricsText {
  const media_type = registry.contentType;
  if (threads.count === 1) return { media_type, read: () => registry.metrics() };
  const gather = threads.inEach('metrics', () => registry.getMetricsAsJSON() as unknown as Promise<MetricObject[]>);
  const read = async () => AggregatorRegistry.aggregate((await gather()).map((it) => it.map(ofProcess))).metrics();
  return { media_type, read };
}

/** The library's own of the whole process are meant for processes, whose numbers are added up or left out. */
const ofProcess = (metric: MetricObject): MetricObject =>
  metric.name.startsWith('capstan_process_') ? { ...metric, aggregator: 'first' } : metric;
