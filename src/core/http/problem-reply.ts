import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { coreProblem } from '#core/errors.ts';
import { Problem } from '#core/problem/problem.ts';
import { OPEN_TO_ALL } from './cors.ts';
import { type ErrorForm, writeError } from './error-form.ts';
import { problemBody } from './problem-body.ts';

/** The headers of every response, including problems of the router. */
export const everyAnswer = (request_id: string): Record<string, string> => ({
  'x-request-id': request_id,
  'x-content-type-options': 'nosniff',
});

/** `cors` is set if not every page may read the response. */
export const problemHeaders = (
  problem: Problem,
  request_id: string,
  cors: Record<string, string> = OPEN_TO_ALL,
): Record<string, string> => ({
  ...everyAnswer(request_id),
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
  ...cors,
  ...problem.headers,
});

// Sent as bytes, because the framework would add a charset to a string, which this media type does not have.
export function sendProblem(
  reply: FastifyReply,
  problem: Problem,
  request_id: string,
  cors?: Record<string, string>,
  form?: ErrorForm,
): FastifyReply {
  const { media_type, body } = writeError(problem, request_id, form);
  return reply
    .code(problem.status)
    .headers({ ...problemHeaders(problem, request_id, cors), 'content-type': media_type })
    .send(Buffer.from(JSON.stringify(body)));
}

/** Sends a problem without the framework. */
export function endProblem(response: ServerResponse, problem: Problem, request_id: string): void {
  const body = JSON.stringify(problemBody(problem, request_id));
  const length = { 'content-length': Buffer.byteLength(body) };
  response.writeHead(problem.status, { ...problemHeaders(problem, request_id), ...length });
  response.end(body);
}

/** Any other error is a bug: the caller logs it once, and the response does not contain its message. */
export const asProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : coreProblem('http.internal', 'Internal error. Include the request_id when you report it.', {
        cause: error,
      });
