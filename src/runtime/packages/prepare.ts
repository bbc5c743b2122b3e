import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { Mount } from '#runtime/boxes/box.ts';
import type { Commands } from './entries.ts';
import type { FileHosts } from './file-hosts.ts';
import type { InstallDriver, InstallLimits } from './install-box.ts';
import type { NpmCli } from './npm-cli.ts';
import type { OciRegistryDeps } from './oci-registry.ts';
import type { LockedVersion, PackageInput, PackageRef, StepName } from './package.ts';
import type { Python } from './python.ts';
import type { IndexAccess, NpmAccess } from './registry-credentials.ts';
import type { RegistryFetch } from './registry-fetch.ts';
import type { AgeRule } from './release-age.ts';

/** The input of every ecosystem to fetch a package, and its result for the store. */

export interface PrepareDeps extends AgeRule {
  boxes: InstallDriver;
  limits: InstallLimits;
  /** `process.versions.node` of the Node in the boxes. */
  node_version: string;
  /** npm packages whose install scripts may run. */
  allow_scripts: readonly string[];
  /** PEM file; null for none. */
  registry_ca: string | null;
  /** Those of the file and the usual ones; undefined without a file. */
  authorities: readonly string[] | undefined;
  file_hosts: FileHosts;
  npm: {
    /** Of packages for whose scope no other is configured; '' for none. */
    registry: string;
    access: NpmAccess;
    fetch: RegistryFetch;
    cli(signal: AbortSignal): Promise<NpmCli>;
  };
  pypi: { index: string; access: IndexAccess; fetch: RegistryFetch; python(signal: AbortSignal): Promise<Python> };
  oci: OciRegistryDeps;
  /** Fetch for addresses from listings. */
  outbound: OutboundFetch;
}

/** One preparation. */
export interface InstallRun {
  /** An empty temporary folder; it is removed afterwards. */
  dir: string;
  signal: AbortSignal;
  step(step: StepName, bytes?: number): void;
}

/** The preparation of a single package. */
export interface PrepareRun extends InstallRun {
  ref: PackageRef;
}

/** Fetched and checked, but not stored yet. */
export interface Unpacked {
  /** Host folder below the run's `dir`. */
  tree: string;
  lock: Uint8Array;
  commands: Commands;
  inputs: PackageInput[];
  /** Beside the tree itself. */
  mounts: Mount[];
  scripts_skipped: string[];
  /** Every package of a set, dependencies included; null for a single package. */
  locked: LockedVersion[] | null;
}
