import type { Registry } from 'prom-client';
import type { McpFailure } from '#core/mcp/failure.ts';
import { readGauge } from '#core/metrics/gauges.ts';
import { labelHistogram } from '#core/metrics/histogram.ts';
import { Problem } from '#core/problem/problem.ts';
import type { RuntimeCounts } from './runtime.ts';

/** `capstan_runtime…`: boxes and their memory, preparations and starts by outcome. */

export interface ServerCounts {
  prepared: number;
  started: number;
  failed: number;
}

interface Meter {
  prepared<T>(work: () => Promise<T>): Promise<T>;
  started<T extends { ok: true } | { ok: false; failure: McpFailure }>(work: () => Promise<T>): Promise<T>;
  counts(): ServerCounts;
}

export function instrumentedServers(registry: Registry, runtime: () => RuntimeCounts): Meter {
  const counts: ServerCounts = { prepared: 0, started: 0, failed: 0 };
  const [prepare, start] = [
    labelHistogram({
      name: 'capstan_runtime_prepare_seconds',
      help: 'Preparations of packages that were not stored yet, by outcome.',
      label: 'outcome',
      bounds: [1, 5, 15, 30, 60, 120],
    }),
    labelHistogram({
      name: 'capstan_runtime_start_seconds',
      help: 'Starts of prepared packages until they spoke MCP, by outcome.',
      label: 'outcome',
      bounds: [0.2, 0.5, 1, 2, 5, 15, 60],
    }),
  ];
  registry.registerMetric(prepare.metric);
  registry.registerMetric(start.metric);
  readGauge(registry, { name: 'capstan_runtime_boxes', help: 'Boxes that run packages now.' }, () => runtime().boxes);
  readGauge(
    registry,
    { name: 'capstan_runtime_memory_bytes', help: 'Memory of all boxes together.' },
    () => runtime().memory_bytes,
  );
  return {
    counts: () => counts,
    prepared: async (work) => {
      const beganMs = performance.now();
      let outcome = 'failed';
      try {
        const result = await work();
        outcome = 'ok';
        counts.prepared += 1;
        return result;
      } catch (error) {
        if (error instanceof Problem) outcome = error.reason ?? error.code.slice(error.code.indexOf('.') + 1);
        throw error;
      } finally {
        prepare.observe(outcome, (performance.now() - beganMs) / 1_000);
      }
    },
    started: async (work) => {
      const beganMs = performance.now();
      let outcome = 'failed';
      try {
        const result = await work();
        outcome = result.ok ? 'ok' : result.failure.reason;
        if (result.ok) counts.started += 1;
        else counts.failed += 1;
        return result;
      } finally {
        start.observe(outcome, (performance.now() - beganMs) / 1_000);
      }
    },
  };
}
