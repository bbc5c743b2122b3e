import { Counter, type Registry } from 'prom-client';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { keptReading, readGauge, readGauges } from '#core/metrics/gauges.ts';
import { countProbes, type ProbeCounts } from './read-probes.ts';
import type { RunnableDeps } from './runnable.ts';

/** `capstan_probe_…`: what is known about servers, read with each scrape, and the probes of this process. */

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
      help: 'Listed servers by why they can or cannot be called.',
    },
    async () => (await counts())?.by_reason ?? null,
  );
  gauge('hosts', 'Hosts of listed servers.', (probeCounts) => probeCounts.hosts);
  gauge('hosts_waiting', 'Hosts that must not be probed yet.', (probeCounts) => probeCounts.hosts_waiting);
  gauge('packages_waiting', 'Packages of listings that were never probed.', (counts) => counts.packages_waiting);
  gauge('tools', 'Stored tools of listed servers.', (probeCounts) => probeCounts.tools);
  const probes = new Counter({
    name: 'capstan_probe_visits_total',
    help: 'Probes by this process, by result.',
    labelNames: ['reason'],
    registers: [registry],
  });
  return { probed: (reason: string | null) => probes.inc({ reason: reason ?? 'left_alone' }) };
}
