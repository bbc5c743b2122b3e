import { hash } from 'node:crypto';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import type { ListingKey } from '#catalog/items/read-items.ts';

/**
 * Names in the format of the MCP registry (`namespace/name`, at most 200 characters) for the listings of every
 * provider.
 * A listing of the registry itself keeps its name. Others are `<our reverse domain>.<provider>/<slug>`. The slug
 * encodes
 * the external id reversibly, so nothing is stored and no two listings share a name.
 *
 * In a slug, `_` is a slash and `.` begins an escape: `.d` a dot, `.u` an underscore, `.x7e` a byte of UTF-8. A slug
 * that
 * would be too long ends after its first characters with `.h` and 32 hex digits of its SHA-256.
 */
export interface ServerNames {
  nameOf(key: ListingKey): string;
  /** Null if it is not a name. The caller looks up whether the listing exists. */
  read(name: string): NamedServer | null;
}

export type NamedServer = { key: ListingKey } | { provider_id: string; prefix: string; hash: string };

export const SERVER_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const MOST = 200;
const HASH = 32;

export function serverNames(reverse_domain: string): ServerNames {
  const isOurs = (name: string): boolean =>
    name.startsWith(`${reverse_domain}/`) || name.startsWith(`${reverse_domain}.`);
  return {
    nameOf({ provider_id, external_id }) {
      const keeps = provider_id === 'mcp-registry' && isName(external_id) && !isOurs(external_id);
      if (keeps) return external_id;
      const namespace = `${reverse_domain}.${provider_id}/`;
      return namespace + slugOf(external_id, MOST - namespace.length);
    },
    read(name) {
      if (!isName(name)) return null;
      if (!isOurs(name)) return { key: { provider_id: 'mcp-registry', external_id: name } };
      const [namespace, slug] = name.split('/') as [string, string];
      const providerId = PROVIDERS.find((provider) => namespace === `${reverse_domain}.${provider}`);
      return providerId === undefined ? null : readSlug(providerId, slug);
    },
  };
}

/** `https://capstan.example.com` gives `com.example.capstan`; without a domain, `localhost.capstan`. */
export function reverseDomain(base_url: string): string {
  const { hostname } = new URL(base_url);
  if (!hostname.includes('.') || /^[\d.]+$/.test(hostname) || hostname.startsWith('[')) return 'localhost.capstan';
  return hostname
    .replace(/\.$/, '')
    .replace(/[^a-z0-9.-]/g, '-')
    .split('.')
    .reverse()
    .join('.');
}

const isName = (text: string): boolean => text.length >= 3 && text.length <= MOST && SERVER_NAME.test(text);

function slugOf(externalId: string, most: number): string {
  const parts = Array.from(externalId, escaped);
  const whole = parts.join('');
  if (whole.length <= most) return whole;
  let short = '';
  for (const part of parts) {
    if (short.length + part.length > most - HASH - 2) break;
    short += part;
  }
  return `${short}.h${hashOf(externalId)}`;
}

function escaped(character: string): string {
  if (/^[a-zA-Z0-9-]$/.test(character)) return character;
  if (character === '/') return '_';
  if (character === '.') return '.d';
  if (character === '_') return '.u';
  return Array.from(Buffer.from(character), (byte) => `.x${byte.toString(16).padStart(2, '0')}`).join('');
}

const ESCAPE = /_|\.d|\.u|\.x[0-9a-f]{2}/g;

function readSlug(provider_id: string, slug: string): NamedServer | null {
  const long = /^(.*)\.h([0-9a-f]{32})$/.exec(slug);
  const written = long?.[1] ?? slug;
  const bytes: number[] = [];
  let at = 0;
  for (const { 0: text, index } of written.matchAll(ESCAPE)) {
    bytes.push(...Buffer.from(written.slice(at, index)), byteOf(text));
    at = index + text.length;
  }
  bytes.push(...Buffer.from(written.slice(at)));
  const external_id = Buffer.from(bytes).toString();
  // Only the canonical encoding is a name: anything else does not encode to itself.
  if (Array.from(external_id, escaped).join('') !== written || external_id === '') return null;
  return long === null
    ? { key: { provider_id, external_id } }
    : { provider_id, prefix: external_id, hash: long[2] as string };
}

function byteOf(text: string): number {
  if (text === '_') return 0x2f;
  if (text === '.d') return 0x2e;
  return text === '.u' ? 0x5f : Number.parseInt(text.slice(2), 16);
}

export const hashOf = (external_id: string): string => hash('sha256', external_id, 'hex').slice(0, HASH);
