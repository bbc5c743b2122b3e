import { Counter, type Registry } from 'prom-client';
import { readGauge } from '#core/metrics/gauges.ts';
import { labelHistogram } from '#core/metrics/histogram.ts';
import type { Sandbox } from './sandbox.ts';

/** The sandbox with metrics of its runs: `capstan_sandbox_…`. */
export function instrumentedSandbox(sandbox: Sandbox, registry: Registry): Sandbox {
  const gauge = (name: string, help: string, read: () => number) => readGauge(registry, { name, help }, read);
  gauge('capstan_sandbox_running', 'Running sandbox processes.', () => sandbox.counts().running);
  gauge('capstan_sandbox_queued', 'Runs waiting for a free sandbox slot.', () => sandbox.counts().queued);
  const runs = new Counter({
    name: 'capstan_sandbox_runs_total',
    help: 'Sandbox runs by language and result; timed_out, memory_exceeded, output_exceeded and cancelled were killed, refused never started.',
    labelNames: ['language', 'status'],
    registers: [registry],
  });
  const seconds = (name: string, help: string) => {
    const histogram = labelHistogram({ name, help, label: 'language', bounds: [0.1, 0.2, 0.5, 1, 3, 10, 30] });
    registry.registerMetric(histogram.metric);
    return histogram;
  };
  const started = seconds('capstan_sandbox_start_seconds', 'Time from process start until the script started.');
  const ended = seconds('capstan_sandbox_run_seconds', 'Time from process start to process end.');
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
