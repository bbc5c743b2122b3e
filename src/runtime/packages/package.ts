import type { Mount } from '#runtime/boxes/box.ts';

/** A package as a listing names it, and the same package fetched, checked, locked and stored read-only. */

export const ECOSYSTEMS = ['npm', 'pypi', 'mcpb', 'oci'] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

export interface PackageRef {
  ecosystem: Ecosystem;
  /** npm: `@scope/name`. PyPI: the project name. MCPB: the https URL of the bundle. OCI: the image without tag. */
  name: string;
  /** Exact; a range, a tag or `latest` is refused. MCPB: free text. OCI: `sha256:…`. */
  version: string;
  /** The registry that the listing names; null is the configured one. */
  registry: string | null;
  /** SHA-256 of the package file in hexadecimal, if the listing has it. Required for MCPB. */
  sha256: string | null;
  /** Package URL, for receipts. Not read here. */
  purl: string;
}

/** How a box starts the package. Paths are those inside the box. */
export interface PackageEntry {
  argv: string[];
  env: Record<string, string>;
  cwd: string;
}

/** A value that the user gives before the start: `${user_config.<name>}` in `argv` and `env` of an MCPB entry. */
export interface PackageInput {
  name: string;
  type: 'string' | 'number' | 'boolean' | 'directory' | 'file';
  required: boolean;
  /** Sensitive values are never put into `argv`. */
  sensitive: boolean;
  /** More than one value is allowed. */
  multiple: boolean;
  /** Text may have `${HOME}` and the like. */
  default: string | number | boolean | readonly string[] | null;
  description?: string;
  /** Of a number. */
  min?: number;
  max?: number;
}

export interface Prepared {
  ref: PackageRef;
  /** SHA-256 of the kept lock file's bytes: package-lock.json, a pip requirements file with hashes, the bundle's hash, or the image's manifest. */
  lock_sha256: string;
  /** See tree-digest.ts. */
  tree_sha256: string;
  /** The digest of Node's compile cache, a tree beside the package's; null for none. */
  cache_sha256: string | null;
  /** The read-only tree on this host. */
  dir: string;
  /** The kept lock file on this host. */
  lock_file: string;
  /** The tree is the root of the box: container images. It is not among the mounts then. */
  root: string | null;
  /** Mounts of the box: the tree and, unless it is part of the system, the language runtime. */
  mounts: Mount[];
  entry: PackageEntry;
  inputs: PackageInput[];
  /** Packages of the tree whose install scripts were not run, as `name@version`. */
  scripts_skipped: string[];
  size_bytes: number;
  files: number;
  steps_ms: Record<string, number>;
}

/** Packages that a script imports, installed together into one tree. */
export interface PackageSet {
  ecosystem: 'npm' | 'pypi';
  /** At least one. `wanted` is a range of npm, or extras and a specifier of PyPI; "" is any version. */
  packages: readonly { name: string; wanted: string }[];
  /** A lock that the store wrote before: exactly its files are installed. Null: the newest versions that are old enough. */
  lock: Uint8Array | null;
}

export interface LockedVersion {
  name: string;
  version: string;
}

export interface PreparedSet {
  /** See `Prepared`. */
  lock_sha256: string;
  tree_sha256: string;
  dir: string;
  lock_file: string;
  /** The tree is at `PACKAGE_ROOT`: Python's packages in its folder `site`, npm's in `node_modules`. */
  mounts: Mount[];
  locked: LockedVersion[];
  scripts_skipped: string[];
  size_bytes: number;
  files: number;
  steps_ms: Record<string, number>;
}

export type StepName = 'resolving' | 'fetching' | 'checking' | 'storing';

export interface PrepareStep {
  step: StepName;
  /** Bytes received so far; 0 in steps that fetch nothing. */
  bytes: number;
}

export interface PrepareOptions {
  /** The command to start if the package has several. */
  entry?: string | undefined;
  signal?: AbortSignal | undefined;
  on_step?: ((step: PrepareStep) => void) | undefined;
}

export interface CollectOptions {
  /** Least recently used packages are removed until the store is within this size. */
  max_bytes: number;
  /** Packages used within this time are kept; by default 10 minutes. */
  grace_ms?: number | undefined;
}

export interface PackageStore {
  /**
   * Fetches, checks and stores the package once; later calls and other processes get the stored tree.
   *
   * @throws Problem `packages.*` that names the reason and the next step; the signal's reason after an abort.
   */
  prepare(ref: PackageRef, options?: PrepareOptions): Promise<Prepared>;
  /**
   * The same for packages that a script imports.
   *
   * @throws Problem `packages.*`; the signal's reason after an abort.
   */
  prepareSet(set: PackageSet, options?: Omit<PrepareOptions, 'entry'>): Promise<PreparedSet>;
  /** The stored package, or null. Asks no registry. */
  find(ref: PackageRef, options?: Pick<PrepareOptions, 'entry'>): Promise<Prepared | null>;
  /** @throws Problem `packages.conflict` if the tree or the lock on disk differs from its digest. */
  verify(prepared: Prepared): Promise<void>;
  /** Makes it the first to be removed when the store is too large, until it is used again. */
  demote(ref: PackageRef): Promise<void>;
  /** Keeps the collector away from a tree until the returned function is called. */
  hold(prepared: Pick<Prepared, 'tree_sha256'>): Promise<() => Promise<void>>;
  /**
   * The exact version that a range, a tag or `latest` selects now, never younger than the minimum release age. For images it is a
   * digest, and of any age, because their registries do not tell when a tag was set.
   */
  resolveVersion(request: VersionRequest): Promise<string>;
  collect(options: CollectOptions): Promise<{ removed: number; freed_bytes: number }>;
  /** `bytes` counts a file shared by several trees once. */
  usage(): Promise<{ packages: number; bytes: number }>;
  close(): Promise<void>;
}

interface VersionRequest {
  ecosystem: 'npm' | 'pypi' | 'oci';
  name: string;
  /** `latest`, an npm tag or range, a PEP 440 specifier, an image's tag; "" is `latest`. */
  wanted: string;
  registry?: string | null | undefined;
  signal?: AbortSignal | undefined;
}

/** The path of the tree inside a box. It is constant, so that stored files never contain a path of the host. */
export const PACKAGE_ROOT = '/package';
/** The path of the npm CLI inside an install box. */
export const TOOLS_ROOT = '/toolchain';
