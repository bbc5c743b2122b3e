import { readResource } from '#accounts/auth/resources.ts';
import { accountsProblem } from '#accounts/errors.ts';
import type { Scope } from '#core/http/caller.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { Client } from './client.ts';
import type { FindClient } from './find-client.ts';
import { isRegistered } from './redirect-uri.ts';
import { readScopes } from './scopes.ts';

/** An authorization request (OAuth 2.1, section 4.1.1). Each page contains it completely, so none is stored. */

/** As received. */
export type Fields = { readonly [K in (typeof FIELDS)[number]]?: string | undefined };

const FIELDS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
] as const;

export interface AuthorizationRequest {
  client: Client;
  redirect_uri: string;
  state: string | undefined;
  code_challenge: string;
  resource: string;
  /** The requested scopes, which the user's tier may not all grant. */
  scopes: Scope[];
  /** The request as a query string in canonical form. */
  written: string;
}

/** An error to send to the client's redirect URI. */
export interface Refusal {
  redirect_uri: string;
  state: string | undefined;
  error: string;
  description: string;
}

interface RequestDeps {
  base_url: string;
  findClient: FindClient;
}

/** Throws errors that must not be redirected: client and redirect URI are checked first. */
export async function readRequest(
  { base_url, findClient }: RequestDeps,
  fields: Fields,
): Promise<AuthorizationRequest | Refusal> {
  const { client_id, redirect_uri = '', state } = fields;
  if (client_id === undefined) throw incomplete();
  const client = await findClient(client_id);
  if (!isRegistered(client.redirect_uris, redirect_uri)) throw redirectRefused();
  const refuse = (error: string, description: string): Refusal => ({ redirect_uri, state, error, description });
  const { response_type, code_challenge = '', code_challenge_method, prompt } = fields;
  if (response_type !== 'code') return refuse('unsupported_response_type', 'response_type must be code');
  if (code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(code_challenge))
    return refuse('invalid_request', 'PKCE is required: code_challenge with code_challenge_method S256');
  const resource = readResource(base_url, fields.resource);
  if (resource === null) return refuse('invalid_target', 'resource does not identify this service');
  const scopes = readScopes(fields.scope);
  if (scopes.length === 0) return refuse('invalid_scope', 'unknown scopes; supported scopes are read, write and admin');
  if (prompt?.split(' ').includes('none') === true)
    return refuse('interaction_required', 'prompt=none is not supported');
  return { client, redirect_uri, state, code_challenge, resource, scopes, written: write(fields) };
}

export const isRefusal = (request: AuthorizationRequest | Refusal): request is Refusal => 'error' in request;

const write = (fields: Fields): string =>
  `${new URLSearchParams(FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))}`;

/** Parses the request from a form. A field that occurs twice did not come from us. */
export function readWritten(written: string): Fields {
  const pairs = [...new URLSearchParams(written)].filter(([name]) => (FIELDS as readonly string[]).includes(name));
  return Object.fromEntries(pairs.toReversed()) as Fields;
}

const incomplete = (): Problem =>
  accountsProblem('auth.oauth_invalid', 'Missing client_id.', { reason: 'client_unknown' });

const redirectRefused = (): Problem =>
  accountsProblem('auth.oauth_invalid', 'Invalid redirect_uri: it is missing or not registered for this client.', {
    reason: 'redirect_uri',
  });
