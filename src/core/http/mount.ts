import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { coreProblem } from '#core/errors.ts';
import { onBehalfOf } from '#core/fair-queue/on-behalf-of.ts';
import { atOnceCounter } from './at-once.ts';
import type { Caller } from './caller.ts';
import type { ClientAddress } from './client-address.ts';
import { isOpenToAll } from './cors.ts';
import { type Answer, type DirectRoutes, splitUrl } from './direct-routes.ts';
import type { ErrorForm } from './error-form.ts';
import type { Gates, Streams } from './gates.ts';
import { goneSignal, type Incoming } from './incoming.ts';
import {
  ACCESS_CLASSES,
  answersEvents,
  EVENT_STREAM,
  type Handler,
  type Input,
  type OperationBase,
  type Origin,
  type Reply,
} from './operation.ts';
import { type QueryParser, queryParser } from './parse-query.ts';
import { noSuchPath, pathMatcher, routeOf, targetOf } from './path.ts';
import { bodyReader, refuse } from './read-body.ts';
import { type Sending, send } from './send.ts';
import { shareOf } from './share-of.ts';
import { signedFields } from './signed-fields.ts';
import { compileSchema, type Validate } from './validate.ts';

/**
 * Mounts one operation of the contract on the router: reads and checks its input, calls its handler and sends the
 * reply.
 */

export interface Mounted {
  operation: OperationBase;
  matches(rawPath: string): boolean;
}

interface MountOptions extends Sending {
  direct: DirectRoutes;
  gates: Gates | undefined;
  addressOf: ClientAddress;
}

/** What error handling needs to know about the operation of a route. */
export interface RouteConfig {
  /** Operation id. */
  operation: string;
  /** The path in the contract. */
  path: string;
  is_open: boolean;
  error_form: ErrorForm | undefined;
}

export function mountOperation(
  fastify: FastifyInstance,
  operation: OperationBase,
  handler: Handler,
  { direct, gates, addressOf, ...sending }: MountOptions,
): Mounted[] {
  if (!ACCESS_CLASSES.includes(operation.access)) throw new Error(`${operation.id} has no access class`);
  if (isGated(operation) && gates === undefined) throw new Error(`${operation.id} has no guard`);
  if (operation.limit !== undefined && gates?.limiter.has(operation.limit) !== true)
    throw new Error(`${operation.id} refers to the unknown limit ${operation.limit}`);
  const count = operation.at_once === undefined ? null : atOnceCounter(operation.at_once);
  const streams = answersEvents(operation) ? gates?.streams : undefined;
  return [operation.path, ...(operation.also ?? [])].map((path) => {
    const match = pathMatcher(operation, path);
    const read = inputReader(operation);
    const answer: Answer = async (request, response) => {
      const [raw_path, raw_query] = splitUrl(request.raw.url ?? '/');
      const params = operation.params === undefined ? {} : match(raw_path);
      if (params === null) throw noSuchPath();
      const base = { request, response, raw_path, raw_query, params, addressOf };
      count?.(addressOf(request.raw), response);
      const own = streams === undefined ? handler : countingStreams(handler, streams, response);
      const handle: Handler = (input) =>
        onBehalfOf(
          () => shareOf(input),
          () => own(input),
        );
      const reply =
        gates !== undefined && isGated(operation)
          ? await onBehalfOf(
              () => ({ user_id: null, address: addressOf(request.raw) }),
              () => passGates(gates, operation, base, read, handle),
            )
          : await handle(read(base, null));
      await send(request, response, reply, { operation, ...sending });
    };
    if (isDirect(operation)) direct.add(path, operation.id, answer);
    fastify.route({
      method: operation.method,
      url: routeOf(operation, path),
      config: {
        operation: operation.id,
        path,
        is_open: isOpenToAll(operation),
        error_form: operation.error_form,
      } satisfies RouteConfig,
      handler: async (request, reply) => {
        await answer(request, reply.raw);
        return reply.hijack();
      },
    });
    return { operation, matches: (rawPath) => safely(() => match(rawPath)) !== null };
  });
}

/** Counts a stream from here until its response closes. Complete responses of the same operation are not counted. */
const countingStreams =
  (handler: Handler, streams: Streams, response: ServerResponse): Handler =>
  async (input) => {
    const reply = await handler(input);
    if (reply.media_type !== EVENT_STREAM || typeof reply.body === 'string' || reply.body instanceof Uint8Array)
      return reply;
    try {
      const release = await streams.open(input.caller, input.address);
      if (response.closed) release();
      else response.once('close', release);
    } catch (error) {
      // The stream holds resources until it is read to the end or returned.
      await reply.body[Symbol.asyncIterator]().return?.();
      throw error;
    }
    return reply;
  };

const GATES = ['access', 'scope', 'own', 'limit', 'creates', 'for_operators'] as const;

/** If two operations share a route, the checks of the route's operation apply to both, so they must be equal. */
export function refuseOtherGates(operations: readonly OperationBase[]): void {
  for (const operation of operations.filter(({ mounted_by }) => mounted_by !== undefined)) {
    const by = operations.find(({ id }) => id === operation.mounted_by);
    if (by === undefined || GATES.some((name) => by[name] !== operation[name]))
      throw new Error(`${operation.id} is mounted by ${operation.mounted_by}, which has different guards`);
  }
}

function safely<T>(fn: () => T): T | null {
  try {
    return fn();
  } catch {
    return null;
  }
}

const isGated = ({ access, limit }: OperationBase): boolean => access !== 'public' || limit !== undefined;

const isDirect = (operation: OperationBase): boolean =>
  operation.method === 'GET' &&
  operation.params === undefined &&
  operation.error_form === undefined &&
  !isGated(operation);

/**
 * Authenticates first, then validates the input, then consumes the proof: an invalid request costs its sender nothing.
 */
async function passGates(
  { guard, limiter, replays }: Gates,
  operation: OperationBase,
  base: Base,
  read: Read,
  handler: Handler,
): Promise<Reply> {
  const { headers, raw } = base.request;
  const limits = operation.limit === undefined ? {} : await limiter.take(operation.limit, base.addressOf(raw));
  const caller = isAsked(operation, headers)
    ? await onBehalfOf(
        () => ({ user_id: UNCHECKED, address: base.addressOf(raw), is_new: true }),
        () => guard.admit(operation, headers, base.raw_path),
      )
    : null;
  // Before the input is read, so that nothing shows that the path exists.
  if (operation.for_operators === true && caller?.is_operator !== true) throw noSuchPath();
  if (caller !== null && operation.own !== undefined && base.params[operation.own] !== caller.user_id)
    throw coreProblem('http.forbidden', 'The user id in the path must be your own.', { reason: 'other_account' });
  const input = read(base, caller);
  if (caller !== null)
    await guard.stepUp(operation, caller, {
      headers,
      target: targetOf(operation, base.params),
      fields: signedFields(operation, input.body),
      origin: originOf(base),
    });
  const run = async () => handler(input);
  const key = headers['idempotency-key'];
  if (caller === null || operation.creates !== true || key === undefined) return withHeaders(await run(), limits);
  const content = `${base.raw_path}?${base.raw_query}\n${base.request.body ?? ''}`;
  const request = { key: `${key}`, owner: caller.user_id, operation: operation.id, content };
  return withHeaders(await replays.once(request, run), limits);
}

/**
 * A request with a credential has priority over anonymous ones even before verification, as a new account of its
 * network.
 */
const UNCHECKED = 'unchecked';

/** Whether the credential is verified. */
const isAsked = ({ access }: OperationBase, { authorization }: Incoming['headers']): boolean =>
  access !== 'public' && (access !== 'optional' || authorization !== undefined);

/** Adds headers to the handler's own. They are not stored with a reply for later replays. */
const withHeaders = (reply: Reply, headers: Record<string, string>): Reply => ({
  ...reply,
  headers: { ...headers, ...reply.headers },
});

interface Base {
  request: Incoming;
  response: ServerResponse;
  raw_path: string;
  raw_query: string;
  params: Record<string, string>;
  addressOf: ClientAddress;
}
type Read = (base: Base, caller: Caller | null) => Input;

function inputReader(operation: OperationBase): Read {
  const parseQuery = queryParser(operation.query, operation.open_query);
  const checkParams = operation.params === undefined ? null : compileSchema(operation.params);
  const checkQuery = operation.query === undefined ? null : compileSchema(operation.query);
  const bodyOf = bodyReader(operation);
  return (base, caller) => {
    const query = readQuery(parseQuery, base.raw_query, checkQuery);
    if (checkParams !== null) refuse(checkParams(base.params), 'path');
    return new ReadInput(base, query, bodyOf(base.request), caller) as unknown as Input;
  };
}

/**
 * A class because of its getters: V8 gives each object literal with a getter its own hidden class, which is slow to
 * create and lives long.
 */
class ReadInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
  raw_path: string;
  raw_query: string;
  headers: Incoming['headers'];
  request_id: string;
  caller: Caller | null;
  #request: Incoming;
  #response: ServerResponse;
  #addressOf: ClientAddress;

  constructor(base: Base, query: Record<string, unknown>, body: unknown, caller: Caller | null) {
    this.params = base.params;
    this.query = query;
    this.body = body;
    this.raw_path = base.raw_path;
    this.raw_query = base.raw_query;
    this.headers = base.request.headers;
    this.request_id = base.request.id;
    this.caller = caller;
    this.#request = base.request;
    this.#response = base.response;
    this.#addressOf = base.addressOf;
  }

  get address(): string {
    return this.#addressOf(this.#request.raw);
  }

  get origin(): Origin {
    return originOf({ request: this.#request, addressOf: this.#addressOf });
  }

  get signal(): AbortSignal {
    return goneSignal(this.#response);
  }
}

const originOf = ({ request, addressOf }: Pick<Base, 'request' | 'addressOf'>): Origin => ({
  request_id: request.id,
  address: addressOf(request.raw),
});

function readQuery(parse: QueryParser, raw: string, check: Validate | null): Record<string, unknown> {
  const { values, errors } = parse(raw);
  if (errors.length > 0) refuse(errors, 'query');
  if (check !== null) refuse(check(values), 'query');
  return values;
}
