import type { BoxEndpoint, PackageSource } from '#core/mcp/target.ts';
import type { BoxIsolation, BoxLimits, BoxSelfTest } from '#runtime/boxes/box.ts';
import type { Egress } from '#runtime/egress/egress.ts';
import type { NativeRequest, NativeResult } from '#runtime/native/native-sandbox.ts';
import type { PackageRef, PackageSet, Prepared, PreparedSet, PrepareOptions } from '#runtime/packages/package.ts';
import type { PackagedServer } from './start-server.ts';

/**
 * Fetches packages and runs them. Features do not depend on the driver, which is behind `PackagedServers`
 * (core/mcp/packaged-servers.ts).
 */
export interface Runtime {
  readonly isolation: BoxIsolation;
  /** Limits of one box, set by the operator. */
  readonly limits: BoxLimits;
  /** Tries attacks in real boxes; the first result is kept. */
  selfTest(): Promise<BoxSelfTest>;
  /**
   * The package with the exact version, or the digest, that the listing's version selects now.
   *
   * @throws Problem `packages.*`.
   */
  pin(source: PackageSource, signal: AbortSignal): Promise<PackageRef>;
  /** @throws Problem `packages.*` that names the reason and the next step; the signal's reason after an abort. */
  prepare(ref: PackageRef, options: PrepareOptions): Promise<Prepared>;
  /** A package that was prepared before; otherwise null. */
  find(ref: PackageRef): Promise<Prepared | null>;
  /** Makes it the first to be removed when the store is too large, until it is used again. */
  demote(ref: PackageRef): Promise<void>;
  /** Starts a prepared package as an MCP server; the box ends with the signal. */
  start(prepared: Prepared, order: StartOrder, signal: AbortSignal): Promise<PackagedServer>;
  /** Packages that a script imports. @throws Problem `packages.*`; the signal's reason after an abort. */
  prepareSet(set: PackageSet, options: Omit<PrepareOptions, 'entry'>): Promise<PreparedSet>;
  /** Runs a script in a box to its end, with this machine's Python. @throws Problem `runs.unavailable` (`box_unavailable`). */
  runScript(request: Omit<NativeRequest, 'python'>): Promise<NativeResult>;
  counts(): RuntimeCounts;
  /** Usage of the store of prepared packages. */
  stored(): Promise<{ packages: number; bytes: number }>;
  /** Ends every box, and waits until its processes are gone. */
  close(): Promise<void>;
}

interface StartOrder {
  /** They are visible in the process list: no secrets. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The values of `env` that must not appear in any message about the server. */
  secrets: readonly string[];
  egress: Egress;
  /** Where the server listens in its box; undefined for standard input and output. */
  endpoint?: BoxEndpoint | undefined;
  /** Files and folders of this host that the box sees at the same path, read-only. */
  folders?: readonly string[] | undefined;
}

export interface RuntimeCounts {
  boxes: number;
  memory_bytes: number;
}
