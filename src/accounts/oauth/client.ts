import { accountsProblem } from '#accounts/errors.ts';
import { visible } from '#core/markdown/escape.ts';
import type { Problem } from '#core/problem/problem.ts';
import { redirectKind } from './redirect-uri.ts';

/** An OAuth client and its metadata (RFC 7591), all of which is untrusted. */

export interface Client {
  /** The URL of its metadata document, or its registered id. */
  id: string;
  name: string;
  /** The host of its document; null if it registered itself, so that nothing about it was verified. */
  host: string | null;
  redirect_uris: readonly string[];
}

export interface ClientMetadata {
  redirect_uris?: unknown;
  client_name?: unknown;
  grant_types?: unknown;
  response_types?: unknown;
}

const MAX_REDIRECTS = 20;
const MAX_NAME = 80;

/** Returns name and redirect URIs. Throws a 400 `auth.oauth_invalid` (`client_metadata`). */
export function readMetadata(metadata: ClientMetadata): Pick<Client, 'name' | 'redirect_uris'> {
  const { redirect_uris, client_name, grant_types, response_types } = metadata;
  if (!includes(grant_types, 'authorization_code')) throw refused('grant_types must include authorization_code');
  if (!includes(response_types, 'code')) throw refused('response_types must include code');
  if (client_name !== undefined && typeof client_name !== 'string') throw refused('client_name must be a string');
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > MAX_REDIRECTS)
    throw refused(`redirect_uris must be a list of 1 to ${MAX_REDIRECTS} URIs`, 'invalid_redirect_uri');
  if (redirect_uris.some((uri) => typeof uri !== 'string' || redirectKind(uri) === null))
    throw refused(REDIRECT_RULE, 'invalid_redirect_uri');
  return { name: shownName(client_name ?? ''), redirect_uris: redirect_uris as string[] };
}

const REDIRECT_RULE =
  'each redirect URI must be https, http on 127.0.0.1, [::1] or localhost, or use a private-use scheme ' +
  'such as com.example.app:/callback, without a user name, fragment, spaces or backslashes';

/** Absent members have the default of RFC 7591. */
const includes = (list: unknown, value: string): boolean =>
  list === undefined || (Array.isArray(list) && list.includes(value));

/** One line without hidden or bidirectional characters. */
function shownName(text: string): string {
  const line = visible(text.slice(0, 4 * MAX_NAME))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME).toWellFormed()}…`;
}

const refused = (reason: string, oauth_error = 'invalid_client_metadata'): Problem =>
  accountsProblem('auth.oauth_invalid', `Invalid client metadata: ${reason}.`, {
    reason: 'client_metadata',
    extensions: { oauth_error },
  });
