import { coreProblem } from '#core/errors.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';

/** Converts a transport error to a Problem. The transport nests causes. */
export function failureOf(error: unknown, url: URL): Problem {
  for (const cause of causes(error)) if (cause instanceof Problem) return cause;
  const codes = causes(error).map((cause) => String((cause as { code?: unknown }).code ?? ''));
  if (codes.some((timeout) => TIMEOUTS.has(timeout))) return timedOut(url, error);
  if (codes.some((code) => CUT_OFF.has(code))) {
    const detail = `The connection to ${url.host} was closed before the response was complete.`;
    return coreProblem('outbound.failed', detail, { reason: 'cut_off', cause: error });
  }
  const isBlocked = causes(error).some(({ message }) => message === 'bad port');
  const detail = isBlocked
    ? `Port ${url.port} is reserved for another protocol, so it is never called. Use another port.`
    : unreachable(url, codes);
  return coreProblem('outbound.failed', detail, { reason: 'unreachable', cause: error });
}

function unreachable({ host }: URL, codes: readonly string[]): string {
  const code = codes.find((code) => code !== '');
  return code === undefined ? `${host} is unreachable.` : `${host} is unreachable (${code}).`;
}

export const timedOut = (url: URL, cause?: unknown): Problem =>
  coreProblem('outbound.timeout', `${url.host} timed out.`, { cause });

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

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  const queue = [error];
  while (queue.length > 0 && chain.length < 16) {
    const failure = queue.shift();
    if (!(failure instanceof Error) || chain.includes(failure)) continue;
    chain.push(failure);
    queue.push(failure.cause, ...(failure instanceof AggregateError ? failure.errors : []));
  }
  return chain;
}

/** A failure on the way that another try may not meet. */
export const isTransportFailure = (error: unknown): boolean =>
  isProblem(error, 'outbound.timeout') || isProblem(error, 'outbound.failed', 'unreachable', 'cut_off');
