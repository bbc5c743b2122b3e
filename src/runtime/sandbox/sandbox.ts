import type { Share } from '#core/fair-queue/share.ts';

/** The seam behind which a script runs: embedded (just-bash in a locked-down child) today, a virtual machine tomorrow. */

/** Isolation levels, weakest first. */
export const ISOLATION_LEVELS = ['wasm+process', 'wasm+process+bwrap'] as const;
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

export type ScriptLanguage = 'bash' | 'python' | 'javascript';
export type OutputStream = 'stdout' | 'stderr';

export interface SandboxLimits {
  /** Wall time of the whole run, boot included. */
  timeout_ms: number;
  /** The script's limit, without the overhead of the engine. */
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
  /** Null if the script was stopped from outside. */
  exit_code: number | null;
  stdout: string;
  stderr: string;
  /** By path relative to `/workspace/output`. */
  output_files: Map<string, Uint8Array>;
  /** Files that did not fit into `output_bytes`, were too many, were links, or had a name that no file should have. */
  files_left_out: number;
  duration_ms: number;
  /** Time until the script started; null if it never did. */
  boot_ms: number | null;
  /** Isolation of the script. */
  isolation: IsolationLevel;
  /** `just-bash 3.4.2`; "" if the run was cancelled before it started. */
  engine: string;
  /** The engine's message if it crashed; otherwise "". For the log, not for callers. */
  engine_error: string;
}

export interface SelfTest {
  ok: boolean;
  /** `sandbox_too_weak`: it works, but is below the operator's minimum. Null if it is ok. */
  code?: 'sandbox_unsafe' | 'sandbox_too_weak' | null;
  /** What fails, and the fix. */
  reason: string | null;
}

interface SandboxCounts {
  running: number;
  queued: number;
}

export interface Sandbox {
  /** The level in force. */
  readonly isolation: IsolationLevel;
  /** Active and waiting runs. */
  counts(): SandboxCounts;
  run(request: SandboxRequest): Promise<SandboxResult>;
  /** Tests once that the limits work on this machine; later calls get the first result. */
  selfTest(): Promise<SelfTest>;
  /** Ends every active run and waits until its processes are gone. */
  close(): Promise<void>;
}
