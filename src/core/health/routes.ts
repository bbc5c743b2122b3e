import type { Routes } from '#core/http/operation.ts';
import type { MetricsText } from '#core/metrics/of-threads.ts';
import type { healthContract } from './contract.ts';
import { getLiveness } from './get-liveness.ts';
import { getMetrics } from './get-metrics.ts';
import { getReadiness, type ReadinessCheck } from './get-readiness.ts';

export const healthRoutes = (deps: {
  instance: string;
  metrics: MetricsText;
  metrics_token: string | null;
  checks: Record<string, ReadinessCheck>;
}): Routes<typeof healthContract> => ({
  getLiveness: getLiveness(deps.instance),
  getReadiness: getReadiness(deps.checks),
  getMetrics: getMetrics(deps.metrics, deps.metrics_token),
});
