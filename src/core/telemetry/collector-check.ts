import { type Check, type Finding, fail, ok } from '#core/doctor/check.ts';
import type { OtlpTarget } from './exporter.ts';
import { collectorsOf, type TelemetryConfig } from './settings.ts';

const PATIENCE_MS = 3_000;

/** Checks that the configured collectors accept an empty batch. */
export const collectorCheck = (config: TelemetryConfig): Check => ({
  name: 'collector',
  run: async () => {
    const { traces, metrics } = collectorsOf(config);
    const set = [
      { what: 'spans', target: traces, variable: 'OTEL_TRACES_EXPORTER' },
      { what: 'metrics', target: metrics, variable: 'OTEL_METRICS_EXPORTER' },
    ].flatMap(({ target, ...rest }) => (target === null ? [] : [{ ...rest, target }]));
    if (set.length === 0) return [ok('No collector configured: spans and metrics are not exported.')];
    return Promise.all(set.map(lookAt));
  },
});

interface Looked {
  what: string;
  target: OtlpTarget;
  variable: string;
}

async function lookAt({ what, target, variable }: Looked): Promise<Finding> {
  const { origin } = new URL(target.url);
  const reason = await refusal(what, { ...target, timeout_ms: PATIENCE_MS });
  if (reason === null) return ok(`${origin} accepts ${what}.`);
  const fix =
    `Check the collector's URL and headers (docs/guides/tracing.md), or set ${variable}=none to disable this ` +
    'signal';
  return fail(`${origin} rejects ${what}: ${reason.slice(0, 200)}.`, fix);
}

async function refusal(what: string, target: OtlpTarget): Promise<string | null> {
  const { metricExporter, spanExporter } = await import('./exporter.ts');
  const { metricData } = await import('./metric-data.ts');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const nothing = metricData([], resourceFromAttributes({}), { began_ms: 0, now_ms: 0 });
  return new Promise((resolve) => {
    const done = ({ code, error }: { code: number; error?: Error }) =>
      resolve(code === 0 ? null : (error?.message ?? 'no details given').replace(/\.$/, ''));
    if (what === 'spans') spanExporter(target).export([], done);
    else metricExporter(target).export(nothing, done);
  });
}
