import { Problem } from '#core/problem/problem.ts';
import type { RequestSpans } from '#core/telemetry/request-spans.ts';
import type { Outbound } from './outbound.ts';

/**
 * The same way out, told to the span of the request that goes it: which host, how long until the answer began, and how that
 * was. Paths and queries may be secrets, so none is told. No `traceparent` is sent: the hosts are strangers'.
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
          ...(status === undefined ? {} : { 'http.response.status_code': status }),
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
