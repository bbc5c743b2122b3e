import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import type { Questions } from './questions.ts';

/** The MCP servers that can be spoken to: one at an address, or one that is started from a package. */

export const MCP_TRANSPORTS = ['streamable-http', 'sse'] as const;
export type McpTransport = (typeof MCP_TRANSPORTS)[number];
/** The transport of a session: an HTTP transport, or the standard input and output of a process. */
export type McpWay = McpTransport | 'stdio';

export interface RemoteTarget {
  url: string;
  /** Tried first; the other one is the fallback. */
  transport: McpTransport;
  /** Sent with every request, such as an authorization. */
  headers?: Record<string, string> | undefined;
  /** Answers questions of the server during a call. If absent, servers are told that nobody can answer. */
  elicit?: Elicit | undefined;
  /** Passes such questions to the calls that are in progress. */
  questions?: Questions | undefined;
}

export interface PackageTarget {
  transport: 'stdio';
  package: PackageSource;
  /** After those of the package's own command. Other programs of the machine can read them: no secrets. */
  arguments: readonly string[];
  /** What the owner and the listing gave, by name. May hold secrets. */
  env: Readonly<Record<string, string>>;
  /** The values of `env` that no message may show. */
  secrets: readonly string[];
  /** Hosts that the server may reach, as `name`, `*.name` or `name:port`. */
  hosts: readonly string[];
  /** Where the server listens, if it does not use standard input and output. */
  endpoint?: BoxEndpoint | undefined;
  /** Files and folders of this machine that the server may read, at the same path: only where its user runs it. */
  folders?: readonly string[] | undefined;
}

/** On the loopback of its box. */
export interface BoxEndpoint {
  transport: McpTransport;
  port: number;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
}

export type McpTarget = RemoteTarget | PackageTarget;

type Elicit = (asked: ElicitRequest['params']) => Promise<ElicitResult>;

/** A package as registries write it. Each field is '' where the listing has none. */
export interface PackageSource {
  /** `npm`, `pypi`, `mcpb`, `oci`, `nuget` … */
  registry_type: string;
  /** A name, the URL of a bundle, or an image with its tag or digest. */
  identifier: string;
  version: string;
  file_sha256: string;
  registry_base_url: string;
}
