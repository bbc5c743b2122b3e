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
import { defined } from '#core/defined.ts';
import { newId } from '#core/ids.ts';
import type { Log } from '#core/log.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { RequestSpans } from '#core/telemetry/request-spans.ts';
import { clientAddress } from './client-address.ts';
import { answerClientError, MAX_URL_CHARS, refuseLongUrl, refuseOtherHost, refuseWithoutHost } from './client-error.ts';
import { inTurn, limitSilence, SEND_TIMEOUT_MS } from './connections.ts';
import { type Cors, createCors } from './cors.ts';
import { type DirectOptions, type DirectRoutes, directRoutes, splitUrl } from './direct-routes.ts';
import { BODY_LIMIT_BYTES, frameworkProblem } from './framework-problem.ts';
import type { Gates } from './gates.ts';
import type { Hosts } from './hosts.ts';
import { type Incoming, requestId } from './incoming.ts';
import { listenProblem } from './listen-problem.ts';
import { mountOperation, type RouteConfig, refuseOtherGates } from './mount.ts';
import { notFound } from './not-found.ts';
import type { Handler, OperationBase } from './operation.ts';
import { MULTIPART, type PageSender, type Pages, pageSender, prefersPage } from './pages.ts';
import { problemBody } from './problem-body.ts';
import { asProblem, endProblem, sendProblem } from './problem-reply.ts';
import { type ReadyAnswers, readyAnswers } from './ready-answers.ts';
import { HSTS_HEADERS, SecureResponse } from './secure-response.ts';

/** The HTTP server: limits, request ids and the single error boundary. Operations are mounted from the contract. */

// An import would read every member of the module, including `WebSocket`, and so load Node's copy of undici.
const { createServer: createHttpServer } = process.getBuiltinModule('node:http');

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

export interface ServerOptions {
  operations: readonly { operation: OperationBase; handler: Handler }[];
  log: Log;
  /** Required if any operation is not public. */
  gates?: Gates;
  /** Origins whose pages may call operations other than public GETs. */
  allowed_origins?: readonly string[];
  /** The hosts that requests are answered for; default: all. */
  hosts?: Hosts;
  /** Whether clients use https: then every response has HSTS. */
  is_secure?: boolean;
  /** Addresses and ranges whose X-Forwarded-For is trusted. */
  trusted_proxies?: readonly string[];
  /** Web pages, at paths without an operation. */
  pages?: Pages;
  /** Converts errors that an operator can fix, such as an unavailable database, into Problems. */
  explain?: (error: unknown) => unknown;
  /** Called for every response with the operation id and the duration, which is null for cached responses. */
  onAnswer(operation: string, status: number, durationMs: number | null): void;
  /** Called with the problem code of every failed request. */
  onFailure?(code: string): void;
  /** Counts requests in progress, except for cached ones, until their response is complete or aborted. */
  load?: Load;
  /** Records request spans, if tracing is enabled. */
  spans?: RequestSpans | null;
  /** How long a client may not read any of a response before its connection is cut. */
  send_timeout_ms?: number;
}

interface Load {
  under_way: number;
}

export interface HttpServer {
  fastify: FastifyInstance;
  /**
   * Returns the address it listens on. `shared`: other threads of this process listen on the same port. `setting` is
   * named in errors about the port.
   */
  listen(
    host: string,
    port: number,
    options?: { shared?: boolean; setting?: string },
  ): Promise<{ host: string; port: number }>;
  /** Stops accepting connections, finishes requests, and cuts the rest after `grace_ms`. */
  close(graceMs: number): Promise<void>;
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
  let isClosing = false;
  const counted = answerCounter(options);
  const answered: Answered = (operation, incoming, response, durationMs) => {
    counted(operation, incoming, response, durationMs);
    if (isClosing) hangUp(incoming, response);
  };
  const direct = directRoutes({
    isOpen,
    begun: (operation, path, request) => spans?.routed(request, operation, path),
    fail: (error, incoming, response) => endProblem(response, problemOf(error, incoming), incoming.id),
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
    close: async (graceMs) => {
      isClosing = true;
      const closed = fastify.server.listening ? once(fastify.server, 'close') : Promise.resolve();
      const timer = setTimeout(() => fastify.server.closeAllConnections(), graceMs);
      await fastify.close();
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Sends a problem as a page to clients that prefer one, and otherwise in the usual format. */
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

/** Unknown paths are readable from every origin. */
const corsOf = (cors: Cors, request: FastifyRequest): Record<string, string> =>
  cors.headersFor(configOf(request).is_open ?? true, request.headers.origin);

const configOf = ({ routeOptions }: FastifyRequest): Partial<RouteConfig> =>
  (routeOptions?.config ?? {}) as Partial<RouteConfig>;

type Answered = DirectOptions['answered'];
type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** The single error boundary: exceptions become problems, and each bug is logged once. */
const failure =
  ({ log, onFailure, explain = (error) => error, spans }: ServerOptions) =>
  (error: unknown, { raw, id }: Incoming): Problem => {
    const problem = asProblem(explain(frameworkProblem(error)));
    if (problem.kind === 'internal') log.error({ error: problem.cause, ...logged(raw, id, spans) }, 'unhandled error');
    onFailure?.(problem.code);
    spans?.failed(raw, problem.code, problem.status);
    return problem;
  };

const answerCounter =
  ({ log, onAnswer, spans }: ServerOptions): Answered =>
  (operation, { raw, id }, { statusCode: status }, durationMs) => {
    onAnswer(operation, status, durationMs);
    if (log.isLevelEnabled('debug')) log.debug({ status, ...logged(raw, id, spans) }, 'answered');
  };

/** The request's fields in log lines. */
const logged = (raw: IncomingMessage, request_id: string, spans: RequestSpans | null | undefined) => ({
  method: raw.method,
  path: pathOf(raw),
  request_id,
  ...defined({ trace_id: spans ? spans.traceIdOf(raw) : undefined }),
});

/** A connection kept alive after this response would delay shutdown until it is cut. */
function hangUp({ raw: { socket } }: Incoming, response: ServerResponse): void {
  // The request was sent in process.
  if (!(socket instanceof Socket)) return;
  if (response.writableFinished) socket.end();
  else response.once('finish', () => socket.end());
}

interface Listening {
  hosts: Hosts | null;
  /** Paths that accept every host. */
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
    ...defined({ rewriteUrl: door }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5_000 },
    // Requests that arrive while closing are still answered.
    return503OnClosing: false,
    // Idle sockets are cut at shutdown; active ones get time in close().
    forceCloseConnections: 'idle',
    genReqId: requestId,
    // The contract's own schemas validate inputs; the framework's compilers would use 8 MB for nothing.
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
  // Bodies are read as text: the operation parses them, so that its errors can name the field.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  // Forms with files, which only pages read: one character per byte, so that no byte is lost.
  fastify.addContentTypeParser(MULTIPART, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, (body as Buffer).toString('latin1')),
  );
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
  /** Connections with an unanswered request. */
  working: WeakSet<Socket>;
}

/** Cached responses and direct routes are handled before the router. */
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
    ...defined({ ServerResponse: is_secure ? SecureResponse : undefined }),
  };
  // Unknown expectations may be ignored (RFC 9110). Node's own response to them has no body.
  return createHttpServer(limits, listener).on('checkExpectation', listener);
}

function unused(): never {
  throw new Error('No route of ours has a schema for the framework.');
}

const pathOf = ({ url = '/' }: IncomingMessage): string => splitUrl(url)[0];
