import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BoxLimits } from './box.ts';

/** Kernel control groups (cgroup v2), if the service manager has delegated them to the service (`Delegate=yes`). */
interface Groups {
  create(id: string, limits: BoxLimits): BoxGroup;
}

export interface BoxGroup {
  /** Moves a process into the group; its later children are in the group, too. */
  add(pid: number): void;
  /** The usage that the kernel counted so far. */
  usage(): { memory_bytes: number; cpu_ms: number };
  /** Whether the kernel ended a process of the group because its memory was full. */
  ranOutOfMemory(): boolean;
  kill(): void;
  /** Waits until the group is empty, and removes it. */
  remove(): Promise<void>;
}

/** If there are no groups, `groups` is null and `reason` explains why. */
interface FoundGroups {
  groups: Groups | null;
  reason: string;
}

/** The group of the service's processes, because a group with child groups must not contain processes. */
const SERVER_GROUP = 'capstan-server';
const BOX_PREFIX = 'capstan-box-';
const NEEDED = ['memory', 'pids'];
/** The outer process of bubblewrap, its reaper and the launchers. */
const OWN_PROCESSES = 8;
const REMOVE_TRIES = 100;
const REMOVE_WAIT_MS = 20;

/** Prepares the service's own group for boxes. Changes nothing without permission, or if other programs are in it. */
export function openGroups(own: string | null = ownGroup()): FoundGroups {
  if (own === null) return { groups: null, reason: 'cgroup v2 is not mounted' };
  const base = basename(own) === SERVER_GROUP ? dirname(own) : own;
  try {
    const offered = words(join(base, 'cgroup.controllers'));
    const missing = NEEDED.filter((name) => !offered.includes(name));
    if (missing.length > 0) return { groups: null, reason: `the controllers ${missing.join(', ')} are not delegated` };
    accessSync(base, constants.W_OK);
    accessSync(join(base, 'cgroup.subtree_control'), constants.W_OK);
    prepare(base, offered);
  } catch (error) {
    return { groups: null, reason: `the service's cgroup is not delegated (${(error as Error).message})` };
  }
  return {
    groups: { create: (id, limits) => createGroup(join(base, `${BOX_PREFIX}${process.pid}-${id}`), limits) },
    reason: '',
  };
}

function prepare(base: string, offered: readonly string[]): void {
  const enabled = words(join(base, 'cgroup.subtree_control'));
  const wanted = [...NEEDED, 'cpu'].filter((name) => offered.includes(name) && !enabled.includes(name));
  if (wanted.length > 0) {
    const pids = words(join(base, 'cgroup.procs')).map(Number);
    const others = pids.filter((pid) => !isKin(pid));
    if (others.length > 0) throw new Error(`${others.length} other processes are in it`);
    mkdirSync(join(base, SERVER_GROUP), { recursive: true });
    for (const pid of pids) writeFileSync(join(base, SERVER_GROUP, 'cgroup.procs'), `${pid}`);
    writeFileSync(join(base, 'cgroup.subtree_control'), wanted.map((name) => `+${name}`).join(' '));
  }
  for (const name of readdirSync(base).filter(isLeft)) removeEmpty(join(base, name));
}

/** Whether it is the group of a box whose service has ended: the name contains the service's process id. */
function isLeft(name: string): boolean {
  if (!name.startsWith(BOX_PREFIX)) return false;
  const pid = Number.parseInt(name.slice(BOX_PREFIX.length), 10);
  return text(`/proc/${pid}/stat`) === '';
}

function removeEmpty(dir: string): void {
  try {
    rmdirSync(dir);
  } catch {
    // It is in use.
  }
}

function createGroup(dir: string, limits: BoxLimits): BoxGroup {
  mkdirSync(dir);
  const set = (name: string, value: string): void => writeFileSync(join(dir, name), value);
  const setWherePossible = (name: string, value: string): void => {
    try {
      set(name, value);
    } catch {
      // An older kernel, or one without swap.
    }
  };
  set('memory.max', `${limits.memory_bytes}`);
  set('pids.max', `${limits.processes + OWN_PROCESSES}`);
  setWherePossible('memory.swap.max', '0');
  setWherePossible('memory.oom.group', '1');
  // Half of the service's share if both compete for the processor.
  setWherePossible('cpu.weight', '50');
  return {
    add: (pid) => set('cgroup.procs', `${pid}`),
    usage: () => ({
      memory_bytes: Number(text(join(dir, 'memory.current'))),
      cpu_ms: numberIn(join(dir, 'cpu.stat'), 'usage_usec') / 1000,
    }),
    ranOutOfMemory: () => numberIn(join(dir, 'memory.events'), 'oom_kill') > 0,
    kill: () => setWherePossible('cgroup.kill', '1'),
    remove: () => removeWhenEmpty(dir),
  };
}

async function removeWhenEmpty(dir: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES; tries++) {
    const error = await rmdir(dir).then(
      () => null,
      (reason: NodeJS.ErrnoException) => reason,
    );
    if (error === null || error.code === 'ENOENT') return;
    await sleep(REMOVE_WAIT_MS);
  }
}

/** The folder of this process's group, or null without cgroup v2. */
function ownGroup(): string | null {
  const mounted = lines('/proc/self/mountinfo')
    .find((line) => line.includes(' - cgroup2 '))
    ?.split(' ')[4];
  const path = lines('/proc/self/cgroup')
    .find((line) => line.startsWith('0::'))
    ?.slice(3);
  return mounted === undefined || path === undefined ? null : join(mounted, path);
}

/** This process, its parents or its children. */
function isKin(pid: number): boolean {
  return ancestors(process.pid).includes(pid) || ancestors(pid).includes(process.pid);
}

function ancestors(pid: number): number[] {
  const found: number[] = [];
  for (let next = pid; next > 0 && found.length < 100; ) {
    found.push(next);
    const stat = text(`/proc/${next}/stat`);
    next = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
  }
  return found;
}

function text(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

const words = (path: string): string[] => readFileSync(path, 'latin1').split(/\s+/).filter(Boolean);

const lines = (path: string): string[] => text(path).split('\n');

function numberIn(path: string, name: string): number {
  const line = lines(path).find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}
