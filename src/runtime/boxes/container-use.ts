import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessUse } from './processes.ts';

/**
 * The resource usage of a gVisor container, as the kernel of the host counts it for the container's group. The processes in the box are
 * gVisor's own: the kernel sees one process for each of their address spaces. `pid` is the host's number of the sandbox process.
 */

interface Group {
  /** Folder of the controller; with cgroup v2 it is one for all. */
  memory: string;
  cpu: string;
  processes: string;
  unified: boolean;
}

/** The kernel moves a process that has ended into this group, which counts the whole machine. */
const ROOT = '/';
const NS_PER_MS = 1_000_000;
const US_PER_MS = 1_000;

export interface ContainerUse {
  /** Null if the container has ended. */
  read(): ProcessUse | null;
  /** Folders in /proc of all its processes. */
  folders(): string[];
}

export function containerUse(pid: number): ContainerUse {
  let group: Group | null = null;
  const find = (): Group | null => {
    group ??= groupOf(text(`/proc/${pid}/cgroup`), text('/proc/self/mountinfo'));
    return group;
  };
  return {
    read: () => {
      try {
        const found = find();
        return found === null ? null : readGroup(found, pid);
      } catch {
        return null;
      }
    },
    folders: () => {
      try {
        return pidsOf(find()).map((each) => `/proc/${each}`);
      } catch {
        return [];
      }
    },
  };
}

function readGroup({ memory, cpu, processes, unified }: Group, sandbox: number): ProcessUse {
  const resident_bytes = numberIn(join(memory, unified ? 'memory.current' : 'memory.usage_in_bytes'));
  const cpu_ms = unified
    ? Number(/^usage_usec (\d+)$/m.exec(text(join(cpu, 'cpu.stat')))?.[1] ?? 0) / US_PER_MS
    : numberIn(join(cpu, 'cpuacct.usage')) / NS_PER_MS;
  const guests = countGuests(pidsOf({ processes }), sandbox, parentOf);
  return { processes: guests, threads: guests, wanting: 0, runnable: 0, resident_bytes, cpu_ms };
}

const pidsOf = (group: Pick<Group, 'processes'> | null): number[] =>
  group === null ? [] : text(join(group.processes, 'cgroup.procs')).split('\n').filter(Boolean).map(Number);

/** The sandbox starts one process, and that one starts a process for each address space of the programs in the box. */
export function countGuests(
  pids: readonly number[],
  sandbox: number,
  parent: (pid: number) => number | undefined,
): number {
  const parents = new Map(pids.map((pid) => [pid, parent(pid)]));
  return pids.filter((pid) => parents.get(parents.get(pid) ?? 0) === sandbox).length;
}

/** The folders of a group, from the process's list of groups and the list of mounts. Null if a controller is missing. */
export function groupOf(groups: string, mounts: string): Group | null {
  const lines = groups.split('\n').map((line) => /^(\d+):([^:]*):(.*)$/.exec(line));
  const folder = (controller: string): string | null => {
    const path = lines.find((line) => line?.[2]?.split(',').includes(controller))?.[3];
    const mount = mounts
      .split('\n')
      .map((line) => line.split(' '))
      .find((fields) => fields.includes('cgroup') && fields.at(-1)?.split(',').includes(controller))?.[4];
    return path === undefined || path === ROOT || mount === undefined ? null : join(mount, path);
  };
  const [memory, cpu, processes] = [folder('memory'), folder('cpuacct'), folder('pids')];
  if (memory !== null && cpu !== null && processes !== null) return { memory, cpu, processes, unified: false };
  const path = lines.find((line) => line?.[1] === '0' && line[2] === '')?.[3];
  const mount = mounts
    .split('\n')
    .find((line) => line.includes(' - cgroup2 '))
    ?.split(' ')[4];
  if (path === undefined || path === ROOT || mount === undefined) return null;
  const dir = join(mount, path);
  return { memory: dir, cpu: dir, processes: dir, unified: true };
}

const text = (path: string): string => readFileSync(path, 'latin1');
const numberIn = (path: string): number => Number.parseInt(text(path), 10);

/** The parent in /proc/…/stat, after the name, which may contain any characters. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = text(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
