import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import { routeHistogram } from './histogram.ts';

/** This process's metrics. Labels are bounded: routes of the contract, status classes; never ids or user text. */
export interface Metrics {
  registry: Registry;
  /** Without a duration: a 200 that was ready, sent in microseconds. */
  answered(route: string, status: number, duration_ms: number | null): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'capstan_' });
  // By status and route; counted here and given to the library when they are asked for.
  const answers = new Map<number, Map<string, number>>();
  new Counter({
    name: 'capstan_http_requests_total',
    help: 'Answers by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      for (const [status, byRoute] of answers) for (const [route, count] of byRoute) this.inc({ route, status }, count);
      answers.clear();
    },
  });
  const seconds = routeHistogram({
    name: 'capstan_http_request_seconds',
    help: 'Time from request to answer, of those that were not ready.',
    bounds: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
  });
  registry.registerMetric(seconds.metric);
  return {
    registry,
    answered: (route, status, duration_ms) => {
      const byRoute = answers.get(status) ?? new Map<string, number>();
      if (byRoute.size === 0) answers.set(status, byRoute);
      byRoute.set(route, (byRoute.get(route) ?? 0) + 1);
      if (duration_ms !== null) seconds.observe(route, duration_ms / 1_000);
    },
  };
}
