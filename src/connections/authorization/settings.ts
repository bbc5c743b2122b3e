import type { Setting } from '#core/config/config.ts';

/** A client that the operator registered manually at an authorization server, for the servers it lists. */
export interface GivenClient {
  issuer: string;
  client_id: string;
  client_secret?: string;
  /** MCP servers that may get its tokens: origins or URL prefixes. */
  servers: string[];
  /** The scopes that may be requested; default: any. */
  scopes?: string[];
}

const clients = (name: string, description: string): Setting<GivenClient[]> => ({
  name,
  description,
  default: '',
  secret: true,
  form: 'JSON: [{"issuer": …, "client_id": …, "client_secret": …, "servers": ["https://mcp.example"], "scopes": [ … ]}]',
  parse: (text) => {
    if (text === '') return [];
    const list = parsed(text);
    if (!Array.isArray(list) || !list.every(isClient))
      throw new Error(
        'must be a JSON list of objects with issuer, client_id, servers (the URLs of the MCP servers that may receive its tokens) and, optionally, client_secret and scopes',
      );
    return list;
  },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isClient(value: unknown): value is GivenClient {
  const { issuer, client_id, client_secret = '', servers, scopes = [], ...rest } = Object(value);
  return (
    [issuer, client_id, client_secret].every((part) => typeof part === 'string') &&
    isList(servers, isServer) &&
    servers.length > 0 &&
    isList(scopes, (scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) &&
    Object.keys(rest).length === 0
  );
}

const isList = (value: unknown, isItem: (item: string) => boolean): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && isItem(item));

function isServer(address: string): boolean {
  const { protocol = '', search = '', hash = '' } = URL.parse(address) ?? {};
  return /^https?:$/.test(protocol) && search === '' && hash === '';
}

/**
 * Returns whether the operator's client may be used for this server: same origin, and a path at or below the listed
 * one.
 */
export const isFor = ({ servers }: Pick<GivenClient, 'servers'>, server_url: URL): boolean =>
  servers.some((address) => {
    const { origin, pathname } = new URL(address);
    const path = pathname.endsWith('/') ? pathname : `${pathname}/`;
    return origin === server_url.origin && `${server_url.pathname}/`.startsWith(path);
  });

export const OAUTH_CLIENTS = clients(
  'CAPSTAN_OAUTH_CLIENTS',
  'OAuth clients registered manually at authorization servers without dynamic registration. Each is used only for its servers and scopes. The redirect URI is PUBLIC_URL followed by /api/sessions/oauth/callback.',
);
