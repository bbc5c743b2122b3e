import type { Handler } from '../http/operation.ts';
import type { Metrics } from '../metrics.ts';
import type { healthContract } from './contract.ts';
import { checkMayRead } from './may-read.ts';

export const getMetrics =
  ({ registry }: Pick<Metrics, 'registry'>, token: string | null): Handler<typeof healthContract.getMetrics> =>
  async (input) => {
    checkMayRead(input, token);
    return { media_type: registry.contentType, body: await registry.metrics(), cache_control: 'no-store' };
  };
