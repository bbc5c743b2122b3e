import type { RemoteTarget } from '#core/mcp/target.ts';
import { hasPlaces, isHeaderName, type Remote, type RemoteInput, remotesOf } from './remotes.ts';

/** The address of a listing's server, if it can be called without further input. Pure. */

/** Why the server cannot be called with what its listing says. */
export interface NoRemote {
  reason: 'auth_needed' | 'missing_env' | 'unsupported';
  /** What is missing, in one or two sentences. */
  detail: string;
}

export function remoteOf(install: Record<string, unknown> | null): RemoteTarget | NoRemote {
  if (install === null)
    return {
      reason: 'unsupported',
      detail: "The provider does not give the server's address.",
    };
  if (listOf(install.remotes).length === 0) return noRemote(install);
  const auth = install.auth_type;
  if (typeof auth === 'string' && auth !== '' && auth !== 'none')
    return { reason: 'auth_needed', detail: `The server requires authorization (${auth}).` };
  const found = remotesOf(install).map(targetOf);
  return found.find((target) => 'url' in target) ?? found[0] ?? NO_ADDRESS;
}

const NO_ADDRESS: NoRemote = { reason: 'unsupported', detail: "The server's address is invalid." };

function noRemote(install: Record<string, unknown> | null): NoRemote {
  const packages = listOf(install?.packages);
  if (packages.length === 0 && listOf(install?.env).length > 0)
    return { reason: 'missing_env', detail: 'The server requires configuration, and its address is unknown.' };
  if (packages.length === 0) return { reason: 'unsupported', detail: "The server's address is unknown." };
  return { reason: 'unsupported', detail: 'The server has no address; it is started from a package.' };
}

function targetOf({ url, transport, headers, variables }: Remote): RemoteTarget | NoRemote {
  if (transport === null) return { reason: 'unsupported', detail: "The server's transport is unsupported." };
  const asked = [...headers, ...variables];
  const secret = asked.find((header) => header.secret || (header.required && hasPlaces(header.value)));
  if (secret !== undefined) return { reason: 'auth_needed', detail: `The server requires ${nameOf(secret)}.` };
  if (asked.some((header) => header.required && wordOf(header) === '') || url.includes('{'))
    return {
      reason: 'missing_env',
      detail: `The server's address or headers contain values that you have to provide.`,
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
