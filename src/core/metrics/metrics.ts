import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { SERVICE } from '#core/service.ts';
import { watchEventLoop } from './event-loop.ts';
import { readGauge } from './gauges.ts';
import { labelHistogram } from './histogram.ts';

/**
 * Metrics of this process. Labels are limited to operations of the contract, codes and kinds; never ids or text of a
 * request.
 */
interface Metrics {
  registry: Registry;
  /** Counts by operation id. Without a duration, it was a cached 200 that took microseconds. */
  answered(operation: string, status: number, durationMs: number | null): void;
  /** Counts a failed request by its problem code. */
  failed(code: string): void;
  /** Requests in progress. */
  load: { under_way: number };
}

const CLASSES = ['', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'capstan_' });
  aboutProcess(registry);
  watchEventLoop(registry);
  const counts = countAnswers(registry);
  const seconds = labelHistogram({
    name: 'capstan_http_request_seconds',
    help: 'Request duration, except for cached responses.',
    label: 'operation',
    bounds: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
  });
  registry.registerMetric(seconds.metric);
  const problems = new Counter({
    name: 'capstan_http_problems_total',
    help: 'Failed requests by problem code.',
    labelNames: ['code'],
    registers: [registry],
  });
  const load = { under_way: 0 };
  readGauge(registry, { name: 'capstan_http_requests_under_way', help: 'Requests in progress.' }, () => load.under_way);
  return {
    registry,
    load,
    answered: (operation, status, durationMs) => {
      const at = Math.min(Math.trunc(status / 100), 5);
      const classes = counts.get(operation) ?? added(counts, operation);
      classes[at] = (classes[at] as number) + 1;
      if (durationMs !== null) seconds.observe(operation, durationMs / 1_000);
    },
    failed: (code) => problems.inc({ code }),
  };
}

type Counts = Map<string, Float64Array>;

function added(counts: Counts, operation: string): Float64Array {
  const classes = new Float64Array(CLASSES.length);
  counts.set(operation, classes);
  return classes;
}

/** Counted here and passed to the library when metrics are requested. */
function countAnswers(registry: Registry): Counts {
  const counts: Counts = new Map();
  new Counter({
    name: 'capstan_http_requests_total',
    help: 'Responses by operation and status class.',
    labelNames: ['operation', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [operation, classes] of counts)
        for (const [at, status] of CLASSES.entries())
          if ((classes[at] as number) > 0) this.inc({ operation, status }, classes[at]);
    },
  });
  return counts;
}

function aboutProcess(registry: Registry): void {
  new Gauge({
    name: 'capstan_build_info',
    help: 'Always 1; the labels contain the versions.',
    labelNames: ['version', 'node'],
    aggregator: 'max',
    registers: [registry],
  }).set({ version: SERVICE.version, node: process.version }, 1);
  readGauge(
    registry,
    { name: 'capstan_child_processes', help: 'Running child processes.' },
    () => process.getActiveResourcesInfo().filter((text) => text === 'ProcessWrap').length,
  );
}
