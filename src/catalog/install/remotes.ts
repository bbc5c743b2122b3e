import type { InstallInput } from '#catalog/sync/install.ts';
import { MCP_TRANSPORTS, type McpTransport } from '#core/mcp/target.ts';

/** The addresses of a listing's server with the headers and variables that they need. Pure. */

/** A header or a variable of the address: its value, or what the user has to provide. */
export type RemoteInput = InstallInput;

export interface Remote {
  /** May contain variables such as `{region}`. */
  url: string;
  /** Null if unsupported. */
  transport: McpTransport | null;
  headers: RemoteInput[];
  variables: RemoteInput[];
}

/** In the provider's order, without invalid addresses. */
export const remotesOf = (install: Record<string, unknown> | null): Remote[] =>
  listOf(install?.remotes).flatMap((value) => {
    const { url, transport, headers, variables } = (value ?? {}) as Record<string, unknown>;
    if (typeof url !== 'string' || !URL.canParse(url)) return [];
    return [
      { url: places(url), transport: transportOf(transport), headers: inputs(headers), variables: inputs(variables) },
    ];
  });

/** Stored addresses are normalized, which encodes braces as %7B and %7D. */
const places = (url: string): string => url.replace(/%7b([^{}%]*)%7d/gi, '{$1}');

/** Whether the text contains a variable such as `{token}`. */
export const hasPlaces = (text: string): boolean => /\{[^{}]*\}/.test(text);

/** Whether a listing may set the header. `Host` and similar headers belong to the transport. */
export const isHeaderName = (name: string): boolean =>
  /^[A-Za-z0-9-]{1,100}$/.test(name) &&
  !/^(host|content-.*|connection|transfer-encoding|cookie|proxy-.*|mcp-.*|upgrade|te|trailer)$/i.test(name);

function transportOf(written: unknown): McpTransport | null {
  const plain = typeof written === 'string' ? written.toLowerCase().replaceAll('_', '-') : null;
  if (plain === '' || plain === 'http' || (written ?? null) === null) return 'streamable-http';
  return MCP_TRANSPORTS.find((known) => known === plain) ?? null;
}

const inputs = (list: unknown): RemoteInput[] =>
  listOf(list).flatMap((item) => {
    if (typeof item !== 'object' || item === null) return [];
    const { name, description, required, secret, value, default: fallback } = item as Record<string, unknown>;
    return [
      {
        name: text(name),
        description: text(description),
        required: required === true,
        secret: secret === true,
        value: text(value),
        default: text(fallback),
      },
    ];
  });

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
