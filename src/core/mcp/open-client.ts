import type { Client, ClientOptions, FetchLike, RequestOptions } from '@modelcontextprotocol/client';
import { SERVICE } from '#core/service.ts';
import { plain } from '#core/tools/words.ts';
import type { RemoteTarget } from './target.ts';
import { markBrokenTools } from './tool-listing.ts';

/** The official client, configured to trust nothing that the server sends. */
export async function openClient(
  { url, transport, questions, elicit = questions?.elicit }: RemoteTarget,
  fetch: FetchLike,
  options: RequestOptions,
): Promise<Client> {
  const mcp = await import('@modelcontextprotocol/client');
  const client = await newClient(elicit);
  // The egress guard follows redirects by its own rules.
  const way = { fetch, redirectPolicy: 'follow' } as const;
  await client.connect(
    transport === 'sse'
      ? new mcp.SSEClientTransport(new URL(url), way)
      : new mcp.StreamableHTTPClientTransport(new URL(url), { ...way, reconnectionScheduler: slowly }),
    options,
  );
  markBrokenTools(client, mcp.specTypeSchemas.Tool);
  return client;
}

/** Creates an unconnected client. Loaded on first use, because it is large and most processes never need it. */
export async function newClient(elicit?: RemoteTarget['elicit']): Promise<Client> {
  const mcp = await import('@modelcontextprotocol/client');
  const more = elicit === undefined ? {} : ASKABLE;
  const client = new mcp.Client({ name: SERVICE.name, version: SERVICE.version }, { ...CLIENT_OPTIONS, ...more });
  if (elicit !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params));
  client.fallbackRequestHandler = async ({ method }) => {
    throw new mcp.ProtocolError(mcp.ProtocolErrorCode.MethodNotFound, refusalOf(method));
  };
  return client;
}

/** Servers that ask although the capability was not declared get a reason, which most of them pass on. */
const refusalOf = (method: string): string =>
  method === 'sampling/createMessage'
    ? 'This client gives servers no access to its language models (sampling).'
    : `This client does not support the method ${plain(method, 100)}.`;

type Validators = NonNullable<ClientOptions['jsonSchemaValidator']>;

/** The built-in validator compiles untrusted schemas to code. Callers validate results themselves. */
const validators: Validators = {
  getValidator: <T>() => {
    const accept = (input: unknown) => ({ valid: true as const, data: input as T, errorMessage: undefined });
    return accept as ReturnType<typeof validators.getValidator<T>>;
  },
};

const CLIENT_OPTIONS: ClientOptions = {
  versionNegotiation: { mode: 'auto' },
  // Nobody can answer a question during a call.
  inputRequired: { autoFulfill: false },
  listMaxPages: 20,
  jsonSchemaValidator: validators,
};

const ASKABLE: ClientOptions = {
  inputRequired: { autoFulfill: true, maxRounds: 10 },
  capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } },
};

/** Delays reconnections, whatever delay the server requests. */
function slowly(reconnect: () => void, delayMs: number) {
  const timer = setTimeout(reconnect, Math.max(delayMs, 1_000));
  return () => clearTimeout(timer);
}
