import { Problem } from '#core/problem/problem.ts';

/** What a transport error says, as a Problem; the transport wraps causes in causes. */
export const failureOf = (error: unknown, url: URL): Problem => {
  for (const it of causes(error)) if (it instanceof Problem) return it;
  const codes = causes(error).map((it) => String((it as { code?: unknown }).code ?? ''));
  if (codes.some((it) => TIMEOUTS.has(it))) return timedOut(url, error);
  if (codes.some((it) => CUT_OFF.has(it))) {
    const detail = `The connection to ${url.host} was closed before the response was complete.`;
    return new Problem('upstream_failed', 'outbound.cut_off', detail, { cause: error });
  }
  const code = codes.find((it) => it !== '') ?? 'unknown reason';
  const detail = `${url.host} is unreachable (${code}).`;
  return new Problem('upstream_failed', 'outbound.unreachable', detail, { cause: error });
};

export const timedOut = (url: URL, cause?: unknown): Problem =>
  new Problem('upstream_timeout', 'outbound.timeout', `${url.host} timed out.`, { cause });

const TIMEOUTS = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const CUT_OFF = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RESPONSE',
  'Z_BUF_ERROR',
  'Z_DATA_ERROR',
  'HPE_INVALID_EOF_STATE',
  'HPE_INVALID_CONSTANT',
]);

const causes = (error: unknown): unknown[] => {
  const chain: unknown[] = [];
  const queue = [error];
  while (queue.length > 0 && chain.length < 16) {
    const it = queue.shift();
    if (!(it instanceof Error) || chain.includes(it)) continue;
    chain.push(it);
    queue.push(it.cause, ...(it instanceof AggregateError ? it.errors : []));
  }
  return chain;
};
