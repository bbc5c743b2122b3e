import type { Registry } from 'prom-client';
import { labelHistogram } from '#core/metrics/histogram.ts';
import { Problem } from '#core/problem/problem.ts';
import type { Outbound } from './outbound.ts';

/** Counts outbound requests by result: `capstan_outbound_seconds`. Addresses are untrusted, so they are not a label. */
export function instrumentedOutbound(outbound: Outbound, registry: Registry): Outbound {
  const seconds = labelHistogram({
    name: 'capstan_outbound_seconds',
    help: 'Outbound requests to untrusted addresses, until the response started, by status class or error.',
    label: 'outcome',
    bounds: [0.05, 0.2, 1, 5, 20, 60],
  });
  registry.registerMetric(seconds.metric);
  return {
    close: () => outbound.close(),
    fetch: async (url, init) => {
      const beganMs = performance.now();
      const tell = (outcome: string) => seconds.observe(outcome, (performance.now() - beganMs) / 1_000);
      try {
        const answer = await outbound.fetch(url, init);
        tell(`${Math.trunc(answer.status / 100)}xx`);
        return answer;
      } catch (error) {
        tell(error instanceof Problem ? (error.reason ?? error.code.replace('outbound.', '')) : 'given_up');
        throw error;
      }
    },
  };
}
