import { LRUCache } from 'lru-cache';
import { accountsProblem } from '#accounts/errors.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { isProblem, type Problem } from '#core/problem/problem.ts';
import { type Client, type ClientMetadata, readMetadata } from './client.ts';

/** Client ID metadata documents: a client's id is the URL of its metadata. */

export type ReadDocument = (clientId: string) => Promise<Client>;

interface DocumentDeps {
  fetch: OutboundFetch;
  clock: Clock;
  /** In production, documents on this host are refused. */
  production: boolean;
}

const MAX_ID = 512;
const MAX_BYTES = 16 * 1024;
const TIMEOUT_MS = 5_000;
const KEPT_MS = 600_000;
/** For failures, so that nobody can make us request the same address repeatedly. */
const FAILURE_KEPT_MS = 15_000;
const MOST_KEPT = 500;

export const isDocumentId = (client_id: string): boolean => /^https?:\/\//.test(client_id);

export function clientDocuments(deps: DocumentDeps): ReadDocument {
  const kept = new LRUCache<string, { until_ms: number; client: Promise<Client> }>({ max: MOST_KEPT });
  return (clientId) => {
    const known = kept.get(clientId);
    if (known !== undefined && known.until_ms > deps.clock.now()) return known.client;
    const asked = { until_ms: deps.clock.now() + KEPT_MS, client: read(deps, clientId) };
    asked.client.catch(() => {
      asked.until_ms = deps.clock.now() + FAILURE_KEPT_MS;
    });
    kept.set(clientId, asked);
    return asked.client;
  };
}

async function read({ fetch, production }: DocumentDeps, clientId: string): Promise<Client> {
  const url = URL.parse(clientId);
  if (url === null || !isAddress(url, clientId, production)) throw refused(ADDRESS_RULE);
  const limits = { timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES, max_redirects: 0 };
  const text = await fetch(url, { headers: { accept: 'application/json' }, ...limits })
    .then(async (answer) => {
      if (answer.status !== 200) throw refused(`its URL returned status ${answer.status}`);
      if (!JSON_TYPE.test(answer.headers.get('content-type') ?? ''))
        throw refused('its media type is not application/json');
      return answer.text();
    })
    .catch((error: unknown) => {
      if (isProblem(error, 'auth.oauth_invalid', 'client_document')) throw error;
      // Details from the egress guard would reveal which internal addresses respond.
      throw refused('it could not be fetched', error);
    });
  const document = parse(text);
  if (document === null || document.client_id !== clientId) throw refused('its client_id does not match its URL');
  if (!PUBLIC.includes(document.token_endpoint_auth_method as string | undefined))
    throw refused('its token_endpoint_auth_method must be none');
  const { name, redirect_uris } = readMetadata(document);
  return { id: clientId, name: name === '' ? url.host : name, host: url.host, redirect_uris };
}

const JSON_TYPE = /^application\/(.+\+)?json\s*(;|$)/i;
const PUBLIC = ['none', undefined];
const ADDRESS_RULE =
  'the client_id must be a normalized https URL with a path and without a user name, query or fragment';

/**
 * Requires the canonical spelling: dots in the path, capitals in the host and the like would give one document several
 * ids.
 */
const isAddress = (url: URL, text: string, production: boolean): boolean =>
  url.href === text &&
  text.length <= MAX_ID &&
  (url.protocol === 'https:' || (url.protocol === 'http:' && !production)) &&
  url.pathname !== '/' &&
  url.username + url.password + url.search + url.hash === '' &&
  /^[!-~]+$/.test(text);

type Document = ClientMetadata & { client_id?: unknown; token_endpoint_auth_method?: unknown };

function parse(text: string): Document | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Document) : null;
  } catch {
    return null;
  }
}

const refused = (reason: string, cause?: unknown): Problem =>
  accountsProblem('auth.oauth_invalid', `Invalid client ID metadata document: ${reason}.`, {
    reason: 'client_document',
    cause,
    extensions: { oauth_error: 'invalid_client' },
  });
