import { Counter, type Registry } from 'prom-client';
import type { OnRefused } from './limiter.ts';

/** The metric `capstan_rate_limited_total`: requests over a limit, by its name. */
export function countRefused(registry: Registry): OnRefused {
  const counter = new Counter({
    name: 'capstan_rate_limited_total',
    help: 'Requests rejected by a rate limit or quota.',
    labelNames: ['limit'],
    registers: [registry],
  });
  return (limit) => counter.inc({ limit });
}
