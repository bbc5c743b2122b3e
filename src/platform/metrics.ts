import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** This process's metrics. Labels are bounded: routes of the contract, status classes; never ids or user text. */
export interface Metrics {
  registry: Registry;
  answered(route: string, status: number, duration_ms: number): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'capstan_' });
  const requests = new Counter({
    name: 'capstan_http_requests_total',
    help: 'Answers by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'capstan_http_request_seconds',
    help: 'Time from request to answer.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  return {
    registry,
    answered: (route, status, duration_ms) => {
      requests.inc({ route, status });
      seconds.observe({ route }, duration_ms / 1_000);
    },
  };
}
