import type { LaunchField } from '#catalog/install/launch-target.ts';
import type { Launch } from '#catalog/install/launches.ts';
import type { McpWay } from '#core/mcp/target.ts';
import type { ProblemBrief } from '#core/problem/problem.ts';

/** A connection and its public form. Pure. */

export const CONNECTION_STATUSES = ['pending', 'auth_required', 'ready', 'error'] as const;
type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** How it authenticates: `none` until credentials are stored or an authorization completes. */
export const AUTH_TYPES = ['none', 'header', 'bearer', 'basic', 'variables', 'oauth'] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

/**
 * A header, or a variable of the address or the headers, that the server's listing names. For a package: an environment
 * variable, an argument, or a variable of one of these.
 */
export interface AuthField {
  name: string;
  in: 'header' | 'variable' | 'env' | 'argument';
  description: string;
  required: boolean;
  secret: boolean;
  /** The template, with variables such as `{token}`; empty if the user provides the whole value. */
  value: string;
  default: string;
  /** Of a package's fields: what a value must be. */
  format?: LaunchField['format'];
  /** The only values allowed. */
  choices?: string[];
  /** Several values are given as one, each on its own line. */
  repeated?: boolean;
  hint?: string;
  /** Of a number. */
  min?: number;
  max?: number;
}

/** A field of a package: fields of addresses have no format. */
export const isOfPackage = (field: AuthField): field is AuthField & LaunchField => field.format !== undefined;

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
  /** The signed-in account, as its issuer names it; absent if it does not say. */
  account?: string;
  /** Who was signed in before, if that was another account. */
  previous_account?: string;
}

export interface Connection {
  id: string;
  user_id: string;
  name: string;
  provider_id: string | null;
  external_id: string | null;
  /** May contain variables such as `{region}`; `Credentials.open` returns the actual URL. */
  url: string;
  transport: McpWay;
  status: ConnectionStatus;
  auth: ConnectionAuth;
  server_info: { name: string; version: string } | null;
  protocol_version: string | null;
  last_error: ProblemBrief | null;
  tools_read_at: string | null;
  created_at: string;
  last_used_at: string | null;
  /** Of a server that is started from a package: how. Null for one at an address. */
  package: Launch | null;
  /** Hosts that the package may reach; null for none, and for a server at an address. */
  package_hosts: string[] | null;
  /** Null until it ran. */
  package_seen: PackageSeen | null;
}

/** What of the package ran last, and which hosts it was refused so far. */
export interface PackageSeen {
  purl: string;
  lock_sha256: string;
  tree_sha256: string;
  size_bytes: number;
  isolation: string;
  wanted_hosts: string[];
}

/** As its owner sees it. */
export function shownConnection(connection: Connection) {
  const {
    user_id: _,
    provider_id,
    external_id,
    auth,
    package_hosts: _hosts,
    package_seen: _seen,
    ...rest
  } = connection;
  // The secrets of a package are often alternatives of each other: only what it cannot start without is required.
  const isRequired = ({ required, secret }: AuthField) => required || (secret && connection.package === null);
  return {
    ...rest,
    listing: provider_id === null || external_id === null ? null : { provider: provider_id, external_id },
    package: shownPackage(connection),
    auth: {
      type: auth.type,
      oauth: auth.oauth,
      account: auth.type === 'oauth' ? (auth.account ?? null) : null,
      previous_account: auth.type === 'oauth' ? (auth.previous_account ?? null) : null,
      required: auth.fields.filter(isRequired).map(withoutValue),
      optional: auth.fields.filter((field) => !isRequired(field)).map(withoutValue),
      values: auth.values,
      stored: auth.stored,
      updated_at: auth.updated_at ?? null,
    },
  };
}

export const withoutValue = ({ value: _, ...field }: AuthField) => field;

function shownPackage({ package: launch, package_hosts, package_seen, url }: Connection) {
  if (launch === null) return null;
  const hosts = package_hosts ?? [];
  const wanted_hosts = package_seen?.wanted_hosts ?? [];
  const proposed = [...new Set([...launch.hosts, ...wanted_hosts])].filter((host) => !hosts.includes(host));
  return {
    ecosystem: launch.package.registry_type,
    name: launch.package.identifier,
    version: launch.package.version,
    purl: package_seen?.purl ?? url,
    hosts,
    proposed_hosts: proposed,
    wanted_hosts,
    isolation: package_seen?.isolation ?? null,
    lock_sha256: package_seen?.lock_sha256 ?? null,
    tree_sha256: package_seen?.tree_sha256 ?? null,
    size_bytes: package_seen?.size_bytes ?? null,
  };
}
