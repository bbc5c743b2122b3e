import { MCP_TRANSPORTS, type McpTarget, type McpTransport } from '../../../platform/mcp/target.ts';
import type { Obstacle } from '../capability.ts';

/** The address of a listing's server that anybody may call, from what its provider said of it. Pure. */

interface Input {
  name?: unknown;
  required?: unknown;
  secret?: unknown;
  value?: unknown;
  default?: unknown;
}

interface Remote {
  transport?: unknown;
  url?: unknown;
  headers?: Input[];
  variables?: Input[];
}

/** The target, or why there is none. */
export function remoteOf(install: Record<string, unknown> | null): McpTarget | Obstacle {
  const remotes = listOf(install?.remotes) as Remote[];
  const auth = install?.auth_type;
  if (remotes.length === 0) return noRemote(install);
  if (typeof auth === 'string' && auth !== '' && auth !== 'none')
    return { reason: 'auth_needed', detail: `The server wants a sign-in (${auth}): connect to it first.` };
  const found = remotes.map(targetOf);
  const usable = found.find((it) => 'url' in it);
  return usable ?? (found[0] as Obstacle);
}

function noRemote(install: Record<string, unknown> | null): Obstacle {
  const packages = listOf(install?.packages);
  if (packages.length === 0 && listOf(install?.env).length > 0)
    return { reason: 'missing_env', detail: 'The server wants settings of its own, and no address of it is known.' };
  const detail =
    packages.length > 0
      ? 'The server is a package to be installed; only servers with an address are called from here.'
      : 'No address of the server is known.';
  return { reason: 'unsupported', detail };
}

function targetOf({ url, transport, headers, variables }: Remote): McpTarget | Obstacle {
  if (typeof url !== 'string' || !URL.canParse(url))
    return { reason: 'unsupported', detail: 'The address of the server is none.' };
  const way = transportOf(transport);
  if (way === null) return { reason: 'unsupported', detail: 'The server is reached in a way that is not known here.' };
  const asked = [...listOf(headers), ...listOf(variables)] as Input[];
  const secret = asked.find((it) => it.secret === true || (it.required === true && isOpen(it.value)));
  if (secret !== undefined)
    return { reason: 'auth_needed', detail: `The server wants ${nameOf(secret)}: connect to it first.` };
  if (asked.some((it) => it.required === true && !hasValue(it)) || hasPlace(url))
    return {
      reason: 'missing_env',
      detail: `The server's address or headers hold values that somebody has to fill in.`,
    };
  const sent = (listOf(headers) as Input[]).flatMap(({ name, value, default: fallback }) => {
    const text = value || fallback;
    return typeof text === 'string' && text !== '' && !isOpen(text) && isHeaderName(String(name))
      ? [[String(name), text] as const]
      : [];
  });
  return { url, transport: way, headers: Object.fromEntries(sent) };
}

function transportOf(written: unknown): McpTransport | null {
  const plain = String(written ?? '')
    .toLowerCase()
    .replaceAll('_', '-');
  if (plain === '' || plain === 'http') return 'streamable-http';
  return MCP_TRANSPORTS.find((known) => known === plain) ?? null;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Holds a place to fill in, such as `{token}`. */
const isOpen = (value: unknown): boolean => typeof value === 'string' && /\{[^{}]*\}/.test(value);

const hasValue = ({ value, default: fallback }: Input): boolean =>
  [value, fallback].some((it) => typeof it === 'string' && it !== '');

const nameOf = ({ name }: Input): string => (typeof name === 'string' && name !== '' ? name.slice(0, 100) : 'a secret');

/** `Host` and its like are the transport's own. */
const isHeaderName = (name: string): boolean =>
  /^[A-Za-z0-9-]{1,100}$/.test(name) && !/^(host|content-.*|connection|transfer-encoding|cookie|proxy-.*)$/i.test(name);

/** Addresses are kept in their normal form, which writes a brace as %7B. */
const hasPlace = (url: string): boolean => /\{|%7b/i.test(url);
