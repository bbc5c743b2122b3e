import type { BoxLimits } from './box.ts';

/**
 * The first program inside a box. It sets the limits of the kernel there, because the number of processes is counted in
 * the user namespace where it is set: outside, all boxes of a user would share it. Then it becomes the program.
 */

/** The launcher writes a byte here when the box is set up and the program is about to run. A shell knows one digit. */
export const READY_FD = 6;

/** The reaper of bubblewrap and the launcher itself. */
const OWN_PROCESSES = 2;
const KIB = 1024;
const BLOCK_BYTES = 512;
/**
 * Runtimes reserve more than they use: V8 maps 512 MiB for the code of each worker thread, so a server with two of them could not start
 * with less. What is really used is limited from outside.
 */
const DATA_SLACK_BYTES = 17 * 512 * 1024 * KIB;

/** `argv` of the launcher, which `shell` runs, with the program's own behind it. */
export function launcherArgv(shell: readonly string[], limits: BoxLimits, argv: readonly string[]): string[] {
  return [...shell, '-c', launcherScript(limits), 'box', ...argv];
}

/** A limit that is already lower stays: raising it fails, which is ignored. */
export function launcherScript(limits: BoxLimits): string {
  const processes = limits.processes + OWN_PROCESSES;
  const dataKib = Math.ceil((2 * limits.memory_bytes + DATA_SLACK_BYTES) / KIB);
  const blocks = Math.ceil(limits.file_bytes / BLOCK_BYTES);
  const set = [
    'ulimit -c 0',
    `ulimit -n ${limits.open_files}`,
    `ulimit -f ${blocks}`,
    `ulimit -d ${dataKib}`,
    // Shells have two names for it: dash and busybox take -p, which is another limit in bash.
    `ulimit -u ${processes} || ulimit -p ${processes}`,
    ...cpuLimits(limits.cpu_ms),
    // If the machine runs out of memory, the kernel ends processes of boxes first.
    'echo 1000 >/proc/self/oom_score_adj',
  ];
  return [
    `{ ${set.join('; ')}; } 2>/dev/null`,
    'command -v "$1" >/dev/null || { echo "$1: not found in the box" >&2; exit 127; }',
    `echo >&${READY_FD}`,
    `exec "$@" ${READY_FD}>&-`,
  ].join('\n');
}

/** Limits of each process, a fallback for the limit of the whole box. The soft limit warns, the hard limit ends it. */
function cpuLimits(cpuMs: number | null): string[] {
  if (cpuMs === null) return [];
  const seconds = Math.ceil(cpuMs / 1000) + 1;
  return [`ulimit -St ${seconds}`, `ulimit -Ht ${seconds + 1}`];
}
