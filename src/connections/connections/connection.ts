import type { McpTransport } from '#core/mcp/target.ts';

/** A managed connection: its shape, and what of it is shown. Pure. */

export const CONNECTION_STATUSES = ['pending', 'auth_required', 'ready', 'error'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** How it signs in: `none` until credentials were stored or an OAuth sign-in was finished. */
export const AUTH_TYPES = ['none', 'header', 'bearer', 'basic', 'variables', 'oauth'] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

/** A header, or a variable of the address and the headers, that the server's listing names. */
export interface AuthField {
  name: string;
  in: 'header' | 'variable';
  description: string;
  required: boolean;
  secret: boolean;
  /** What is sent, with places such as `{token}` for variables; empty where whoever connects says it whole. */
  value: string;
  default: string;
}

export interface ConnectionAuth {
  type: AuthType;
  fields: AuthField[];
  /** Plain values of variables, and of headers that are no secret, given when it was made. */
  values: Record<string, string>;
  /** Names of what is stored in `connection_secrets`, never values. */
  stored: string[];
  /** When it was stored; left out until then. */
  updated_at?: string;
  /** Whether its server offers to sign in by OAuth; null where it has not been seen. */
  oauth: boolean | null;
}

export interface Connection {
  id: string;
  user_id: string;
  name: string;
  provider_id: string | null;
  external_id: string | null;
  /** May hold places such as `{region}`: what is asked is what `Credentials.open` answers. */
  url: string;
  transport: McpTransport;
  status: ConnectionStatus;
  auth: ConnectionAuth;
  server_info: { name: string; version: string } | null;
  protocol_version: string | null;
  last_error: { code: string; detail: string } | null;
  tools_read_at: string | null;
  created_at: string;
  last_used_at: string | null;
}

/** As its owner sees it. */
export function shownConnection({ user_id: _, provider_id, external_id, auth, ...rest }: Connection) {
  return {
    ...rest,
    listing: provider_id === null || external_id === null ? null : { provider: provider_id, external_id },
    auth: {
      type: auth.type,
      oauth: auth.oauth,
      required: auth.fields.filter(({ required, secret }) => required || secret).map(withoutValue),
      optional: auth.fields.filter(({ required, secret }) => !required && !secret).map(withoutValue),
      values: auth.values,
      stored: auth.stored,
      updated_at: auth.updated_at ?? null,
    },
  };
}

const withoutValue = ({ value: _, ...field }: AuthField) => field;
