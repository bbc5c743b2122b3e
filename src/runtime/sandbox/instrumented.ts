import { Counter, type Registry } from 'prom-client';
import { readGauge } from '#core/metrics/gauges.ts';
import { labelHistogram } from '#core/metrics/histogram.ts';
import type { Sandbox } from './sandbox.ts';

/** The same sandbox, with its runs counted: `capstan_sandbox_…`. */
export function instrumentedSandbox(sandbox: Sandbox, registry: Registry): Sandbox {
  const gauge = (name: string, help: string, read: () => number) => readGauge(registry, { name, help }, read);
  gauge('capstan_sandbox_running', 'Sandboxed processes that are there now.', () => sandbox.counts().running);
  gauge('capstan_sandbox_queued', 'Runs that wait for a place in the sandbox.', () => sandbox.counts().queued);
  const runs = new Counter({
    name: 'capstan_sandbox_runs_total',
    help: 'Runs by language and how they ended; timed_out, memory_exceeded, output_exceeded and cancelled were killed, refused never began.',
    labelNames: ['language', 'status'],
    registers: [registry],
  });
  const seconds = (name: string, help: string) => {
    const histogram = labelHistogram({ name, help, label: 'language', bounds: [0.1, 0.2, 0.5, 1, 3, 10, 30] });
    registry.registerMetric(histogram.metric);
    return histogram;
  };
  const started = seconds('capstan_sandbox_start_seconds', 'From a process’s start until its script began.');
  const ended = seconds('capstan_sandbox_run_seconds', 'From a process’s start to its end.');
  return {
    isolation: sandbox.isolation,
    counts: () => sandbox.counts(),
    selfTest: () => sandbox.selfTest(),
    close: () => sandbox.close(),
    run: async (request) => {
      const { language } = request;
      const result = await sandbox.run(request).catch((error) => {
        runs.inc({ language, status: 'refused' });
        throw error;
      });
      runs.inc({ language, status: result.status });
      ended.observe(language, result.duration_ms / 1_000);
      if (result.boot_ms !== null) started.observe(language, result.boot_ms / 1_000);
      return result;
    },
  };
}
