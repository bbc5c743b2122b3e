import { once } from 'node:events';
import type {
  ServerOptions as HttpServerOptions,
  IncomingMessage,
  RequestListener,
  Server,
  ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, {
  type FastifyInstance,
  type FastifyListenOptions,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Problem } from '../problem.ts';
import { type Asked, requestId } from './asked.ts';
import { clientAddress } from './client-address.ts';
import { answerClientError, refuseWithoutHost } from './client-error.ts';
import { type Cors, createCors } from './cors.ts';
import { type DirectOptions, directRoutes, splitUrl } from './direct-routes.ts';
import { BODY_LIMIT_BYTES, frameworkProblem, MAX_PARAM_LENGTH } from './framework-problem.ts';
import type { Gates } from './gates.ts';
import { listenProblem } from './listen-problem.ts';
import { mountOperation, type RouteConfig, refuseOtherGates } from './mount.ts';
import { notFound } from './not-found.ts';
import type { Handler, OperationBase } from './operation.ts';
import { type PageSender, type Pages, pageSender, prefersPage } from './pages.ts';
import { problemBody } from './problem-body.ts';
import { asProblem, endProblem, everyAnswer, sendProblem } from './problem-reply.ts';
import { readyAnswers } from './ready-answers.ts';

/** The HTTP server: limits, request ids, the one error boundary. Operations are mounted from the contract. */

// An import would read every member of the module, `WebSocket` too, and so load the copy of undici in Node.
const { createServer: createHttpServer } = process.getBuiltinModule('node:http');

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

export interface ServerOptions {
  operations: readonly { operation: OperationBase; handler: Handler }[];
  log: Log;
  /** Needed as soon as one operation is not public. */
  gates?: Gates;
  /** Origins whose pages may call what is no public GET. */
  allowed_origins?: readonly string[];
  /** Addresses and ranges whose X-Forwarded-For is believed. */
  trusted_proxies?: readonly string[];
  /** What stands where no operation does. */
  pages?: Pages;
  /** Turns errors that mean something to an operator, such as a database that is away, into Problems. */
  explain?: (error: unknown) => unknown;
  /** Told of every answer: the operation's id, and how long it took; null for one that was ready. */
  onAnswer(operation: string, status: number, duration_ms: number | null): void;
  /** Told of every request that fails: the problem's code. */
  onFailure?(code: string): void;
}

export interface HttpServer {
  fastify: FastifyInstance;
  /** Answers the address it really listens on. `shared`: other threads of this process listen on it too. */
  listen(host: string, port: number, shared?: boolean): Promise<{ host: string; port: number }>;
  /** Stops accepting, lets requests end, cuts what is left after `grace_ms`. */
  close(grace_ms: number): Promise<void>;
}

export function createServer(options: ServerOptions): HttpServer {
  const { operations, onAnswer, gates } = options;
  const cors = createCors(options.allowed_origins ?? []);
  const addressOf = clientAddress(options.trusted_proxies ?? []);
  const isOpen = () => fastify.server.listening;
  const ready = readyAnswers({ newRequestId: newId, isOpen, onAnswer });
  const problemOf = failure(options);
  const answered = answerCounter(options);
  const direct = directRoutes({
    isOpen,
    fail: (error, asked, response) => endProblem(response, problemOf(error, asked), asked.id),
    answered,
  });
  const pages = options.pages === undefined ? null : pageSender(options.pages, { ready, isOpen, cors, addressOf });
  const fail: Fail = (error, request, reply) => show(pages, cors, problemOf(error, request), request, reply);
  const fastify = createFastify(
    (request, response) => ready.send(request, response) || direct.take(request, response),
    fail,
    options.pages?.door,
  );
  addHooks(fastify, answered, pages);
  refuseOtherGates(operations.map(({ operation }) => operation));
  const mounted = operations
    .filter(({ operation }) => operation.mounted_by === undefined)
    .flatMap(({ operation, handler }) =>
      mountOperation(fastify, operation, handler, { ready, isOpen, cors, direct, gates, addressOf }),
    );
  fastify.setErrorHandler(fail);
  fastify.setNotFoundHandler((request, reply) => notFound({ mounted, cors, pages, fail }, request, reply));
  return {
    fastify,
    listen: async (host, port, shared = false) => {
      const at: FastifyListenOptions & { reusePort: boolean } = { host, port, reusePort: shared };
      await fastify.listen(at).catch((error: NodeJS.ErrnoException) => {
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

/** To whoever prefers it as a page; where none can be made, as everywhere. */
function show(
  pages: PageSender | null,
  cors: Cors,
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const { error_form } = configOf(request);
  const plainly = () => sendProblem(reply, problem, request.id, corsOf(cors, request), error_form);
  if (pages === null || error_form !== undefined || !prefersPage(request)) return plainly();
  return pages.problem(problemBody(problem, request.id), request, reply).then(() => reply, plainly);
}

/** What no route took is nobody's secret. */
const corsOf = (cors: Cors, request: FastifyRequest): Record<string, string> =>
  cors.headersFor(configOf(request).is_open ?? true, request.headers.origin);

const configOf = ({ routeOptions }: FastifyRequest): Partial<RouteConfig> =>
  (routeOptions?.config ?? {}) as Partial<RouteConfig>;

type Answered = DirectOptions['answered'];
type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** The one error boundary: what is thrown becomes a problem, and a bug one line of the log. */
const failure =
  ({ log, onFailure, explain = (error) => error }: ServerOptions) =>
  (error: unknown, { raw, id }: Asked): Problem => {
    const problem = asProblem(explain(frameworkProblem(error)));
    if (problem.kind === 'internal')
      log.error({ error: problem.cause, method: raw.method, path: pathOf(raw), request_id: id }, 'a bug');
    onFailure?.(problem.code);
    return problem;
  };

const answerCounter =
  ({ log, onAnswer }: ServerOptions): Answered =>
  (operation, { raw, id }, status, duration_ms) => {
    onAnswer(operation, status, duration_ms);
    log.debug({ method: raw.method, path: pathOf(raw), status, request_id: id }, 'answered');
  };

const createFastify = (take: Take, fail: Fail, door: Pages['door'] | undefined): FastifyInstance =>
  Fastify({
    serverFactory: (route, options) => httpServer(take, route, options as unknown as HttpOptions),
    logger: false,
    ...(door === undefined ? {} : { rewriteUrl: door }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5_000 },
    // A request on its way when the signal comes is still answered.
    return503OnClosing: false,
    // Idle sockets are cut at shutdown; those that answer get their time in close().
    forceCloseConnections: 'idle',
    genReqId: requestId,
    // Inputs are checked by the contract's own schemas; the framework's compilers would be loaded for nothing (8 MB).
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => void fail(error, request, reply),
  });

function addHooks(fastify: FastifyInstance, answered: Answered, pages: PageSender | null): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(everyAnswer(request.id));
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const operation = configOf(request).operation ?? pages?.countedAs(request) ?? 'unknown';
    answered(operation, request, reply.statusCode, reply.elapsedTime);
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

/** False where the request is left to the router. */
type Take = (request: IncomingMessage, response: ServerResponse) => boolean;

/** What is ready, and what is asked directly, goes out before the router sees the request. */
function httpServer(take: Take, route: RequestListener, options: HttpOptions): Server {
  const { http, keepAliveTimeout, requestTimeout } = options;
  const listener: RequestListener = (request, response) => {
    if (!refuseWithoutHost(request, response) && !take(request, response)) route(request, response);
  };
  const limits = { ...http, keepAliveTimeout, requestTimeout, requireHostHeader: false };
  // An expectation that we do not know may be ignored (RFC 9110); Node's own refusal of it has no body.
  return createHttpServer(limits, listener).on('checkExpectation', listener);
}

const unused = (): never => {
  throw new Error('No route of ours has a schema for the framework.');
};

const pathOf = ({ url = '/' }: IncomingMessage): string => splitUrl(url)[0];
