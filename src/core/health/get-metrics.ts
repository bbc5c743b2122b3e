import type { Handler } from '#core/http/operation.ts';
import type { MetricsText } from '#core/metrics/of-threads.ts';
import type { healthContract } from './contract.ts';
import { checkMayRead } from './may-read.ts';

export const getMetrics =
  ({ media_type, read }: MetricsText, token: string | null): Handler<typeof healthContract.getMetrics> =>
  async (input) => {
    checkMayRead(input, token);
    return { media_type, body: await read(), cache_control: 'no-store' };
  };
