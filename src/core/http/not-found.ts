import type { FastifyReply, FastifyRequest } from 'fastify';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type Cors, methodsOf } from './cors.ts';
import type { Mounted } from './mount.ts';
import type { PageSender } from './pages.ts';
import { noSuchPath } from './path.ts';
import { everyAnswer, sendProblem } from './problem-reply.ts';

interface NotFoundOptions {
  mounted: readonly Mounted[];
  cors: Cors;
  pages: PageSender | null;
  fail(error: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply>;
}

/** Handles requests without a route: preflights, unsupported methods, web pages and unknown paths. */
export async function notFound(
  { mounted, cors, pages, fail }: NotFoundOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = request.url.split('?', 1)[0] as string;
  const operations = mounted.filter((entry) => entry.matches(path)).map((entry) => entry.operation);
  if (operations.length === 0)
    return (await pages?.answer(request, reply)) === true ? reply : fail(noSuchPath(), request, reply);
  const allow = methodsOf(operations);
  if (request.method === 'OPTIONS')
    return reply
      .code(204)
      .headers({ ...everyAnswer(request.id), allow, ...cors.preflight(operations, request.headers) })
      .send();
  const detail = `Method ${request.method} not allowed. Allowed: ${allow}.`;
  const problem = coreProblem('http.method_not_allowed', detail, { headers: { allow } });
  return sendProblem(reply, problem, request.id);
}
