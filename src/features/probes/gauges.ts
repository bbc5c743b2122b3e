import { Counter, Gauge, type Registry } from 'prom-client';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { countProbes, type ProbeCounts } from './read-probes.ts';
import type { RunnableDeps } from './runnable.ts';

/** `capstan_probe_…`: what is known of servers, read when it is asked for, and the visits of this process. */

const FRESH_MS = 15_000;

export function gaugeProbes(registry: Registry, { db, clock }: Pick<RunnableDeps, 'db'> & { clock: Clock }) {
  let kept: { at_ms: number; counts: Promise<ProbeCounts> } | undefined;
  const counts = (): Promise<ProbeCounts> => {
    const now_ms = clock.now();
    if (kept === undefined || kept.at_ms + FRESH_MS < now_ms)
      kept = { at_ms: now_ms, counts: countProbes(db, isoTime(now_ms)) };
    // A database that is gone is no reason to show no metrics at all.
    return kept.counts.catch(() => {
      kept = undefined;
      return NONE;
    });
  };
  const gauge = (name: string, help: string, read: (counts: ProbeCounts) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        this.set(read(await counts()));
      },
    });
  new Gauge({
    name: 'capstan_probe_servers',
    help: 'Servers that listings name, by why they can or cannot be called now.',
    labelNames: ['reason'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [reason, count] of (await counts()).by_reason) this.set({ reason }, count);
    },
  });
  gauge('capstan_probe_hosts', 'Hosts of those servers.', (it) => it.hosts);
  gauge('capstan_probe_hosts_waiting', 'Hosts that may not be visited again yet.', (it) => it.hosts_waiting);
  gauge('capstan_probe_tools', 'Tools of those servers that are kept.', (it) => it.tools);
  const visits = new Counter({
    name: 'capstan_probe_visits_total',
    help: 'Visits of this process by what came of them.',
    labelNames: ['reason'],
    registers: [registry],
  });
  return { visited: (reason: string | null) => visits.inc({ reason: reason ?? 'left_alone' }) };
}

const NONE: ProbeCounts = { by_reason: new Map(), hosts: 0, hosts_waiting: 0, tools: 0 };
