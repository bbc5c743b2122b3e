import type { McpTarget } from '#core/mcp/target.ts';
import { hasPlaces, isHeaderName, type Remote, type RemoteInput, remotesOf } from './remotes.ts';

/** The address of a listing's server that anybody may call, from what its provider said of it. Pure. */

/** Why nobody can call the server without more than its listing says. */
export interface NoRemote {
  reason: 'auth_needed' | 'missing_env' | 'unsupported';
  /** One sentence: what is missing, and what to do. */
  detail: string;
}

/** The target, or why there is none. */
export function remoteOf(install: Record<string, unknown> | null): McpTarget | NoRemote {
  if (install === null)
    return {
      reason: 'unsupported',
      detail: 'Its provider does not say how the server is reached.',
    };
  if (listOf(install.remotes).length === 0) return noRemote(install);
  const auth = install.auth_type;
  if (typeof auth === 'string' && auth !== '' && auth !== 'none')
    return { reason: 'auth_needed', detail: `The server requires authorization (${auth}).` };
  const found = remotesOf(install).map(targetOf);
  return found.find((target) => 'url' in target) ?? found[0] ?? NO_ADDRESS;
}

const NO_ADDRESS: NoRemote = { reason: 'unsupported', detail: 'The address of the server is none.' };

function noRemote(install: Record<string, unknown> | null): NoRemote {
  const packages = listOf(install?.packages);
  if (packages.length === 0 && listOf(install?.env).length > 0)
    return { reason: 'missing_env', detail: 'The server wants settings of its own, and no address of it is known.' };
  if (packages.length === 0) return { reason: 'unsupported', detail: 'No address of the server is known.' };
  const wanted = packages.flatMap(environmentOf);
  const package_only = 'only servers with an address are called from here.';
  if (wanted.length === 0)
    return { reason: 'unsupported', detail: `The server is a package to be installed; ${package_only}` };
  const names = wanted.slice(0, MOST_NAMES).join(', ');
  return {
    reason: 'missing_env',
    detail: `The server is a package to be installed, with ${names} in its environment; ${package_only}`,
  };
}

const MOST_NAMES = 5;

/** Names of what has to be filled in before the package can be started. */
const environmentOf = (item: unknown): string[] =>
  listOf((item as { env?: unknown } | null)?.env).flatMap((one) => {
    const { name, required, value, default: fallback } = (one ?? {}) as Partial<RemoteInput>;
    return required === true && !value && !fallback && typeof name === 'string' ? [name.slice(0, 100)] : [];
  });

function targetOf({ url, transport, headers, variables }: Remote): McpTarget | NoRemote {
  if (transport === null)
    return { reason: 'unsupported', detail: 'The server is reached in a way that is not known here.' };
  const asked = [...headers, ...variables];
  const secret = asked.find((header) => header.secret || (header.required && hasPlaces(header.value)));
  if (secret !== undefined) return { reason: 'auth_needed', detail: `The server requires ${nameOf(secret)}.` };
  if (asked.some((header) => header.required && wordOf(header) === '') || url.includes('{'))
    return {
      reason: 'missing_env',
      detail: `The server's address or headers hold values that somebody has to fill in.`,
    };
  const sent = headers.flatMap((header) => {
    const text = wordOf(header);
    return text !== '' && !hasPlaces(text) && isHeaderName(header.name) ? [[header.name, text] as const] : [];
  });
  return { url, transport, headers: Object.fromEntries(sent) };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const wordOf = ({ value, default: fallback }: RemoteInput): string => value || fallback;

const nameOf = ({ name }: RemoteInput): string => (name === '' ? 'a secret' : name.slice(0, 100));
