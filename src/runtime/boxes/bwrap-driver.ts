import { randomUUID } from 'node:crypto';
import { chownSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { Problem } from '#core/problem/problem.ts';
import type { Egress, HostUse } from '#runtime/egress/egress.ts';
import type { Box, BoxDriver, BoxIsolation, BoxLimits, BoxOrder, BoxSelfTest } from './box.ts';
import { boxUser, canStage, stage } from './box-user.ts';
import { openGroups } from './cgroup.ts';
import { type BoxExtras, boxCommand, NO_EXTRAS } from './command-line.ts';
import { type BoxHost, readHost } from './host.ts';
import { closingPrefix, inheritedFiles } from './inherited.ts';
import { checkOrder } from './order.ts';
import { type Running, type RunOptions, runBox } from './running.ts';
import { seccompFilter } from './seccomp/filter.ts';
import { selfTest } from './self-test.ts';
import { NOT_INSTALLED, OPEN_FILES, readFacts, type WhyNot, whyNot } from './why-not.ts';

/** One box's way out, opened before the box and closed after it. */
export interface BoxEgress extends BoxExtras {
  uses(): HostUse[];
  close(): Promise<void>;
}

export interface BwrapOptions {
  /** Makes the way out for orders whose egress allows or watches anything. Without it such orders are refused. */
  egress?: (egress: Egress) => Promise<BoxEgress>;
  /** More host paths that every box may read, such as a language runtime outside of /usr. */
  runtimes?: readonly string[];
  /** False: without cgroups even where they are delegated. */
  groups?: boolean;
}

const CLOSING = 'The service is shutting down.';
const NO_WAY_OUT: BoxEgress = { ...NO_EXTRAS, uses: () => [], close: async () => {} };

/** For trials: a program that needs nothing. */
export const SMALL_LIMITS: BoxLimits = {
  memory_bytes: 256 * 1_048_576,
  processes: 64,
  open_files: 256,
  file_bytes: 16 * 1_048_576,
  cpu_ms: 10_000,
  tmp_bytes: 16 * 1_048_576,
  shm_bytes: 4 * 1_048_576,
  wall_ms: 20_000,
};

/**
 * Boxes by bubblewrap. Looks at once whether one can be started here; where none can, `isolation` is null and `start`
 * throws the reason.
 *
 * @throws Error where it is not called from the first thread: a box dies with the thread that started it.
 */
export async function openBwrapDriver(options: BwrapOptions = {}): Promise<BoxDriver> {
  if (!isMainThread) throw new Error('Boxes are started from the first thread only.');
  const host = readHost(options.runtimes);
  if (host === null) return unavailable(NOT_INSTALLED);
  const closing = closingPrefix(inheritedFiles());
  if (closing === null) return unavailable(OPEN_FILES);
  const filter = seccompFilter();
  const strongest = filter === null ? [null] : [filter, null];
  let refused: WhyNot = NOT_INSTALLED;
  for (const seccomp of strongest) {
    const driver = driverOf(host, closing, seccomp, options);
    const why = await trial(driver);
    if (why === null) return driver;
    refused = seccomp === filter ? why : refused;
  }
  return unavailable(refused);
}

function driverOf(host: BoxHost, closing: readonly string[], seccomp: Buffer | null, options: BwrapOptions): BoxDriver {
  const user = boxUser();
  const groups = options.groups === false ? null : openGroups().groups;
  const isolation = isolationOf(seccomp !== null, groups !== null);
  const live = new Map<Running, Promise<unknown>>();
  let tested: Promise<BoxSelfTest> | undefined;
  let closed = false;

  const start = async (order: BoxOrder): Promise<Box> => {
    checkOrder(order);
    if (closed) throw unavailableProblem(CLOSING);
    const way_out = await openWayOut(order.egress, options.egress);
    try {
      if (user !== null && order.disk !== null) chownSync(order.disk.dir, user.uid, user.gid);
      const staged = stage(user, host, order.mounts, way_out);
      if (staged.prefix.length > 0 && !canStage())
        throw unavailableProblem('The service runs as root in a closed folder, and util-linux is missing.');
      const placed = { ...order, mounts: staged.mounts };
      const command = boxCommand({
        host: staged.host,
        order: placed,
        extras: staged.extras,
        seccomp: seccomp !== null,
      });
      if (closed) throw unavailableProblem(CLOSING);
      const group = groups?.create(randomUUID(), order.limits) ?? null;
      const as = staged.prefix.length > 0 ? null : user;
      const running = spawned({ order, prefix: [...closing, ...staged.prefix], command, seccomp, user: as, group });
      const ended = running.box.gone.then(async () => {
        live.delete(running);
        await Promise.allSettled([group?.remove(), way_out.close()]);
      });
      live.set(running, ended);
      await running.started;
      return boxOf(running, way_out);
    } catch (error) {
      await way_out.close();
      throw error;
    }
  };

  return {
    isolation,
    start,
    selfTest: () => {
      tested ??= ofThisProcess(isolation, start);
      return tested;
    },
    counts: () => ({
      running: live.size,
      memory_bytes: [...live.keys()].reduce((sum, running) => sum + running.now_bytes(), 0),
    }),
    close: async () => {
      closed = true;
      for (const { box } of live.keys()) box.kill();
      await Promise.all(live.values());
    },
  };
}

/** Some refusals of the kernel, such as too many processes, come as a throw. */
function spawned(options: RunOptions): Running {
  try {
    return runBox(options);
  } catch (error) {
    options.group?.remove();
    throw unavailableProblem(`The box could not be started: ${(error as Error).message}.`);
  }
}

function boxOf({ box }: Running, way_out: BoxEgress): Box {
  const { stdin, stdout, stderr, usage, kill, gone } = box;
  return { stdin, stdout, stderr, usage, kill, gone, hosts: () => way_out.uses() };
}

function isolationOf(seccomp: boolean, groups: boolean): BoxIsolation {
  if (!seccomp) return 'bwrap';
  return groups ? 'bwrap+seccomp+cgroup' : 'bwrap+seccomp';
}

async function openWayOut(egress: Egress, open: BwrapOptions['egress']): Promise<BoxEgress> {
  if (egress.mode === 'none' && !egress.watch) return NO_WAY_OUT;
  if (open === undefined) throw unavailableProblem('Boxes have no network here.');
  return open(egress);
}

const proven = new Map<BoxIsolation, Promise<BoxSelfTest>>();

/** What holds once holds for every driver of the process. What did not hold is tried again by the next one. */
function ofThisProcess(isolation: BoxIsolation, start: BoxDriver['start']): Promise<BoxSelfTest> {
  const known = proven.get(isolation);
  if (known !== undefined) return known;
  const result = selfTest(isolation, start);
  proven.set(isolation, result);
  const forget = () => proven.delete(isolation);
  result.then(({ ok }) => ok || forget(), forget);
  return result;
}

/** Null where a box could be started. */
async function trial(driver: BoxDriver): Promise<WhyNot | null> {
  const order: BoxOrder = {
    argv: ['true'],
    env: {},
    cwd: '/tmp',
    mounts: [],
    disk: null,
    limits: SMALL_LIMITS,
    egress: { mode: 'none', watch: false },
  };
  try {
    const { gone, stdout } = await driver.start(order);
    stdout.resume();
    const { reason, code, message } = await gone;
    return reason === 'exited' && code === 0 ? null : whyNot(message, readFacts());
  } catch (error) {
    return whyNot((error as Error).message, readFacts());
  }
}

function unavailable({ reason, fix }: WhyNot): BoxDriver {
  return {
    isolation: null,
    selfTest: async () => ({ ok: false, isolation: null, text: reason, fix, attacks: [], took_ms: 0 }),
    start: async () => {
      throw unavailableProblem(reason);
    },
    counts: () => ({ running: 0, memory_bytes: 0 }),
    close: async () => {},
  };
}

function unavailableProblem(reason: string): Problem {
  return new Problem('unavailable', 'runtime.box_unavailable', `Packages cannot be run here. ${reason}`);
}
