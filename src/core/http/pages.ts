import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredType } from './accept.ts';
import { boundForm } from './body-bounds.ts';
import type { ClientAddress } from './client-address.ts';
import type { OperationBase, Reply } from './operation.ts';
import type { ProblemBody } from './problem-body.ts';
import { type Sending, send } from './send.ts';

/** Web pages exist at paths without an operation, and show errors to clients that prefer HTML. */

export interface Pages {
  /** Null if there is no page at the path. */
  answer(request: PageRequest): Promise<Reply | null>;
  problem(problem: ProblemBody, request: PageRequest): Promise<Reply>;
  /** Returns the path to route to and adds the token: pages have their own requests to the API. */
  door(request: { url?: string | undefined; headers: PageRequest['headers'] }): string;
}

export interface PageRequest {
  method: 'GET' | 'HEAD' | 'POST';
  /** Including the query string. */
  url: string;
  headers: Record<string, string | string[] | undefined>;
  /** Text; of a form with files, one character per byte. */
  body: string;
  address: string;
}

export interface PageSender {
  /** Returns false if there is no page at the path. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  problem(problem: ProblemBody, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** The metrics label of a sent page; null otherwise. */
  countedAs(request: FastifyRequest): string | null;
}

export const MULTIPART = /^multipart\/form-data\s*(?:;|$)/i;

const METHODS = ['GET', 'HEAD', 'POST'];

export function pageSender(pages: Pages, sending: Sending & { addressOf: ClientAddress }): PageSender {
  const asked = (request: FastifyRequest, body: unknown = ''): PageRequest => ({
    method: request.method as PageRequest['method'],
    url: request.raw.url ?? '/',
    headers: request.headers,
    body: typeof body === 'string' ? body : '',
    address: sending.addressOf(request.raw),
  });
  const shown = new WeakSet<FastifyRequest>();
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, page: Reply): Promise<void> => {
    shown.add(request);
    await send(request, reply.raw, page, { operation: PAGE, ...sending });
    reply.hijack();
  };
  return {
    answer: async (request, reply) => {
      if (!METHODS.includes(request.method)) return false;
      // The parts of a form with files are bounded where they are read.
      if (typeof request.body === 'string' && !MULTIPART.test(request.headers['content-type'] ?? ''))
        boundForm(request.body);
      const page = await pages.answer(asked(request, request.body));
      if (page !== null) await sendPage(request, reply, page);
      return page !== null;
    },
    problem: async (problem, request, reply) => sendPage(request, reply, await pages.problem(problem, asked(request))),
    countedAs: (request) => (shown.has(request) ? PAGE.id : null),
  };
}

/** True for browser navigation. API clients do not send this. */
export const prefersPage = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
  headers.accept?.includes('text/html') === true &&
  METHODS.includes(method) &&
  preferredType(headers.accept, ['application/problem+json', 'text/html']) === 'text/html';

/** For sending, a page is a non-public operation. */
const PAGE: OperationBase = {
  id: 'web.page',
  method: 'GET',
  path: 'page',
  access: 'optional',
  summary: '',
  description: '',
  answers: {},
  problems: [],
};
