import { defined } from '#core/defined.ts';
import { Problem } from '#core/problem/problem.ts';
import type { RequestSpans } from '#core/telemetry/request-spans.ts';
import type { Outbound } from './outbound.ts';

/**
 * Reports outbound requests to the span of the current request: host, duration until the response started, and result.
 * Paths and queries may be secret, so they are omitted. No `traceparent` is sent, because the hosts are untrusted.
 */
export const tracedOutbound = (outbound: Outbound, spans: RequestSpans): Outbound => ({
  close: () => outbound.close(),
  fetch: async (url, init) => {
    const began_ms = performance.now();
    const method = (init?.method ?? 'GET').toUpperCase();
    const tell = (status?: number, error_type?: string) =>
      spans.asked({
        name: method,
        began_ms,
        error_type,
        attributes: {
          'http.request.method': method,
          'server.address': URL.parse(String(url))?.hostname ?? 'invalid',
          ...defined({ 'http.response.status_code': status }),
        },
      });
    try {
      const answer = await outbound.fetch(url, init);
      tell(answer.status, answer.status >= 400 ? `${answer.status}` : undefined);
      return answer;
    } catch (error) {
      tell(undefined, error instanceof Problem ? error.code : 'given_up');
      throw error;
    }
  },
});
