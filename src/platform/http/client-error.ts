import type { Socket } from 'node:net';
import { newId } from '../ids.ts';
import { PROBLEM_STATUS, Problem } from '../problem.ts';
import { problemBody, titleOf } from './problem-reply.ts';

/** Answers bytes that never became a request: oversized headers, time-outs, no HTTP at all. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const id = newId();
  const body = JSON.stringify(problemBody(problem, id));
  socket.end(
    `HTTP/1.1 ${PROBLEM_STATUS[problem.kind]} ${titleOf(problem.kind)}\r\n` +
      `content-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: ${id}\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  );
}

function problemOf(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request_timeout', 'http.request_timeout', 'The request took too long to arrive.');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('headers_too_large', 'http.headers_too_large', 'The request line and headers are over 16 KiB.');
  return new Problem('invalid_request', 'http.malformed_request', 'This is not a well-formed HTTP/1.1 request.');
}
