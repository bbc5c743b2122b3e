import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type ServerOptions as HttpServerOptions,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { answerClientError, refuseWithoutHost } from './client-error.ts';
import { BODY_LIMIT_BYTES, frameworkProblem, MAX_PARAM_LENGTH } from './framework-problem.ts';
import type { Gates } from './gates.ts';
import { listenProblem } from './listen-problem.ts';
import { mountOperation } from './mount.ts';
import { notFound } from './not-found.ts';
import type { Handler, OperationBase } from './operation.ts';
import { asProblem, everyAnswer, sendProblem } from './problem-reply.ts';
import { type ReadyAnswers, readyAnswers } from './ready-answers.ts';

/** The HTTP server: limits, request ids, the one error boundary. Operations are mounted from the contract. */

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

export interface ServerOptions {
  operations: readonly { operation: OperationBase; handler: Handler }[];
  log: Log;
  /** Needed as soon as one operation is not public. */
  gates?: Gates;
  /** Turns errors that mean something to an operator, such as a database that is away, into Problems. */
  explain?: (error: unknown) => unknown;
  /** Told of every answer: the route's path in the contract, and how long it took; null for one that was ready. */
  onAnswer(route: string, status: number, duration_ms: number | null): void;
}

export interface HttpServer {
  fastify: FastifyInstance;
  /** Answers the address it really listens on. */
  listen(host: string, port: number): Promise<{ host: string; port: number }>;
  /** Stops accepting, lets requests end, cuts what is left after `grace_ms`. */
  close(grace_ms: number): Promise<void>;
}

const REQUEST_ID = /^[\w.-]{8,64}$/;

export function createServer(options: ServerOptions): HttpServer {
  const { operations, onAnswer } = options;
  const ready = readyAnswers({ newRequestId: newId, isOpen: () => fastify.server.listening, onAnswer });
  const fail = failure(options);
  const fastify = createFastify(ready, fail);
  addHooks(fastify, options);
  const mounted = operations
    .filter(({ operation }) => operation.mounted_by === undefined)
    .flatMap(({ operation, handler }) => mountOperation(fastify, operation, handler, ready, options.gates));
  fastify.setErrorHandler(fail);
  fastify.setNotFoundHandler((request, reply) => notFound(mounted, request, reply));
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

type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** The one error boundary: what is thrown becomes a problem, and a bug one line of the log. */
const failure =
  ({ log, explain = (error) => error }: ServerOptions): Fail =>
  (error, request, reply) => {
    const problem = asProblem(explain(frameworkProblem(error)));
    if (problem.kind === 'internal')
      log.error(
        { error: problem.cause, method: request.method, path: pathOf(request), request_id: request.id },
        'a bug',
      );
    return sendProblem(reply, problem, request.id);
  };

const createFastify = (ready: ReadyAnswers, fail: Fail): FastifyInstance =>
  Fastify({
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
    frameworkErrors: fail,
  });

function addHooks(fastify: FastifyInstance, { log, onAnswer }: ServerOptions): void {
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
}

interface HttpOptions {
  http: HttpServerOptions;
  keepAliveTimeout: number;
  requestTimeout: number;
}

/** What is ready goes out before the router sees the request; everything else takes the long way. */
function httpServer(ready: ReadyAnswers, route: RequestListener, options: HttpOptions): Server {
  const { http, keepAliveTimeout, requestTimeout } = options;
  const listener: RequestListener = (request, response) => {
    if (!refuseWithoutHost(request, response) && !ready.send(request, response)) route(request, response);
  };
  const limits = { ...http, keepAliveTimeout, requestTimeout, requireHostHeader: false };
  // An expectation that we do not know may be ignored (RFC 9110); Node's own refusal of it has no body.
  return createHttpServer(limits, listener).on('checkExpectation', listener);
}

const unused = (): never => {
  throw new Error('No route of ours has a schema for the framework.');
};

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] as string;
