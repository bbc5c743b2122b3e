import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type ServerOptions as HttpServerOptions,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import { answerClientError } from './client-error.ts';
import { type Mounted, mountOperation } from './mount.ts';
import type { Handler, OperationBase } from './operation.ts';
import { asProblem, everyAnswer, sendProblem } from './problem-reply.ts';
import { type ReadyAnswers, readyAnswers } from './ready-answers.ts';

/** The HTTP server: limits, request ids, the one error boundary. Operations are mounted from the contract. */

export const BODY_LIMIT_BYTES = 1_048_576;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_PARAM_LENGTH = 8_192;

export interface ServerOptions {
  operations: readonly { operation: OperationBase; handler: Handler }[];
  log: Log;
  /** Turns errors that mean something to an operator, such as a database that is away, into Problems. */
  explain?: (error: unknown) => unknown;
  /** Told of every answer: the route's path in the contract, and how long it took. */
  onAnswer(operation: string, status: number, duration_ms: number): void;
}

export interface HttpServer {
  fastify: FastifyInstance;
  /** Answers the address it really listens on. */
  listen(host: string, port: number): Promise<{ host: string; port: number }>;
  /** Stops accepting, lets requests end, cuts what is left after `grace_ms`. */
  close(grace_ms: number): Promise<void>;
}

const REQUEST_ID = /^[\w.-]{8,64}$/;

export function createServer({ operations, log, explain = (error) => error, onAnswer }: ServerOptions): HttpServer {
  const ready = readyAnswers({ newRequestId: newId, isOpen: () => fastify.server.listening, onAnswer });
  const fastify: FastifyInstance = Fastify({
    serverFactory: (route, options) => httpServer(ready, route, options as unknown as HttpOptions),
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5_000 },
    // A request on its way when the signal comes is still answered.
    return503OnClosing: false,
    // Idle sockets are cut at shutdown; those that answer get their time in close().
    forceCloseConnections: 'idle',
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
    },
    // Inputs are checked by the contract's own schemas; the framework's compilers would be loaded for nothing (8 MB).
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => fail(error, request, reply),
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(everyAnswer(request.id));
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    onAnswer(request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime);
    log.debug(
      { method: request.method, path: pathOf(request), status: reply.statusCode, request_id: request.id },
      'answered',
    );
    done();
  });
  // Bodies are read as text: parsing belongs to the operation, so that its errors can name the field.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  const mounted = operations
    .filter(({ operation }) => operation.mounted_by === undefined)
    .flatMap(({ operation, handler }) => mountOperation(fastify, operation, handler, ready));
  fastify.setErrorHandler((error: FastifyError, request, reply) => fail(error, request, reply));
  fastify.setNotFoundHandler((request, reply) => notFound(mounted, request, reply));

  function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const problem = asProblem(explain(fromFastify(error)));
    if (problem.kind === 'internal')
      log.error(
        { error: problem.cause, method: request.method, path: pathOf(request), request_id: request.id },
        'a bug',
      );
    return sendProblem(reply, problem, request.id);
  }

  return {
    fastify,
    listen: async (host, port) => {
      await fastify.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
        throw listenProblem(error, host, port);
      });
      return { host, port: (fastify.server.address() as AddressInfo).port };
    },
    close: async (grace_ms) => {
      const closed = fastify.server.listening ? once(fastify.server, 'close') : Promise.resolve();
      const timer = setTimeout(() => fastify.server.closeAllConnections(), grace_ms);
      await fastify.close();
      await closed;
      clearTimeout(timer);
    },
  };
}

interface HttpOptions {
  http: HttpServerOptions;
  keepAliveTimeout: number;
  requestTimeout: number;
}

/** What is ready goes out before the router sees the request; everything else takes the long way. */
function httpServer(ready: ReadyAnswers, route: RequestListener, options: HttpOptions): Server {
  const { http, keepAliveTimeout, requestTimeout } = options;
  return createHttpServer({ ...http, keepAliveTimeout, requestTimeout }, (request, response) => {
    if (!ready.send(request, response)) route(request, response);
  });
}

const unused = (): never => {
  throw new Error('No route of ours has a schema for the framework.');
};

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] as string;

/** The framework's own refusals, in our words. */
function fromFastify(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('too_large', 'http.body_too_large', `The body is over ${BODY_LIMIT_BYTES} bytes.`);
    case 'FST_ERR_BAD_URL':
      return new Problem(
        'invalid_request',
        'http.malformed_path',
        'The path holds a malformed percent escape; a literal % is sent as %25.',
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem(
        'invalid_request',
        'http.malformed_request',
        'The body is not as long as Content-Length says.',
      );
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Problem(
        'invalid_request',
        'http.malformed_path',
        `A part of the path is over ${MAX_PARAM_LENGTH} characters.`,
      );
    default:
      return error;
  }
}

function notFound(mounted: Mounted[], request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pathOf(request);
  const methods = mounted.filter((it) => it.matches(path)).map((it) => it.operation.method);
  if (methods.length === 0)
    return sendProblem(
      reply,
      new Problem('not_found', 'http.no_such_path', 'There is nothing at this path. GET / lists what there is.'),
      request.id,
    );
  const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
  if (request.method === 'OPTIONS') return reply.code(204).headers(preflight(allow)).send();
  const problem = new Problem(
    'method_not_allowed',
    'http.method_not_allowed',
    `${request.method} is not allowed here; ${allow} are.`,
    {
      headers: { allow },
    },
  );
  return sendProblem(reply, problem, request.id);
}

const preflight = (allow: string): Record<string, string> => ({
  allow,
  'access-control-allow-origin': '*',
  'access-control-allow-methods': allow,
  'access-control-allow-headers': 'Accept, Content-Type, If-None-Match, X-Request-Id',
  'access-control-max-age': '86400',
});

function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  if (error.code === 'EADDRINUSE')
    return new Problem(
      'unavailable',
      'startup.port_taken',
      `Port ${port} on ${host} is taken. Stop what uses it, or set PORT to another.`,
    );
  if (error.code === 'EACCES')
    return new Problem(
      'unavailable',
      'startup.port_refused',
      `Port ${port} may not be opened by this user. Set PORT to one above 1023.`,
    );
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Problem(
      'unavailable',
      'startup.host_unknown',
      `HOST ${host} is not an address of this machine. 127.0.0.1 or 0.0.0.0 are usual.`,
    );
  return error;
}
