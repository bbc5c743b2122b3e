import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * The share of a box's processes in the processor, for hosts without delegated cgroups. There, each process of a box counts as much as
 * the whole service. No box starts with a lower priority, because a start would take longer on a busy machine.
 */

/** A ninth of the weight of other processes. */
export const SETTLED = 10;
/** A seventieth. */
export const HOG = 19;

/** More are not looked at. */
const MOST_PROCESSES = 1_024;

/**
 * Lowers the priority of all processes of a box; those that they start inherit it. `first` is the host's number of its first process.
 * What is not permitted stays as it is.
 */
export function lowerPriority(first: number, nice: number): void {
  for (const pid of processesOf(first)) for (const thread of threadsOf(pid)) lower(thread, nice);
}

function lower(thread: number, nice: number): void {
  try {
    if (getPriority(thread) < nice) setPriority(thread, nice);
  } catch {
    // The box belongs to another user, or the thread has ended.
  }
}

/** Children have higher numbers than their parents until numbers are used again, so that one pass in order finds nearly all. */
function processesOf(first: number): Set<number> {
  const later = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > first)
    .sort((a, b) => a - b)
    .slice(0, MOST_PROCESSES);
  const found = new Set([first]);
  for (const pid of later) if (found.has(parentOf(pid))) found.add(pid);
  return found;
}

/** Of a process that has ended: none. */
function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return Number.NaN;
  }
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
