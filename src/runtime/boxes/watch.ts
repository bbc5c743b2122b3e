import type { BoxEndReason, BoxLimits, BoxOrder, BoxUsage } from './box.ts';
import type { BoxGroup } from './cgroup.ts';
import type { ContainerUse } from './container-use.ts';
import { containerCrowd, watchCrowd } from './crowd.ts';
import { countFolder, countRemoved, processFolders } from './disk.ts';
import { cpuCount, type ProcessUse, readExactBytes, readFolders, readProcesses } from './processes.ts';
import { onSurge } from './surge.ts';

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
  /** Called for a box that has kept many processes or threads busy, with its first process. */
  on_hog?: (() => void) | undefined;
  /** Called once. */
  on_exceeded: (reason: BoxEndReason, message: string) => void;
}

/** What the kernel counts for the whole box, where it does. */
interface Counted {
  memory_bytes: number;
  cpu_ms: number;
}

const LEAST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 250;
/** About as fast as two cores fill fresh pages, and a fast disk takes bytes. */
const MEMORY_BYTES_PER_MS = 2_097_152;
const DISK_BYTES_PER_MS = 1_048_576;
const LEAST_DISK_WAIT_MS = 100;
const LONGEST_DISK_WAIT_MS = 2_000;
/** The priority of a box that starves others is lowered again, because it may have started more processes since. */
const LOWER_EVERY_MS = 1_000;
/** A look takes at most this share of a core: a large folder is counted less often. */
const LOOK_SHARE = 0.1;

export function watchBox({ pid, limits, disk, group, container, on_hog, on_exceeded }: WatchOptions): Watch {
  const usage: BoxUsage = { cpu_ms: 0, memory_bytes: 0, processes: 1 };
  const count = cpuCount();
  const crowdOf = container === undefined ? watchCrowd(limits.processes) : containerCrowd(limits.processes);
  let isMeasured = false;
  let nowBytes = 0;
  let stopped = false;
  let isLooking = false;
  let dueMs = 0;
  let loweredMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let diskTimer: NodeJS.Timeout | undefined;
  let stopSurge: (() => void) | undefined;

  const end = (reason: BoxEndReason, message: string): null => {
    if (!stopped) {
      stop();
      on_exceeded(reason, message);
    }
    return null;
  };
  const stop = (): void => {
    stopped = true;
    clearTimeout(timer);
    clearTimeout(diskTimer);
    stopSurge?.();
  };
  /** The first limit that the box exceeds. */
  function excess(): [BoxEndReason, string] | null {
    if (nowBytes > limits.memory_bytes) return ['out_of_memory', memoryMessage(limits.memory_bytes)];
    if (limits.cpu_ms !== null && usage.cpu_ms > limits.cpu_ms) return ['cpu', cpuMessage(limits.cpu_ms)];
    return null;
  }
  const look = async (): Promise<void> => {
    isLooking = true;
    const waitMs = await lookOnce().finally(() => {
      isLooking = false;
    });
    if (waitMs !== null && !stopped) plan(Math.max(LEAST_WAIT_MS, waitMs));
  };
  /** Milliseconds until the next look; null if there is none. */
  const lookOnce = async (): Promise<number | null> => {
    const now = use();
    if (now === null || stopped) return null;
    const { found, counted } = now;
    nowBytes = counted?.memory_bytes ?? found.resident_bytes + readFolders(pid);
    usage.cpu_ms = Math.max(usage.cpu_ms, counted?.cpu_ms ?? found.cpu_ms);
    usage.processes = Math.max(usage.processes, found.processes);
    isMeasured = true;
    const crowd = crowdOf(found);
    if (crowd.excess !== null) return end('processes', crowd.excess);
    if (crowd.is_hog) noteHog();
    if (counted === undefined && nowBytes > limits.memory_bytes) {
      // Of a bomb, the exact number would take seconds to read.
      if (crowd.is_suspect) return LEAST_WAIT_MS;
      // Pages that processes share were counted for each of them.
      nowBytes = Math.min(nowBytes, (await readExactBytes(pid)) + readFolders(pid));
    }
    usage.memory_bytes = Math.max(usage.memory_bytes, nowBytes);
    const exceeded = excess();
    return exceeded === null ? waitAfter(crowd.is_crowded) : end(...exceeded);
  };
  const use = (): { found: ProcessUse; counted: Counted | undefined } | null => {
    const found = container === undefined ? readProcesses(pid, count, limits.processes / 4) : container.read();
    if (found === null) return null;
    const { resident_bytes: memory_bytes, cpu_ms } = found;
    return { found, counted: container === undefined ? group?.usage() : { memory_bytes, cpu_ms } };
  };
  const noteHog = (): void => {
    if (performance.now() - loweredMs < LOWER_EVERY_MS) return;
    loweredMs = performance.now();
    on_hog?.();
  };
  const waitAfter = (isCrowded: boolean): number => {
    const memoryMs = (limits.memory_bytes - nowBytes) / MEMORY_BYTES_PER_MS;
    const cpuMs = limits.cpu_ms === null ? LONGEST_WAIT_MS : (limits.cpu_ms - usage.cpu_ms) / 2;
    // Programs can start processes faster than the longest wait would see.
    const longestMs = container === undefined ? LONGEST_WAIT_MS : LONGEST_WAIT_MS / 5;
    const isMeasuredHere = group === null && container === undefined;
    return Math.min(isMeasuredHere ? memoryMs : longestMs, cpuMs, isCrowded ? LEAST_WAIT_MS : longestMs);
  };
  const plan = (waitMs: number): void => {
    clearTimeout(timer);
    dueMs = performance.now() + waitMs;
    timer = setTimeout(look, waitMs);
  };
  /** It is this box, or another one. */
  const lookSoon = (): void => {
    if (!isLooking && dueMs - performance.now() > LEAST_WAIT_MS) plan(0);
  };
  const removedBytes = async (dir: string): Promise<number> =>
    countRemoved(container === undefined ? await processFolders(pid) : container.folders(), dir);
  const lookAtDisk = async (dir: string, limitBytes: number): Promise<void> => {
    const began = performance.now();
    const { bytes, hidden } = await countFolder(dir, limitBytes);
    const total = bytes + (await removedBytes(dir).catch(() => 0));
    const tookMs = performance.now() - began;
    if (hidden !== null) return void end('disk', `The box made a folder that cannot be counted (${hidden}).`);
    if (total > limitBytes) return void end('disk', `The box wrote more than ${limitBytes} bytes to its folder.`);
    const waitMs = Math.min((limitBytes - total) / DISK_BYTES_PER_MS, LONGEST_DISK_WAIT_MS);
    const restMs = Math.max(LEAST_DISK_WAIT_MS, waitMs, tookMs / LOOK_SHARE);
    if (!stopped) diskTimer = setTimeout(lookAtDisk, restMs, dir, limitBytes);
  };

  plan(LEAST_WAIT_MS);
  stopSurge = container === undefined ? onSurge(lookSoon) : undefined;
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
