import { Counter, type Registry } from 'prom-client';
import type { CountQuota } from './quota.ts';

/** `capstan_quota_requests_total`: what became of the LLM requests that this process asked the quota for. */
export function countQuota(registry: Registry): CountQuota {
  const counter = new Counter({
    name: 'capstan_quota_requests_total',
    help: 'LLM requests charged to, rejected by or refunded to daily user quotas.',
    labelNames: ['event'],
    registers: [registry],
  });
  for (const event of ['taken', 'refused', 'given_back']) counter.inc({ event }, 0);
  return (event) => counter.inc({ event });
}
