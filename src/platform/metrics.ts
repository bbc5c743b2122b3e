import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** This process's metrics. Labels are bounded: routes of the contract, status classes; never ids or user text. */
export interface Metrics {
  registry: Registry;
  /** Without a duration: a 200 that was ready, sent in microseconds. */
  answered(route: string, status: number, duration_ms: number | null): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'capstan_' });
  // Counted here and added up when they are asked for: the library's counting is a tenth of such an answer's time.
  const ready = new Map<string, number>();
  const requests = new Counter({
    name: 'capstan_http_requests_total',
    help: 'Answers by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      for (const [route, count] of ready) this.inc({ route, status: 200 }, count);
      ready.clear();
    },
  });
  const seconds = new Histogram({
    name: 'capstan_http_request_seconds',
    help: 'Time from request to answer, of those that reached the router.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  return {
    registry,
    answered: (route, status, duration_ms) => {
      if (duration_ms === null) return void ready.set(route, (ready.get(route) ?? 0) + 1);
      requests.inc({ route, status });
      seconds.observe({ route }, duration_ms / 1_000);
    },
  };
}
