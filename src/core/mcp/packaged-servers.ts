import type { Share } from '#core/fair-queue/share.ts';
import type { McpAnswer, McpLimits, McpWork } from './session.ts';
import type { PackageSource, PackageTarget } from './target.ts';

/**
 * The seam to MCP servers that are started from packages. Features see this interface only; what fetches, checks and
 * isolates them (runtime/packaged) is given by the app.
 */
export interface PackagedServers {
  /** Why such a package is not run here, as far as its listing shows; null where it may be. Quick: asks nobody. */
  refusal(wanted: PackagedWish): string | null;
  /**
   * Prepares the package where that was not done before, starts it where no box is kept, and does the work in a session
   * with it. What the server does wrong is an answer; an abort throws the signal's reason.
   *
   * @throws Problem `packages.*` where the package cannot be prepared, `runtime.*` where no box can be had.
   */
  through<T>(order: PackagedOrder, work: McpWork<T>): Promise<PackagedAnswer<T>>;
  /**
   * The package with the exact version, or the digest, that the listing's version selects now, and its package URL.
   *
   * @throws Problem `packages.*`, `runs.unavailable` (`box_unavailable`).
   */
  pin(source: PackageSource, signal: AbortSignal): Promise<{ source: PackageSource; purl: string }>;
  /**
   * What the package itself declares that its user sets, where only its files say so: bundles. Prepares it if necessary.
   *
   * @throws Problem `packages.*`, `runs.unavailable`; the signal's reason.
   */
  settings(order: Pick<PackagedOrder, 'share' | 'on_step'> & SettingsOrder): Promise<PackageSetting[]>;
  /** Why such a host cannot be granted, as the end of a sentence; null where it can. */
  hostFault(host: string): string | null;
  /** Ends the boxes that are kept under this id. */
  forget(id: string): void;
}

interface SettingsOrder {
  source: PackageSource;
  signal: AbortSignal;
}

/** A value of `user_config` in the manifest of a bundle. */
export interface PackageSetting {
  name: string;
  description: string;
  type: 'string' | 'number' | 'boolean' | 'directory' | 'file';
  required: boolean;
  sensitive: boolean;
  /** Several values are given as one, each on its own line. */
  multiple: boolean;
  /** May begin with a folder of the user, such as `${HOME}`; several are on their own lines. */
  default: string;
  min: number | null;
  max: number | null;
}

export interface PackagedWish {
  package: PackageSource;
  /** As the listing says: `stdio`, `streamable-http` … */
  transport: string;
}

export interface PackagedOrder {
  target: PackageTarget;
  /** Null: a box for this work alone, which ends with it. */
  kept: KeptBox | null;
  /** Whose turn it is where there are more orders than boxes. */
  share: Share;
  /** Of the work; preparing and starting have limits that the operator sets. */
  limits: McpLimits;
  signal: AbortSignal | null;
  /** Nobody has asked for the package yet: if it has to be prepared, it is the first to leave a full store. */
  expendable?: boolean;
  on_step?: ((step: PackageStep) => void) | undefined;
}

/** A box that serves one order after the other and ends when nobody used it for a while. */
export interface KeptBox {
  /** Of its owner: boxes of two ids are never shared. */
  id: string;
  /** Another version gets another box, and the one before is ended. */
  version: string;
  on_tools_changed(): void;
}

const PACKAGE_STEPS = ['queued', 'resolving', 'fetching', 'checking', 'storing', 'starting'] as const;

export interface PackageStep {
  step: (typeof PACKAGE_STEPS)[number];
  /** Received so far; 0 in steps that fetch nothing. */
  bytes: number;
}

const STEP_TEXTS: Record<PackageStep['step'], string> = {
  queued: 'Waiting for a place',
  resolving: 'Resolving the package',
  fetching: 'Fetching the package',
  checking: 'Checking the package',
  storing: 'Storing the package',
  starting: 'Starting the server',
};

export const stepText = ({ step, bytes }: PackageStep): string =>
  bytes === 0 ? STEP_TEXTS[step] : `${STEP_TEXTS[step]} (${(bytes / 1e6).toFixed(1)} MB)`;

/** Below 1, and rising with each step and byte. */
const stepProgress = ({ step, bytes }: PackageStep): number =>
  (PACKAGE_STEPS.indexOf(step) + 1 + bytes / (bytes + 1e9)) / (PACKAGE_STEPS.length + 1);

/** Reports steps as the progress of a tool call. */
export const stepsAsProgress =
  (progress: (done: number, total: null, message: string) => void) =>
  (step: PackageStep): void =>
    progress(stepProgress(step), null, stepText(step));

export interface PackagedAnswer<T> {
  answer: McpAnswer<T>;
  facts: PackagedFacts;
}

/** What ran, and what it reached. */
export interface PackagedFacts {
  /** Package URL. */
  purl: string;
  lock_sha256: string;
  tree_sha256: string;
  size_bytes: number;
  /** What held it, such as `bwrap+seccomp+cgroup`. */
  isolation: string;
  /** Hosts that the server may reach. */
  granted: readonly { host: string; ports: readonly number[]; plain: boolean }[];
  /** Hosts that it reached or asked for. */
  hosts: readonly HostReached[];
  /** The usage of its box; null where it was not measured. */
  cpu_ms: number | null;
  memory_bytes: number | null;
  processes: number | null;
}

export interface HostReached {
  host: string;
  /** 0 where the name was only looked up. */
  port: number;
  outcome: 'reached' | 'refused';
  /** Null where it was reached. */
  reason: string | null;
  /** Connections, or look-ups where `port` is 0. */
  connections: number;
  bytes_in: number;
  bytes_out: number;
}

/** Names that were refused because nobody granted them, each once. */
export const wantedHosts = (hosts: readonly HostReached[]): string[] => [
  ...new Set(
    hosts
      .filter(({ outcome, reason }) => outcome === 'refused' && (reason === 'not_granted' || reason === 'port'))
      .map(({ host, port }) => (port === 0 || port === 443 ? host : `${host}:${port}`)),
  ),
];
