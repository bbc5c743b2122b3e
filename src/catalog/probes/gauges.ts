import { Counter, type Registry } from 'prom-client';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { keptReading, readGauge, readGauges } from '#core/metrics/gauges.ts';
import { countProbes, type ProbeCounts } from './read-probes.ts';
import type { RunnableDeps } from './runnable.ts';

/** `capstan_probe_…`: what is known of servers, read when it is asked for, and the visits of this process. */

export function gaugeProbes(registry: Registry, { db, clock }: Pick<RunnableDeps, 'db'> & { clock: Clock }) {
  const counts = keptReading(clock, () => countProbes(db, isoTime(clock.now())));
  const across = 'max' as const;
  const gauge = (name: string, help: string, read: (counts: ProbeCounts) => number) =>
    readGauge(registry, { name: `capstan_probe_${name}`, help, across }, async () => {
      const known = await counts();
      return known === null ? null : read(known);
    });
  readGauges(
    registry,
    {
      name: 'capstan_probe_servers',
      label: 'reason',
      across,
      help: 'Servers that listings name, by why they can or cannot be called now.',
    },
    async () => (await counts())?.by_reason ?? null,
  );
  gauge('hosts', 'Hosts of those servers.', (probeCounts) => probeCounts.hosts);
  gauge('hosts_waiting', 'Hosts that may not be visited again yet.', (probeCounts) => probeCounts.hosts_waiting);
  gauge('tools', 'Tools of those servers that are kept.', (probeCounts) => probeCounts.tools);
  const visits = new Counter({
    name: 'capstan_probe_visits_total',
    help: 'Visits of this process by what came of them.',
    labelNames: ['reason'],
    registers: [registry],
  });
  return { visited: (reason: string | null) => visits.inc({ reason: reason ?? 'left_alone' }) };
}
