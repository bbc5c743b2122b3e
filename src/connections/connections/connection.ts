import type { McpTransport } from '#core/mcp/target.ts';

/** A connection and its public form. Pure. */

export const CONNECTION_STATUSES = ['pending', 'auth_required', 'ready', 'error'] as const;
type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** How it authenticates: `none` until credentials are stored or an authorization completes. */
export const AUTH_TYPES = ['none', 'header', 'bearer', 'basic', 'variables', 'oauth'] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

/** A header, or a variable of the address or the headers, that the server's listing names. */
export interface AuthField {
  name: string;
  in: 'header' | 'variable';
  description: string;
  required: boolean;
  secret: boolean;
  /** The template, with variables such as `{token}`; empty if the user provides the whole value. */
  value: string;
  default: string;
}

export interface ConnectionAuth {
  type: AuthType;
  fields: AuthField[];
  /** Plain values of variables and non-secret headers, given at creation. */
  values: Record<string, string>;
  /** Names of what is stored in `connection_secrets`, never values. */
  stored: string[];
  /** Time of storage; absent before. */
  updated_at?: string;
  /** Whether its server supports OAuth; null if unknown. */
  oauth: boolean | null;
}

export interface Connection {
  id: string;
  user_id: string;
  name: string;
  provider_id: string | null;
  external_id: string | null;
  /** May contain variables such as `{region}`; `Credentials.open` returns the actual URL. */
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
