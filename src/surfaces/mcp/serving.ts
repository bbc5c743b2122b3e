import type { KeyObject } from 'node:crypto';
import type {
  Implementation,
  Server,
  ServerContext,
  ServerOptions,
  StandardSchemaV1,
} from '@modelcontextprotocol/server';
import type { TObject } from 'typebox';
import { asProblem } from '#core/http/problem-reply.ts';
import { compileSchema } from '#core/http/validate.ts';
import type { Log } from '#core/log.ts';
import { boundErrors } from '#core/problem/field-errors.ts';
import type { Offer } from '#core/tools/offer.ts';
import { type Answers, createAsking, InputNeeded } from './asking.ts';
import { exchangeOf } from './exchange.ts';
import type { Method, Turn } from './methods/method.ts';
import { requestState } from './request-state.ts';
import { RPC, RpcError, rpcErrorOf } from './rpc.ts';
import type { Sdk } from './sdk.ts';
import { toolCall } from './tool-call.ts';

/**
 * The library's low-level server with our methods. It is created with the one method of a single message in most cases;
 * the high-level server takes three times as long to do what our own schemas do here.
 */

/** Creates a server for messages of this method, or for all methods if null, as a session needs. */
export type MakeServer = (method: string | null) => Server;

interface ServingOptions {
  sdk: Sdk;
  offer: Offer;
  methods: Record<string, Method>;
  identity: Implementation;
  instructions: string;
  /** Default: those of the whole offer. */
  capabilities?: ServerOptions['capabilities'];
  state_key: KeyObject;
  log: Log;
  explain(error: unknown): unknown;
}

const LIST_TTL_MS = 60_000;
/** How long a user may take to answer. */
const ROUND_MS = 300_000;

export function serverMaker(options: ServingOptions): MakeServer {
  const { sdk, offer, methods, identity, instructions } = options;
  const state = requestState(sdk, options.state_key);
  const run = methodRunner(options, state.mint);
  const serverOptions: ServerOptions = {
    capabilities: options.capabilities ?? capabilitiesOf(offer),
    instructions,
    // Answers to forms are validated where they were asked for.
    jsonSchemaValidator: {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    },
    requestState: { verify: state.verify },
    inputRequired: { roundTimeoutMs: ROUND_MS },
    cacheHints: Object.fromEntries(
      ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'server/discover'].map((name) => [
        name,
        { ttlMs: LIST_TTL_MS, cacheScope: 'private' },
      ]),
    ),
  };
  const schemas = new Map(Object.entries(methods).map(([name, { params }]) => [name, standardSchema(params)]));
  const extended = new Map(offer.extensions.flatMap((extension) => Object.entries(extension.methods)));
  return (only) => {
    const server = new sdk.Server(identity, serverOptions);
    for (const name of only === null ? Object.keys(methods) : [only]) {
      const params = schemas.get(name);
      if (params === undefined) continue;
      const answer = (values: unknown, context: ServerContext) =>
        run(methods[name] as Method, values as Record<string, unknown>, context, server);
      server.setRequestHandler(name, { params }, answer as never);
    }
    if (only === null ? extended.size > 0 : extended.has(only))
      server.fallbackRequestHandler = extensionRunner(extended, run, server);
    return server;
  };
}

type Run = (
  method: Method,
  params: Record<string, unknown>,
  context: ServerContext,
  server: Server,
) => Promise<Record<string, unknown>>;
type Mint = (answers: Answers, context: ServerContext) => Promise<string>;

function methodRunner({ log, explain }: ServingOptions, mint: Mint): Run {
  return async (method, params, context, server) => {
    const exchange = exchangeOf(context);
    const { inputResponses = {}, requestState: carried } = context.mcpReq;
    const answers = { ...carried<Answers>(), ...(inputResponses as Answers) };
    const turn = { exchange, context, asking: createAsking(capabilitiesOfClient(context, server), answers) };
    try {
      return await method.answer(params, turn);
    } catch (error) {
      if (error instanceof RpcError) throw error;
      if (error instanceof InputNeeded && method.asks === true)
        return {
          resultType: 'input_required',
          inputRequests: error.asks,
          requestState: await mint(error.answers, context),
        };
      const problem = asProblem(explain(error));
      if (problem.kind === 'internal') log.error({ err: error, request_id: exchange.request_id }, 'MCP method failed');
      throw rpcErrorOf(problem);
    }
  };
}

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/**
 * In the newer revision those of the request, in older ones those of the session, and none for a message without a
 * session.
 */
const capabilitiesOfClient = ({ mcpReq }: ServerContext, server: Server): Record<string, unknown> =>
  ((mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES] ??
    server.getClientCapabilities() ??
    {}) as Record<string, unknown>;

function extensionRunner(
  methods: Map<string, Offer['extensions'][number]['methods'][string]>,
  run: Run,
  server: Server,
) {
  return async (request: { method: string; params?: Record<string, unknown> | undefined }, context: ServerContext) => {
    const extension = methods.get(request.method);
    if (extension === undefined) throw new RpcError(RPC.method_not_found, 'Method not found');
    const { _meta: _, ...params } = request.params ?? {};
    const answer = (values: Record<string, unknown>, turn: Turn) => extension(values, toolCall(turn, null));
    return run({ params: ANY, answer }, params, context, server);
  };
}

const ANY = {} as TObject;

function capabilitiesOf({ extensions }: Offer): NonNullable<ServerOptions['capabilities']> {
  const settings = Object.fromEntries(extensions.map((extension) => [extension.id, extension.settings]));
  const own = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} };
  return (extensions.length === 0 ? own : { ...own, extensions: settings }) as NonNullable<
    ServerOptions['capabilities']
  >;
}

/** Invalid params are -32602 with the field's name. */
function standardSchema(schema: TObject): StandardSchemaV1<Record<string, unknown>> {
  const check = compileSchema(schema);
  const validate = (value: unknown) => {
    const errors = check(value);
    if (errors.length === 0) return { value: value as Record<string, unknown> };
    const bound = boundErrors(errors).errors;
    return { issues: bound.map(({ pointer, detail }) => ({ message: `${pointer.slice(1) || 'params'} ${detail}` })) };
  };
  return { '~standard': { version: 1, vendor: 'capstan', validate } };
}
