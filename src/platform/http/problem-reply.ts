import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { type FieldError, Problem } from '../problem.ts';
import { OPEN_TO_ALL } from './cors.ts';

/** RFC 9457. `type` is the page of the code under /docs/errors. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  errors?: FieldError[];
}

export function problemBody(problem: Problem, request_id: string): ProblemBody {
  return {
    type: `/docs/errors/${problem.code}`,
    title: titleOf(problem.kind),
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    request_id,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    ...problem.extensions,
  };
}

/** `not_found` reads "Not found". */
export const titleOf = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');

/** The headers of every answer, problems of the router included. */
export const everyAnswer = (request_id: string): Record<string, string> => ({
  'x-request-id': request_id,
  'x-content-type-options': 'nosniff',
});

/** `cors` where not every page may read it. */
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

// Sent as bytes: to a string the framework would add a charset, which the media type does not have.
export const sendProblem = (
  reply: FastifyReply,
  problem: Problem,
  request_id: string,
  cors?: Record<string, string>,
): FastifyReply =>
  reply
    .code(problem.status)
    .headers(problemHeaders(problem, request_id, cors))
    .send(Buffer.from(JSON.stringify(problemBody(problem, request_id))));

/** The same past the framework. */
export function endProblem(response: ServerResponse, problem: Problem, request_id: string): void {
  const body = JSON.stringify(problemBody(problem, request_id));
  const length = { 'content-length': Buffer.byteLength(body) };
  response.writeHead(problem.status, { ...problemHeaders(problem, request_id), ...length });
  response.end(body);
}

/** Anything else is a bug: told apart here, logged once by the caller, shown without its message. */
export const asProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem('internal', 'http.internal', 'Something went wrong here. Quote the request_id when you report it.', {
        cause: error,
      });
