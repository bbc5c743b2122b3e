import type { Client, ClientOptions, FetchLike, RequestOptions } from '@modelcontextprotocol/client';
import { SERVICE } from '#core/service.ts';
import type { RemoteTarget } from './target.ts';

/** The official client, told to trust nothing that the server says. */
export async function openClient(
  { url, transport, elicit }: RemoteTarget,
  fetch: FetchLike,
  options: RequestOptions,
): Promise<Client> {
  const mcp = await import('@modelcontextprotocol/client');
  const client = await newClient(elicit);
  // The guard follows redirects by rules of its own.
  const way = { fetch, redirectPolicy: 'follow' } as const;
  await client.connect(
    transport === 'sse'
      ? new mcp.SSEClientTransport(new URL(url), way)
      : new mcp.StreamableHTTPClientTransport(new URL(url), { ...way, reconnectionScheduler: slowly }),
    options,
  );
  return client;
}

/** The client itself, to be connected to a transport. Loaded at the first use: it is large, and most processes never need it. */
export async function newClient(elicit?: RemoteTarget['elicit']): Promise<Client> {
  const mcp = await import('@modelcontextprotocol/client');
  const more = elicit === undefined ? {} : ASKABLE;
  const client = new mcp.Client({ name: SERVICE.name, version: SERVICE.version }, { ...CLIENT_OPTIONS, ...more });
  if (elicit !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params));
  return client;
}

type Validators = NonNullable<ClientOptions['jsonSchemaValidator']>;

/** The built-in one turns a stranger's schema into code; results are looked at by whoever asked for them. */
const validators: Validators = {
  getValidator: <T>() => {
    const accept = (input: unknown) => ({ valid: true as const, data: input as T, errorMessage: undefined });
    return accept as ReturnType<typeof validators.getValidator<T>>;
  },
};

const CLIENT_OPTIONS: ClientOptions = {
  versionNegotiation: { mode: 'auto' },
  // A question in the middle of a call has nobody to answer it.
  inputRequired: { autoFulfill: false },
  listMaxPages: 20,
  jsonSchemaValidator: validators,
};

const ASKABLE: ClientOptions = {
  inputRequired: { autoFulfill: true, maxRounds: 10 },
  capabilities: { elicitation: { form: { applyDefaults: true } } },
};

/** However soon a server wants to be asked again. */
const slowly = (reconnect: () => void, delay_ms: number) => {
  const timer = setTimeout(reconnect, Math.max(delay_ms, 1_000));
  return () => clearTimeout(timer);
};
