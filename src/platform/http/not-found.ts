import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import { type Cors, methodsOf } from './cors.ts';
import type { Mounted } from './mount.ts';
import { noSuchPath } from './path.ts';
import { sendProblem } from './problem-reply.ts';

/** What no route took: a preflight, another method's path, or no path of ours. */
export function notFound(
  { mounted, cors }: { mounted: readonly Mounted[]; cors: Cors },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const path = request.url.split('?', 1)[0] as string;
  const operations = mounted.filter((it) => it.matches(path)).map((it) => it.operation);
  if (operations.length === 0) return sendProblem(reply, noSuchPath(), request.id);
  const allow = methodsOf(operations);
  if (request.method === 'OPTIONS')
    return reply
      .code(204)
      .headers({ allow, ...cors.preflight(operations, request.headers) })
      .send();
  const detail = `${request.method} is not allowed here; ${allow} are.`;
  const problem = new Problem('method_not_allowed', 'http.method_not_allowed', detail, { headers: { allow } });
  return sendProblem(reply, problem, request.id);
}
