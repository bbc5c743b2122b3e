import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { coreProblem } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem/problem.ts';
import type { Hosts } from './hosts.ts';
import { problemBody, titleOf } from './problem-body.ts';
import { endProblem, problemHeaders } from './problem-reply.ts';

/** Responds to data that never became a request: oversized headers, timeouts, or anything other than HTTP. */
export function answerClientError(
  error: Error & { code?: string },
  socket: Socket,
  more_headers: Record<string, string> = {},
): void {
  // Writing another response now would corrupt the one being sent.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.writableLength > 0) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const id = newId();
  const body = JSON.stringify(problemBody(problem, id));
  const headers = {
    ...problemHeaders(problem, id),
    ...more_headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${titleOf(problem.kind)}\r\n${lines.join('')}\r\n${body}`);
}

/** Limit for path and query string; RFC 9110 recommends at least 8,000. */
export const MAX_URL_CHARS = 8_192;

export function refuseLongUrl(request: IncomingMessage, response: ServerResponse): boolean {
  if ((request.url ?? '').length <= MAX_URL_CHARS) return false;
  const detail = `URL too long (limit: ${MAX_URL_CHARS.toLocaleString('en')} characters).`;
  endProblem(response, coreProblem('http.url_too_long', detail), newId());
  return true;
}

/** RFC 9112: an HTTP/1.1 request has exactly one Host. Checked here, because Node's own response has no body. */
export function refuseWithoutHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.httpVersion !== '1.1' || countHosts(request.rawHeaders) === 1) return false;
  const problem = coreProblem('http.invalid', 'HTTP/1.1 requests must have exactly one Host header.', {
    reason: 'message',
  });
  response.setHeader('connection', 'close');
  endProblem(response, problem, newId());
  return true;
}

/** With two Host headers, a proxy in front may use a different one than we do. */
function countHosts(namesAndValues: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < namesAndValues.length; at += 2) {
    const name = namesAndValues[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Refuses a request for a foreign host; paths in `any_host` accept every host. */
export function refuseOtherHost(
  request: IncomingMessage,
  response: ServerResponse,
  hosts: Hosts,
  any_host: ReadonlySet<string>,
): boolean {
  try {
    hosts.check(request.headers.host);
    return false;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (any_host.has((request.url ?? '').split('?', 1)[0] as string)) return false;
    endProblem(response, error, newId());
    return true;
  }
}

function problemOf(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return coreProblem('http.request_timeout', 'The request timed out before it was complete.');
  if (code === 'HPE_HEADER_OVERFLOW')
    return coreProblem('http.headers_too_large', 'Request headers too large (limit: 16 KiB).');
  return coreProblem('http.invalid', 'Malformed HTTP/1.1 request.', { reason: 'message' });
}
