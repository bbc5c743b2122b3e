import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import type { Mounted } from './mount.ts';
import { noSuchPath } from './path.ts';
import { sendProblem } from './problem-reply.ts';

/** What no route took: a preflight, another method's path, or no path of ours. */
export function notFound(mounted: readonly Mounted[], request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0] as string;
  const methods = mounted.filter((it) => it.matches(path)).map((it) => it.operation.method);
  if (methods.length === 0) return sendProblem(reply, noSuchPath(), request.id);
  const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
  if (request.method === 'OPTIONS') return reply.code(204).headers(preflight(allow)).send();
  const detail = `${request.method} is not allowed here; ${allow} are.`;
  const problem = new Problem('method_not_allowed', 'http.method_not_allowed', detail, { headers: { allow } });
  return sendProblem(reply, problem, request.id);
}

const preflight = (allow: string): Record<string, string> => ({
  allow,
  'access-control-allow-origin': '*',
  'access-control-allow-methods': allow,
  'access-control-allow-headers': 'Accept, Content-Type, If-None-Match, X-Request-Id',
  'access-control-max-age': '86400',
});
