import type { ServerCallContext } from '@a2a-js/sdk/server';
import type { Caller } from '#core/http/caller.ts';
import { json, type Reply } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { readTraceparent } from '#core/telemetry/traceparent.ts';
import { type AgentCards, agentCards } from './card.ts';
import type { A2aDeps } from './deps.ts';
import { events } from './events.ts';
import { liveTurns } from './live-turns.ts';
import { checkCall, readEnvelope } from './read-call.ts';
import { requestHandler } from './request-handler.ts';
import { errorReply, problemError, Refusal, type RpcCall } from './rpc.ts';
import { loadSdk, type Sdk } from './sdk.ts';

/** JSON-RPC of A2A: parses a call and passes it to the library's binding with our own operations. */

interface EndpointRequest {
  body: string;
  headers: Record<string, string | string[] | undefined>;
  raw_query: string;
  request_id: string;
  caller: Caller;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export interface A2aEndpoint {
  cards: AgentCards;
  post(request: EndpointRequest): Promise<Reply>;
}

export function openEndpoint(deps: A2aDeps): A2aEndpoint {
  const cards = agentCards(deps);
  const live = liveTurns(deps);
  let loading: Promise<Sdk> | undefined;
  const sdkOf = (): Promise<Sdk> => {
    loading ??= loadSdk();
    return loading;
  };
  const answer = async (request: EndpointRequest, call: RpcCall): Promise<Reply> => {
    const sdk = await sdkOf();
    const { server } = sdk;
    const requestedVersion = versionOf(request);
    try {
      server.validateVersion(requestedVersion, sdk.forms.AgentCard.fromJSON(cards.open()), 'JSONRPC');
    } catch (error) {
      throw new Refusal(call.id, sdk.errors.toJsonRpcError(error));
    }
    checkCall(call);
    const signal = AbortSignal.any([request.signal, deps.tasks.deps.stopping]);
    const failure: Failure = { error: undefined };
    const of = { caller: request.caller, traceparent: traceparentIn(request), signal };
    const handler = remembering(requestHandler({ ...deps, sdk, cards, live }, of), failure);
    const context: ServerCallContext = new server.ServerCallContext({ requestedVersion });
    const answered = await new server.JsonRpcTransportHandler(handler).handle({ ...call }, context);
    if (failure.error !== undefined) rethrow(failure.error, sdk);
    if (!(Symbol.asyncIterator in answered)) return json(answered);
    return stream(answered, call, sdk);
  };
  return {
    cards,
    post: async (request) => {
      let call: RpcCall | undefined;
      try {
        await demandJson(request, sdkOf);
        call = readEnvelope(request.body);
        return await answer(request, call);
      } catch (error) {
        if (error instanceof Refusal) return errorReply(error.id, error.error);
        if (!(error instanceof Problem)) throw error;
        const { status, headers } = error;
        return errorReply(call?.id ?? null, problemError(error, request.request_id), { status, headers });
      }
    },
  };
}

/** Waits for the first event, so that an early failure becomes a separate response. */
async function stream(answered: AsyncGenerator<unknown>, { id }: RpcCall, { errors }: Sdk): Promise<Reply> {
  try {
    const first = await answered.next();
    return {
      media_type: 'text/event-stream',
      body: events(first, answered),
      // Tells proxies not to buffer the response.
      headers: { 'x-accel-buffering': 'no' },
    };
  } catch (error) {
    if (error instanceof errors.A2AError) throw new Refusal(id, errors.toJsonRpcError(error));
    throw error;
  }
}

interface Failure {
  error: unknown;
}

/**
 * The binding writes any exception into its response. Exceptions outside the protocol are remembered, to be handled
 * here.
 */
function remembering<T extends object>(handler: T, failure: Failure): T {
  return new Proxy(handler, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        const result = method(...args);
        if (result instanceof Promise)
          result.catch((error) => {
            failure.error = error;
          });
        return result;
      };
    },
  });
}

/** Errors of the protocol are already in the response. */
function rethrow(error: unknown, { errors }: Sdk): void {
  if (!(error instanceof errors.A2AError)) throw error;
}

/** From the header or the query parameter; the standard's default is 0.3. */
function versionOf({ headers, raw_query }: EndpointRequest): string {
  const header = headers['a2a-version'];
  const named = typeof header === 'string' ? header : new URLSearchParams(raw_query).get('A2A-Version');
  // Ignores the patch version.
  return /^\d+\.\d+(?=\.|$)/.exec(named?.trim() ?? '')?.[0] ?? (named?.trim() || '0.3');
}

function traceparentIn({ headers }: EndpointRequest): string | null {
  const { traceparent } = headers;
  return typeof traceparent === 'string' && readTraceparent(traceparent) !== null ? traceparent : null;
}

const JSON_TYPE = /^application\/(json|a2a\+json)\s*(;|$)/i;

async function demandJson({ headers }: EndpointRequest, sdkOf: () => Promise<Sdk>): Promise<void> {
  if (JSON_TYPE.test(`${headers['content-type'] ?? ''}`)) return;
  const { errors } = await sdkOf();
  const error = new errors.ContentTypeNotSupportedError('Send the body as application/json.');
  throw new Refusal(null, errors.toJsonRpcError(error));
}
