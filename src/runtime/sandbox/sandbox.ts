import type { Share } from '#core/fair-queue/share.ts';

/** The seam behind which a script runs: embedded (just-bash in a locked-down child) today, a virtual machine tomorrow. */

/** What can hold a script, the weakest first. */
export const ISOLATION_LEVELS = ['wasm+process', 'wasm+process+bwrap'] as const;
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

export type ScriptLanguage = 'bash' | 'python' | 'javascript';
export type OutputStream = 'stdout' | 'stderr';

export interface SandboxLimits {
  /** Wall time of the whole run, boot included. */
  timeout_ms: number;
  /** What the script may use; the engine's own share comes on top. */
  memory_mb: number;
  /** Standard output and error together; once more for the files. */
  output_bytes: number;
}

export const DEFAULT_LIMITS: SandboxLimits = { timeout_ms: 30_000, memory_mb: 256, output_bytes: 8 * 1024 * 1024 };

export interface SandboxRequest {
  /** Whose turn it is where all places are taken. */
  share: Share;
  language: ScriptLanguage;
  /** By path relative to `/workspace/skill`, which is also the working directory. */
  files: ReadonlyMap<string, Uint8Array>;
  /** A path of `files`. */
  entry: string;
  /** Also found as `/workspace/input/input.json`. */
  stdin: string;
  /** By path relative to `/workspace/input`. */
  input_files?: ReadonlyMap<string, Uint8Array>;
  limits: SandboxLimits;
  /** Called as output arrives; the bytes are the caller's. */
  on_output?: (stream: OutputStream, chunk: Uint8Array) => void;
  signal?: AbortSignal;
}

/** `completed` = exit code 0, `failed` = another one or a crash; the rest were ended by a limit or by the caller. */
export type SandboxStatus = 'completed' | 'failed' | 'timed_out' | 'memory_exceeded' | 'output_exceeded' | 'cancelled';

export interface SandboxResult {
  status: SandboxStatus;
  /** Null where the script was ended from outside. */
  exit_code: number | null;
  stdout: string;
  stderr: string;
  /** By path relative to `/workspace/output`. */
  output_files: Map<string, Uint8Array>;
  /** Files that did not fit into `output_bytes`, were too many, were links, or had a name that no file should have. */
  files_left_out: number;
  duration_ms: number;
  /** Until the script began; null where it never did. */
  boot_ms: number | null;
  /** What held the script. */
  isolation: IsolationLevel;
  /** `just-bash 3.4.2`; "" where the run was cancelled before it began. */
  engine: string;
  /** What the engine said where it broke down by itself; "" otherwise. For the log, not for callers. */
  engine_error: string;
}

export interface SelfTest {
  ok: boolean;
  /** `sandbox_too_weak`: it holds, but is below the level that the operator asks for. Null where it is ok. */
  code?: 'sandbox_unsafe' | 'sandbox_too_weak' | null;
  /** What does not hold and what to do about it. */
  reason: string | null;
}

interface SandboxCounts {
  running: number;
  queued: number;
}

export interface Sandbox {
  /** The level in force. */
  readonly isolation: IsolationLevel;
  /** Runs whose processes are there, and runs that wait for one. */
  counts(): SandboxCounts;
  run(request: SandboxRequest): Promise<SandboxResult>;
  /** Proves once that the limits hold on this machine; later calls get the first answer. */
  selfTest(): Promise<SelfTest>;
  /** Ends every run under way and waits until its processes are gone. */
  close(): Promise<void>;
}
