import type { BoxEndReason, BoxLimits, BoxOrder, BoxUsage } from './box.ts';
import type { BoxGroup } from './cgroup.ts';
import type { ContainerUse } from './container-use.ts';
import { countFolder, countRemoved, processFolders } from './disk.ts';
import { cpuCount, type ProcessUse, readExactBytes, readFolders, readProcesses } from './processes.ts';

/** Enforces limits of a running box that the kernel does not enforce, and measures its usage. */
export interface Watch {
  /** Null before the first measurement. */
  usage(): BoxUsage | null;
  /** The processor time of the whole box at its end. */
  ended(cpu_ms: number): void;
  /** Bytes in use at the last look. */
  now_bytes(): number;
  stop(): void;
}

interface WatchOptions {
  /** The host's number of the box's first process. */
  pid: number;
  limits: BoxLimits;
  disk: BoxOrder['disk'];
  group: BoxGroup | null;
  /** For a box whose /proc cannot be read from here; the kernel enforces its memory limit. */
  container?: ContainerUse | undefined;
  /** Called once. */
  on_exceeded: (reason: BoxEndReason, message: string) => void;
}

const LEAST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 250;
/** About as fast as two cores fill fresh pages, and a fast disk takes bytes. */
const MEMORY_BYTES_PER_MS = 2_097_152;
const DISK_BYTES_PER_MS = 1_048_576;
const LEAST_DISK_WAIT_MS = 100;
const LONGEST_DISK_WAIT_MS = 2_000;
/** Programs that need a moment get it; a fork bomb never leaves the limit, and slows everything on the machine. */
const LONGEST_FULL_MS = 2_000;
/** A look takes at most this share of a core: a large folder is counted less often. */
const LOOK_SHARE = 0.1;

export function watchBox({ pid, limits, disk, group, container, on_exceeded }: WatchOptions): Watch {
  const usage: BoxUsage = { cpu_ms: 0, memory_bytes: 0, processes: 1 };
  const count = cpuCount();
  let isMeasured = false;
  let nowBytes = 0;
  let stopped = false;
  let fullSinceMs: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let diskTimer: NodeJS.Timeout | undefined;

  const exceeded = (reason: BoxEndReason, message: string): void => {
    if (stopped) return;
    stop();
    on_exceeded(reason, message);
  };
  const stop = (): void => {
    stopped = true;
    clearTimeout(timer);
    clearTimeout(diskTimer);
  };
  /** Whether the box reached its limit and has had half as many processes since, for too long. Many threads are no bomb. */
  function isFull({ processes, threads }: ProcessUse): boolean {
    if (processes < limits.processes / 2) fullSinceMs = null;
    else if (threads >= limits.processes) fullSinceMs ??= performance.now();
    return fullSinceMs !== null && performance.now() - fullSinceMs > LONGEST_FULL_MS;
  }
  /** The first limit that the box exceeds. */
  function excessOf(found: ProcessUse): [BoxEndReason, string] | null {
    if (container !== undefined && found.processes > limits.processes)
      return ['processes', `The box started more than ${limits.processes} processes.`];
    if (container === undefined && isFull(found))
      return ['processes', `The box was at its limit of ${limits.processes} processes for 2 s.`];
    if (nowBytes > limits.memory_bytes) return ['out_of_memory', memoryMessage(limits.memory_bytes)];
    if (limits.cpu_ms !== null && usage.cpu_ms > limits.cpu_ms) return ['cpu', cpuMessage(limits.cpu_ms)];
    return null;
  }
  const look = async (): Promise<void> => {
    const found = container === undefined ? readProcesses(pid, count) : container.read();
    if (found === null || stopped) return;
    const counted =
      container === undefined ? group?.usage() : { memory_bytes: found.resident_bytes, cpu_ms: found.cpu_ms };
    nowBytes = counted?.memory_bytes ?? found.resident_bytes + readFolders(pid);
    usage.cpu_ms = Math.max(usage.cpu_ms, counted?.cpu_ms ?? found.cpu_ms);
    usage.processes = Math.max(usage.processes, found.processes);
    isMeasured = true;
    // Pages that processes share were counted for each of them.
    if (counted === undefined && nowBytes > limits.memory_bytes)
      nowBytes = Math.min(nowBytes, (await readExactBytes(pid)) + readFolders(pid));
    usage.memory_bytes = Math.max(usage.memory_bytes, nowBytes);
    const excess = excessOf(found);
    if (excess !== null) return exceeded(...excess);
    again();
  };
  const again = (): void => {
    const memoryMs = (limits.memory_bytes - nowBytes) / MEMORY_BYTES_PER_MS;
    const cpuMs = limits.cpu_ms === null ? LONGEST_WAIT_MS : (limits.cpu_ms - usage.cpu_ms) / 2;
    // Programs can start processes faster than the longest wait would see.
    const longestMs = container === undefined ? LONGEST_WAIT_MS : LONGEST_WAIT_MS / 5;
    const waitMs = Math.min(group === null && container === undefined ? memoryMs : longestMs, cpuMs, longestMs);
    if (!stopped) timer = setTimeout(look, Math.max(LEAST_WAIT_MS, waitMs));
  };
  const removedBytes = async (dir: string): Promise<number> =>
    countRemoved(container === undefined ? await processFolders(pid) : container.folders(), dir);
  const lookAtDisk = async (dir: string, limitBytes: number): Promise<void> => {
    const began = performance.now();
    const { bytes, hidden } = await countFolder(dir, limitBytes);
    const total = bytes + (await removedBytes(dir).catch(() => 0));
    const tookMs = performance.now() - began;
    if (hidden !== null) return exceeded('disk', `The box made a folder that cannot be counted (${hidden}).`);
    if (total > limitBytes) return exceeded('disk', `The box wrote more than ${limitBytes} bytes to its folder.`);
    const waitMs = Math.min((limitBytes - total) / DISK_BYTES_PER_MS, LONGEST_DISK_WAIT_MS);
    const restMs = Math.max(LEAST_DISK_WAIT_MS, waitMs, tookMs / LOOK_SHARE);
    if (!stopped) diskTimer = setTimeout(lookAtDisk, restMs, dir, limitBytes);
  };

  timer = setTimeout(look, LEAST_WAIT_MS);
  if (disk !== null) diskTimer = setTimeout(lookAtDisk, LEAST_DISK_WAIT_MS, disk.dir, disk.bytes);
  return {
    usage: () =>
      isMeasured ? { cpu_ms: usage.cpu_ms, memory_bytes: usage.memory_bytes, processes: usage.processes } : null,
    ended: (cpu_ms) => {
      usage.cpu_ms = Math.max(usage.cpu_ms, cpu_ms);
    },
    now_bytes: () => nowBytes,
    stop,
  };
}

export const memoryMessage = (limit_bytes: number): string =>
  `The box used more than its ${limit_bytes} bytes of memory.`;
export const cpuMessage = (limit_ms: number): string => `The box used more than its ${limit_ms} ms of processor time.`;
