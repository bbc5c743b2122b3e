import { hasManyParts } from '#core/text/json-text.ts';
import type { BoxUsage } from '#runtime/boxes/box.ts';
import type { HostGrant, HostUse } from '#runtime/egress/egress.ts';
import type { SandboxLimits, SandboxStatus } from '#runtime/sandbox/sandbox.ts';

/** The result of a run of any class. Statuses are those of a task; `rejected` means that it could not run at all. */
type RunStatus = 'completed' | 'failed' | 'cancelled' | 'rejected';

/**
 * Runner, environment and reached hosts: one value that the executor of a class returns and the receipt includes. New
 * members of later receipt versions are added here, set by the class, and read only in `receipt.ts`.
 */
export interface RunEnvironment {
  /** Isolation of the code; null if nothing ran. */
  isolation: string | null;
  engine: string | null;
  /**
   * Whether it could reach the network: `guarded` excludes private addresses, `allow_list` includes only the
   * granted hosts.
   */
  network: 'none' | 'guarded' | 'allow_list';
  /** Granted, reached and requested hosts of a box; null without a box. */
  hosts: { granted: readonly HostGrant[]; uses: readonly HostUse[] } | null;
  /** Resource usage of a box; null without a box. */
  resources: BoxUsage | null;
  /** The package that ran; null for everything else. */
  package: { purl: string; lock_sha256: string; tree_sha256: string } | null;
  /** The packages that were installed for a script. */
  packages: readonly { ecosystem: 'npm' | 'pypi'; lock_sha256: string; tree_sha256: string }[];
  /** The language model that answered, such as `openai/gpt-5`; null if none did. */
  model: string | null;
  /** The planner that chose the steps if no language model did. */
  planner: string | null;
  /** The listing whose server was called, as `provider/external_id`, and its address. */
  server: { listing: string; url: string } | null;
}

/** Used if nothing ran. */
export const NO_ENVIRONMENT: RunEnvironment = {
  isolation: null,
  engine: null,
  network: 'none',
  hosts: null,
  resources: null,
  package: null,
  packages: [],
  model: null,
  planner: null,
  server: null,
};

/** What the executor of a class returns. */
export interface Outcome extends Verdict {
  /** Null if the run was stopped from outside or never started. */
  exit_code: number | null;
  /** Standard output as JSON if it is JSON, otherwise as text. */
  output: unknown;
  stdout: string;
  stderr: string;
  /** By path relative to `/workspace/output`. */
  output_files: Map<string, Uint8Array>;
  /** Files that are not among them: too large, too many, links, or with an unsafe name. */
  files_left_out: number;
  environment: RunEnvironment;
}

export interface RunResult extends Outcome {
  trace_id: string;
  /** The span of the run. The trace may belong to the caller, so the run consists of this span and its descendants. */
  span_id: string;
  duration_ms: number;
}

export interface Verdict {
  status: RunStatus;
  /** Machine-readable, such as `timed_out`; null when completed. */
  reason: string | null;
  /** One sentence for people; null when completed. */
  error: string | null;
}

export const COMPLETED: Verdict = { status: 'completed', reason: null, error: null };

/** Without output: a run that was rejected, or failed before its class could report more. */
export const emptyOutcome = (verdict: Verdict, environment: Partial<RunEnvironment> = {}): Outcome => ({
  ...verdict,
  exit_code: null,
  output: null,
  stdout: '',
  stderr: '',
  output_files: new Map(),
  files_left_out: 0,
  environment: { ...NO_ENVIRONMENT, ...environment },
});

/** Converts the status of the sandbox to status, reason and error of a run. Pure. */
export function verdictOf(status: SandboxStatus, exit_code: number | null, limits: SandboxLimits): Verdict {
  switch (status) {
    case 'completed':
      return COMPLETED;
    case 'cancelled':
      return cancelled('The run was cancelled and its process ended.');
    case 'timed_out':
      return failed(status, `The script was stopped at its time limit of ${limits.timeout_ms / 1000} s.`);
    case 'memory_exceeded':
      return failed(status, `The script was stopped because it used more than ${limits.memory_mb} MB of memory.`);
    case 'output_exceeded':
      return failed(
        status,
        `The script was stopped because it wrote more than ${sizeOf(limits.output_bytes)} of output.`,
      );
    case 'failed':
      return exit_code === null
        ? failed('engine_failed', 'The sandbox crashed before the script ended. No process is left running.')
        : failed('exit_code', `The script ended with exit code ${exit_code}.`);
  }
}

export const rejected = (reason: string, error: string): Verdict => ({ status: 'rejected', reason, error });

export const cancelled = (error: string): Verdict => ({ status: 'cancelled', reason: 'cancelled', error });

export const failed = (reason: string, error: string): Verdict => ({ status: 'failed', reason, error });

const sizeOf = (bytes: number): string =>
  bytes < 1_048_576 ? `${bytes} bytes` : `${Math.round(bytes / 104_857.6) / 10} MiB`;

/** What a script printed: the parsed JSON, otherwise the text. JSON that is too large to be parsed here is text, too. */
export function outputOf(stdout: string): unknown {
  if (hasManyParts(stdout)) return stdout;
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout;
  }
}
