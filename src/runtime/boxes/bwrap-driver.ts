import { randomUUID } from 'node:crypto';
import { chownSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { Problem } from '#core/problem/problem.ts';
import type { Egress, EgressGate } from '#runtime/egress/egress.ts';
import { joinCommand } from '#runtime/egress/join-command.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { Box, BoxDriver, BoxIsolation, BoxLimits, BoxOrder, BoxSelfTest, Mount } from './box.ts';
import { boxUser, canStage, stage } from './box-user.ts';
import { openGroups } from './cgroup.ts';
import { boxCommand, GATE_FDS } from './command-line.ts';
import { type BoxHost, readHost } from './host.ts';
import { closingPrefix, inheritedFiles } from './inherited.ts';
import { checkOrder } from './order.ts';
import { type Running, type RunOptions, runBox } from './running.ts';
import { seccompFilter } from './seccomp/filter.ts';
import { selfTest } from './self-test.ts';
import { unavailableDriver } from './unavailable.ts';
import { NOT_INSTALLED, OPEN_FILES, readFacts, type WhyNot, whyNot } from './why-not.ts';

interface BwrapOptions {
  /** Opens the gate of a box whose egress allows or watches hosts. Without it such orders are refused. */
  openGate?: (egress: Egress) => Promise<EgressGate>;
  /** More host paths that every box may read, such as a language runtime outside of /usr. */
  runtimes?: readonly string[];
  /** False if cgroups must not be used even if they are delegated. */
  groups?: boolean;
}

const CLOSING = 'The service is shutting down.';
const NO_GATE: EgressGate = { namespace: null, mounts: [], uses: () => [], close: async () => {} };

/** A minimal program for trials. */
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
 * Boxes with bubblewrap. Checks at once whether one can be started here. If not, `isolation` is null and `start` throws the
 * reason.
 *
 * @throws Error if it is not called from the first thread: a box dies with the thread that started it.
 */
export async function openBwrapDriver(options: BwrapOptions = {}): Promise<BoxDriver> {
  if (!isMainThread) throw new Error('Boxes are started from the first thread only.');
  const host = readHost(options.runtimes);
  if (host === null) return unavailableDriver(NOT_INSTALLED.reason, NOT_INSTALLED.fix);
  const closing = closingPrefix(inheritedFiles());
  if (closing === null) return unavailableDriver(OPEN_FILES.reason, OPEN_FILES.fix);
  const filter = seccompFilter();
  const strongest = filter === null ? [null] : [filter, null];
  let refused: WhyNot = NOT_INSTALLED;
  for (const seccomp of strongest) {
    const driver = driverOf(host, closing, seccomp, options);
    const why = await trial(driver);
    if (why === null) return driver;
    refused = seccomp === filter ? why : refused;
  }
  return unavailableDriver(refused.reason, refused.fix);
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
    const gate = await gateOf(order.egress, options.openGate);
    try {
      if (user !== null && order.disk !== null) chownSync(order.disk.dir, user.uid, user.gid);
      const running = spawned(planOf(order, gate));
      const ended = running.box.gone.then(async () => {
        live.delete(running);
        await Promise.allSettled([running.group?.remove(), gate.close()]);
      });
      live.set(running, ended);
      await running.started;
      return boxOf(running, gate);
    } catch (error) {
      await gate.close();
      throw error;
    }
  };

  const planOf = (order: BoxOrder, { namespace, mounts }: EgressGate): RunOptions => {
    const root: Mount[] = order.root === undefined ? [] : [{ from: order.root, to: '/', writable: false }];
    const staged = stage(user, host, [...root, ...order.mounts, ...mounts]);
    const shown = staged.mounts.slice(root.length);
    if (staged.prefix.length > 0 && !canStage())
      throw unavailableProblem('The service runs as root in a closed folder, and util-linux is missing.');
    const command = boxCommand({
      host: staged.host,
      order: {
        ...order,
        root: root.length === 0 ? undefined : staged.mounts[0]?.from,
        mounts: shown.slice(0, order.mounts.length),
      },
      gate_mounts: shown.slice(order.mounts.length),
      gated: namespace !== null,
      seccomp: seccomp !== null,
    });
    if (closed) throw unavailableProblem(CLOSING);
    const join = namespace === null ? [] : joinCommand(GATE_FDS);
    return {
      order,
      prefix: [...closing, ...staged.prefix, ...join],
      command,
      seccomp,
      namespace,
      user: staged.prefix.length > 0 ? null : user,
      group: groups?.create(randomUUID(), order.limits) ?? null,
    };
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
    // The caller needs to know why the box did not start.
    options.group?.remove().catch(() => undefined);
    throw unavailableProblem(`The box could not be started: ${(error as Error).message}.`);
  }
}

function boxOf({ box }: Running, gate: EgressGate): Box {
  const { stdin, stdout, stderr, usage, settled, kill, gone } = box;
  return { stdin, stdout, stderr, usage, settled, kill, gone, hosts: () => gate.uses() };
}

function isolationOf(seccomp: boolean, groups: boolean): BoxIsolation {
  if (!seccomp) return 'bwrap';
  return groups ? 'bwrap+seccomp+cgroup' : 'bwrap+seccomp';
}

async function gateOf(egress: Egress, open: BwrapOptions['openGate']): Promise<EgressGate> {
  if (egress.mode === 'none' && !egress.watch) return NO_GATE;
  if (open === undefined) throw unavailableProblem('Boxes have no network here.');
  return open(egress);
}

const proven = new Map<BoxIsolation, Promise<BoxSelfTest>>();

/** A self-test that passed counts for every driver of the process. One that failed is repeated by the next driver. */
function ofThisProcess(isolation: BoxIsolation, start: BoxDriver['start']): Promise<BoxSelfTest> {
  const known = proven.get(isolation);
  if (known !== undefined) return known;
  const result = selfTest(isolation, start);
  proven.set(isolation, result);
  const forget = () => proven.delete(isolation);
  result.then(({ ok }) => ok || forget(), forget);
  return result;
}

/** Null if a box could be started. */
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

function unavailableProblem(reason: string): Problem {
  return runtimeProblem('runs.unavailable', `Packages cannot be run here. ${reason}`, { reason: 'box_unavailable' });
}
