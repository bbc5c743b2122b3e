import { Counter, type Registry } from 'prom-client';

const REFRESH_OUTCOMES = ['renewed', 'failed', 'ended'] as const;
export type CountRefresh = (outcome: (typeof REFRESH_OUTCOMES)[number]) => void;

/** The metric `capstan_connection_refreshes_total`. */
export function countRefreshes(registry: Registry): CountRefresh {
  const counter = new Counter({
    name: 'capstan_connection_refreshes_total',
    help: 'Token refreshes by outcome: renewed, failed temporarily, or ended (the user must authorize again).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of REFRESH_OUTCOMES) counter.inc({ outcome }, 0);
  return (outcome) => counter.inc({ outcome });
}
