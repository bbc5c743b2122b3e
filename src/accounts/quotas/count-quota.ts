import { Counter, type Registry } from 'prom-client';
import type { CountQuota } from './quota.ts';

/** The metric `capstan_quota_requests_total`: LLM requests charged to quotas by this process. */
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
