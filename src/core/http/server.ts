import { once } from 'node:events';
import type {
  ServerOptions as HttpServerOptions,
  IncomingMessage,
  RequestListener,
  Server,
  ServerResponse,
} from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import Fastify, {
  type FastifyInstance,
  type FastifyListenOptions,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { newId } from '#core/ids.ts';
import type { Log } from '#core/log.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { RequestSpans } from '#core/telemetry/request-spans.ts';
import { type Asked, requestId } from './asked.ts';
import { clientAddress } from './client-address.ts';
import { answerClientError, MAX_URL_CHARS, refuseLongUrl, refuseOtherHost, refuseWithoutHost } from './client-error.ts';
import { inTurn, limitSilence, SEND_TIMEOUT_MS } from './connections.ts';
import { type Cors, createCors } from './cors.ts';
import { type DirectOptions, type DirectRoutes, directRoutes, splitUrl } from './direct-routes.ts';
import { BODY_LIMIT_BYTES, frameworkProblem } from './framework-problem.ts';
import type { Gates } from './gates.ts';
import type { Hosts } from './hosts.ts';
import { listenProblem } from './listen-problem.ts';
import { mountOperation, type RouteConfig, refuseOtherGates } from './mount.ts';
import { notFound } from './not-found.ts';
import type { Handler, OperationBase } from './operation.ts';
import { type PageSender, type Pages, pageSender, prefersPage } from './pages.ts';
import { problemBody } from './problem-body.ts';
import { asProblem, endProblem, sendProblem } from './problem-reply.ts';
import { type ReadyAnswers, readyAnswers } from './ready-answers.ts';
import { HSTS_HEADERS, SecureResponse } from './secure-response.ts';

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
  /** For which hosts requests are answered; for all where left out. */
  hosts?: Hosts;
  /** Whether it is reached over https: then every answer has browsers keep to it (HSTS). */
  is_secure?: boolean;
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
  /** Where the requests that are under way are counted: those that were not ready, until their answer is whole or given up. */
  load?: Load;
  /** Where requests are traced. */
  spans?: RequestSpans | null;
  /** How long a client may read nothing of an answer before its connection is cut. */
  send_timeout_ms?: number;
}

export interface Load {
  under_way: number;
}

export interface HttpServer {
  fastify: FastifyInstance;
  /**
   * Answers the address it really listens on. `shared`: other threads of this process listen on it too. `setting` is named
   * where the port cannot be had.
   */
  listen(
    host: string,
    port: number,
    options?: { shared?: boolean; setting?: string },
  ): Promise<{ host: string; port: number }>;
  /** Stops accepting, lets requests end, cuts what is left after `grace_ms`. */
  close(grace_ms: number): Promise<void>;
}

export function createServer(options: ServerOptions): HttpServer {
  const { operations, onAnswer, gates, load = { under_way: 0 }, spans = null } = options;
  const cors = createCors(options.allowed_origins ?? []);
  const addressOf = clientAddress(options.trusted_proxies ?? []);
  const isOpen = () => fastify.server.listening;
  const ready = readyAnswers({
    newRequestId: newId,
    isOpen,
    onAnswer: (operation, request) => {
      spans?.routed(request, operation);
      onAnswer(operation, 200, null);
    },
  });
  const problemOf = failure(options);
  let is_closing = false;
  const counted = answerCounter(options);
  const answered: Answered = (operation, asked, response, duration_ms) => {
    counted(operation, asked, response, duration_ms);
    if (is_closing) hangUp(asked, response);
  };
  const direct = directRoutes({
    isOpen,
    begun: (operation, path, request) => spans?.routed(request, operation, path),
    fail: (error, asked, response) => endProblem(response, problemOf(error, asked), asked.id),
    answered,
  });
  const pages = options.pages === undefined ? null : pageSender(options.pages, { ready, isOpen, cors, addressOf });
  const fail: Fail = (error, request, reply) => show(pages, cors, problemOf(error, request), request, reply);
  const working = new WeakSet<Socket>();
  const ahead: Ahead = (route) => aheadOf(route, { ready, direct, load, spans, working });
  const any_host = new Set(operations.filter((bound) => bound.operation.any_host).map((bound) => bound.operation.path));
  const { hosts = null, is_secure = false } = options;
  const fastify = createFastify({ ahead, fail, door: options.pages?.door, hosts, any_host, is_secure });
  limitSilence(fastify.server, options.send_timeout_ms ?? SEND_TIMEOUT_MS, (socket) => working.has(socket));
  addHooks(fastify, answered, pages, spans);
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
    listen: async (host, port, { shared = false, setting = 'PORT' } = {}) => {
      const at: FastifyListenOptions & { reusePort: boolean } = { host, port, reusePort: shared };
      await fastify.listen(at).catch((error: NodeJS.ErrnoException) => {
        throw listenProblem(error, host, port, setting);
      });
      return { host, port: (fastify.server.address() as AddressInfo).port };
    },
    close: async (grace_ms) => {
      is_closing = true;
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
  ({ log, onFailure, explain = (error) => error, spans }: ServerOptions) =>
  (error: unknown, { raw, id }: Asked): Problem => {
    const problem = asProblem(explain(frameworkProblem(error)));
    if (problem.kind === 'internal') log.error({ error: problem.cause, ...logged(raw, id, spans) }, 'unhandled error');
    onFailure?.(problem.code);
    spans?.failed(raw, problem.code, problem.status);
    return problem;
  };

const answerCounter =
  ({ log, onAnswer, spans }: ServerOptions): Answered =>
  (operation, { raw, id }, { statusCode: status }, duration_ms) => {
    onAnswer(operation, status, duration_ms);
    if (log.isLevelEnabled('debug')) log.debug({ status, ...logged(raw, id, spans) }, 'answered');
  };

/** A request as its lines of the log name it. */
const logged = (raw: IncomingMessage, request_id: string, spans: RequestSpans | null | undefined) => ({
  method: raw.method,
  path: pathOf(raw),
  request_id,
  ...(spans ? { trace_id: spans.traceIdOf(raw) } : {}),
});

/** A connection that was kept for more than this answer would hold up the stop until it is cut. */
function hangUp({ raw: { socket } }: Asked, response: ServerResponse): void {
  // Asked in process.
  if (!(socket instanceof Socket)) return;
  if (response.writableFinished) socket.end();
  else response.once('finish', () => socket.end());
}

interface Listening {
  hosts: Hosts | null;
  /** Paths that are answered for every host. */
  any_host: ReadonlySet<string>;
  is_secure: boolean;
}

const createFastify = ({
  ahead,
  fail,
  door,
  ...listening
}: Listening & { ahead: Ahead; fail: Fail; door: Pages['door'] | undefined }): FastifyInstance =>
  Fastify({
    serverFactory: (route, options) => httpServer(ahead(route), options as unknown as HttpOptions, listening),
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
    clientErrorHandler: (error, socket) => answerClientError(error, socket, listening.is_secure ? HSTS_HEADERS : {}),
    routerOptions: { maxParamLength: MAX_URL_CHARS, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => void fail(error, request, reply),
  });

function addHooks(
  fastify: FastifyInstance,
  answered: Answered,
  pages: PageSender | null,
  spans: RequestSpans | null,
): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { operation, path } = configOf(request);
    if (operation !== undefined) spans?.routed(request.raw, operation, path);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const { operation: mounted } = configOf(request);
    const operation = mounted ?? pages?.countedAs(request) ?? 'unknown';
    if (mounted === undefined) spans?.routed(request.raw, operation);
    answered(operation, request, reply.raw, reply.elapsedTime);
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

type Ahead = (route: RequestListener) => RequestListener;
interface Ways {
  ready: ReadyAnswers;
  direct: DirectRoutes;
  load: Load;
  spans: RequestSpans | null;
  /** Connections with a request that has not been answered. */
  working: WeakSet<Socket>;
}

/** What is ready, and what is asked directly, goes out before the router sees the request. */
function aheadOf(route: RequestListener, { ready, direct, load, spans, working }: Ways): RequestListener {
  const answer: RequestListener = (request, response) => {
    if (ready.send(request, response)) return;
    const { socket } = request;
    load.under_way++;
    working.add(socket);
    response.on('close', () => {
      load.under_way--;
      working.delete(socket);
    });
    if (!direct.take(request, response)) route(request, response);
  };
  if (spans === null) return answer;
  return (request, response) => spans.within(request, response, () => answer(request, response));
}

function httpServer(answer: RequestListener, options: HttpOptions, listening: Listening): Server {
  const { http, keepAliveTimeout, requestTimeout } = options;
  const { hosts, any_host, is_secure } = listening;
  const checked: RequestListener = (request, response) => {
    if (refuseWithoutHost(request, response) || refuseLongUrl(request, response)) return;
    if (hosts !== null && refuseOtherHost(request, response, hosts, any_host)) return;
    answer(request, response);
  };
  const listener = inTurn(checked);
  const limits = {
    ...http,
    keepAliveTimeout,
    requestTimeout,
    requireHostHeader: false,
    ...(is_secure && { ServerResponse: SecureResponse }),
  };
  // An expectation that we do not know may be ignored (RFC 9110); Node's own refusal of it has no body.
  return createHttpServer(limits, listener).on('checkExpectation', listener);
}

const unused = (): never => {
  throw new Error('No route of ours has a schema for the framework.');
};

const pathOf = ({ url = '/' }: IncomingMessage): string => splitUrl(url)[0];
