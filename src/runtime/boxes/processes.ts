import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/**
 * The resource usage of a box's processes, from the box's own /proc. It lists all of them, including orphans and those in
 * other sessions. `pid` is the host's number of the box's first process, once the box is set up.
 */
export interface ProcessUse {
  processes: number;
  /** Of all processes, one at least of each. The kernel's limit counts them. */
  threads: number;
  /** Processes whose first thread runs or waits for a processor. */
  wanting: number;
  /** Processes and threads that run or wait for a processor. Threads are looked at only where there are many. */
  runnable: number;
  /** Resident pages, those that processes share counted for each. */
  resident_bytes: number;
  cpu_ms: number;
}

/** Linux reports processor time in hundredths of a second on every architecture. */
const TICK_MS = 10;
/** The kernel keeps about so much for each file of a tmpfs, also for an empty one. */
const INODE_BYTES = 1_024;
const MAX_THREADS = 16;

/** The time of ended processes: `seen_ms` is the last value of each. */
interface CpuCount {
  seen_ms: Map<string, number>;
  ended_ms: number;
}

export const cpuCount = (): CpuCount => ({ seen_ms: new Map(), ended_ms: 0 });

/** Null if the box has ended. Of a process with more than `many` threads, each is looked at. */
export function readProcesses(pid: number, count: CpuCount, many = Number.POSITIVE_INFINITY): ProcessUse | null {
  const proc = `/proc/${pid}/root/proc`;
  const use: ProcessUse = { processes: 0, threads: 0, wanting: 0, runnable: 0, resident_bytes: 0, cpu_ms: 0 };
  const seenMs = new Map<string, number>();
  let withChildrenMs = 0;
  try {
    for (const name of readdirSync(proc)) {
      if (!isNumber(name)) continue;
      const fields = statFields(`${proc}/${name}/stat`);
      if (fields === null) continue;
      use.processes++;
      const threads = Math.max(1, Number(fields[17]));
      use.threads += threads;
      use.wanting += Number(fields[0] === 'R');
      use.runnable += threads > many ? runnableThreads(`${proc}/${name}`, threads) : Number(fields[0] === 'R');
      use.resident_bytes += residentPages(proc, name, fields) * pageBytes();
      const ownMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
      withChildrenMs += ownMs + (Number(fields[13]) + Number(fields[14])) * TICK_MS;
      seenMs.set(`${name} ${fields[19]}`, ownMs);
    }
  } catch {
    return null;
  }
  for (const [key, ms] of count.seen_ms) if (!seenMs.has(key)) count.ended_ms += ms;
  count.seen_ms = seenMs;
  const ownMs = [...seenMs.values()].reduce((sum, ms) => sum + ms, count.ended_ms);
  // A parent that ignores its children's end hides their time from the one, a process that lived between two looks from the other.
  use.cpu_ms = Math.max(ownMs, withChildrenMs);
  return use.processes === 0 ? null : use;
}

function runnableThreads(dir: string, most: number): number {
  const states = threadsOf(dir, most).map((thread) => statFields(`${dir}/task/${thread}/stat`)?.[0]);
  return states.filter((state) => state === 'R').length;
}

/** A process whose first thread has ended shows no memory, although its other threads are running. */
function residentPages(proc: string, name: string, fields: readonly string[]): number {
  if (fields[0] !== 'Z' || Number(fields[17]) < 2) return Number(fields[21]);
  const threads = threadsOf(`${proc}/${name}`, MAX_THREADS);
  return Math.max(0, ...threads.map((thread) => Number(statFields(`${proc}/${name}/task/${thread}/stat`)?.[21] ?? 0)));
}

/** None if the process has ended: the others still have to be counted. */
function threadsOf(dir: string, most: number): string[] {
  try {
    return readdirSync(`${dir}/task`).slice(0, most);
  } catch {
    return [];
  }
}

let knownPageBytes: number | undefined;

/** 4 KiB, but 16 or 64 on some ARM machines. */
function pageBytes(): number {
  knownPageBytes ??=
    1024 * Number(/^KernelPageSize: +(\d+) kB$/m.exec(readFileSync('/proc/self/smaps', 'latin1'))?.[1] ?? 4);
  return knownPageBytes;
}

/** Bytes in /tmp and /dev/shm. */
export function readFolders(pid: number): number {
  let bytes = 0;
  for (const folder of ['tmp', 'dev/shm'])
    try {
      const { blocks, bfree, bsize, files, ffree } = statfsSync(`/proc/${pid}/root/${folder}`);
      bytes += (blocks - bfree) * bsize + (files - ffree) * INODE_BYTES;
    } catch {
      // The box has ended.
    }
  return bytes;
}

/** Bytes that the processes really take, shared pages once. Much slower than `readProcesses`. */
export async function readExactBytes(pid: number): Promise<number> {
  const proc = `/proc/${pid}/root/proc`;
  const names = await readdir(proc).catch(() => []);
  let bytes = 0;
  for (const name of names.filter(isNumber)) {
    const text = await readExact(`${proc}/${name}`);
    for (const [, kib] of text.matchAll(/^Pss_(?:Anon|Shmem): +(\d+) kB$/gm)) bytes += Number(kib) * 1024;
  }
  return bytes;
}

async function readExact(dir: string): Promise<string> {
  const text = await readFile(`${dir}/smaps_rollup`, 'latin1').catch(() => '');
  if (text !== '') return text;
  const threads = await readdir(`${dir}/task`).catch(() => []);
  const texts = threads.slice(0, MAX_THREADS).map((id) => readFile(`${dir}/task/${id}/smaps_rollup`, 'latin1'));
  const found = await Promise.allSettled(texts);
  return (
    found.flatMap((result) => (result.status === 'fulfilled' && result.value !== '' ? [result.value] : []))[0] ?? ''
  );
}

/** The fields of /proc/…/stat after the name, which may contain any characters. The state is at index 0. */
function statFields(path: string): string[] | null {
  try {
    const text = readFileSync(path, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);
