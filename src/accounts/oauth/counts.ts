import { Counter, type Registry } from 'prom-client';

/** Counts OAuth client events: a code or refresh token that is used twice indicates theft or a faulty client. */

const EVENTS = ['allowed', 'denied', 'redeemed', 'refreshed', 'code_replayed', 'refresh_replayed', 'revoked'] as const;
export type CountEvent = (event: (typeof EVENTS)[number]) => void;

export function countEvents(registry: Registry): CountEvent {
  const counter = new Counter({
    name: 'capstan_client_events_total',
    help: 'OAuth client session events.',
    labelNames: ['event'],
    registers: [registry],
  });
  for (const event of EVENTS) counter.inc({ event }, 0);
  return (event) => counter.inc({ event });
}
