import type { Readable, Writable } from 'node:stream';
import type { Egress, HostUse } from '#runtime/egress/egress.ts';

/** The interface to the sandbox that runs a package or a native script. */

/** What isolates the process, weakest first. With gVisor, the host kernel does not run the programs' system calls. */
export const BOX_ISOLATIONS = [
  'bwrap',
  'bwrap+seccomp',
  'bwrap+seccomp+cgroup',
  'container',
  'kubernetes',
  'gvisor',
] as const;
export type BoxIsolation = (typeof BOX_ISOLATIONS)[number];

/** Whether it is weaker than the operator requires. */
export const isWeaker = (isolation: BoxIsolation, min: BoxIsolation): boolean =>
  BOX_ISOLATIONS.indexOf(isolation) < BOX_ISOLATIONS.indexOf(min);

export interface BoxLimits {
  /** Of all processes of the box together, with what lies in /tmp and /dev/shm. */
  memory_bytes: number;
  /** Processes and threads together, as the kernel counts them. Node alone takes 11. */
  processes: number;
  /** Of each process. */
  open_files: number;
  /** The largest single file. */
  file_bytes: number;
  /** Processor time of the whole box; null is unlimited. */
  cpu_ms: number | null;
  /** The size of /tmp. */
  tmp_bytes: number;
  /** The size of /dev/shm. */
  shm_bytes: number;
  /** Time from the start to the end; null is unlimited. */
  wall_ms: number | null;
}

/** A host path shown inside the box. */
export interface Mount {
  from: string;
  to: string;
  /** Only for paths in the order's `disk.dir`, because a box could fill any other. */
  writable: boolean;
}

export interface BoxOrder {
  /** The program and its arguments inside the box. It is visible in the process list: no secrets. */
  argv: readonly string[];
  /** May hold secrets: it is passed by file descriptor. */
  env: Readonly<Record<string, string>>;
  /** Absolute path inside the box. */
  cwd: string;
  mounts: readonly Mount[];
  /**
   * A host tree that is the box's root, in place of this host's programs: the stored tree of a container image, with the mount points
   * of image-root.ts. Mounts can only be at paths that it has.
   */
  root?: string | undefined;
  /**
   * A host folder that the box may fill up to `bytes`; mount it, or folders in it, to make it reachable. If the
   * server is root, the user of the boxes becomes the owner of the folder.
   */
  disk: { dir: string; bytes: number } | null;
  limits: BoxLimits;
  egress: Egress;
  signal?: AbortSignal;
}

export type BoxEndReason =
  | 'exited'
  | 'killed'
  | 'out_of_memory'
  | 'processes'
  | 'cpu'
  | 'wall'
  | 'disk'
  | 'failed_to_start';

export interface BoxEnd {
  /** Exit code of the program; null if a signal or the server ended it. */
  code: number | null;
  /** `SIGSEGV`. A program that exits with 128 + n counts as ended by signal n, as in a shell. */
  signal: string | null;
  reason: BoxEndReason;
  /** One sentence for people, without secrets of the order. */
  message: string;
}

export interface BoxUsage {
  /** Processor time of all processes so far. */
  cpu_ms: number;
  /** The highest seen so far. */
  memory_bytes: number;
  /** The highest number of processes seen at once, threads not counted. */
  processes: number;
}

export interface Box {
  stdin: Writable;
  stdout: Readable;
  /** The first 1 MiB; the rest is read and dropped, so that the program never waits for a reader. */
  stderr: Readable;
  /** Hosts reached and refused, capped. */
  hosts(): HostUse[];
  /** Null if it ended before it was measured, and where it cannot be measured. */
  usage(): BoxUsage | null;
  /** The program has started: from now on the service goes first where both want the processor. */
  settled(): void;
  /** Ends every process of the box at once. May be called at any time, and twice. */
  kill(): void;
  /** Resolves when no process of the box is left; never rejects. */
  gone: Promise<BoxEnd>;
}

/** How one attack of the self-test ended. `void`: the attack could not be tried here. */
export interface AttackVerdict {
  id: string;
  title: string;
  verdict: 'refused' | 'through' | 'void';
  /** The output of the attack. */
  detail: string;
}

export interface BoxSelfTest {
  ok: boolean;
  isolation: BoxIsolation | null;
  /** One or two sentences: what works, or what does not. */
  text: string;
  /** How to fix it; null if it is ok. */
  fix: string | null;
  attacks: readonly AttackVerdict[];
  took_ms: number;
}

export interface BoxDriver {
  /** Null if no box can be started here; `selfTest` reports why. */
  readonly isolation: BoxIsolation | null;
  /** Tries attacks in real boxes once in each process; later calls get the first result. */
  selfTest(): Promise<BoxSelfTest>;
  /**
   * Resolves when the program is about to run, or when the box could not be started (`gone` says why then).
   *
   * @throws `runs.unavailable` (`box_unavailable`) if no box can be started here, `http.invalid` (`input`) if the order is invalid.
   */
  start(order: BoxOrder): Promise<Box>;
  /** `memory_bytes` is what the running boxes use now. */
  counts(): { running: number; memory_bytes: number };
  /** Ends every box and waits until its processes are gone. */
  close(): Promise<void>;
}
