import type { Handler } from '../http/operation.ts';
import type { Metrics } from '../metrics.ts';
import type { healthContract } from './contract.ts';

export const getMetrics =
  (metrics: Metrics): Handler<typeof healthContract.getMetrics> =>
  async () => ({
    media_type: metrics.registry.contentType,
    body: await metrics.registry.metrics(),
    cache_control: 'no-store',
  });
