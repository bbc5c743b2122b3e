import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import type { Problem } from '#core/problem/problem.ts';
import type { Egress, EgressGate } from '#runtime/egress/egress.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { boundedStderr } from './bounded-stderr.ts';
import type { Box, BoxDriver, BoxEnd, BoxEndReason, BoxIsolation, BoxOrder, BoxSelfTest } from './box.ts';
import { boxUser } from './box-user.ts';
import { containerCommand, OF_CONTAINER } from './container-command.ts';
import { containerUse } from './container-use.ts';
import { endOf } from './end.ts';
import { readHost } from './host.ts';
import { checkOrder } from './order.ts';
import { readKernel, type SeenKernel } from './read-kernel.ts';
import { rootEntries } from './root-entries.ts';
import { containerProfile } from './seccomp/container-profile.ts';
import { selfTest } from './self-test.ts';
import { unavailableDriver } from './unavailable.ts';
import { untilReady } from './until-ready.ts';
import { type Watch, watchBox } from './watch.ts';

/**
 * Boxes as containers of podman or Docker, for people who prefer them, and for gVisor: the engine starts it where its OCI runtime
 * is `runsc`. The isolation is read from a first box, not from the settings. The engine must be on the same machine, because a
 * box shows folders of this host.
 *
 * Other than with bubblewrap, the programs end only when the engine ends them. A reaper process does that if the service dies.
 */

export type ContainerEngine = 'podman' | 'docker';

interface ContainerOptions {
  /** Path or name of the program. */
  engine: ContainerEngine;
  /** `runc`, `crun`, `runsc`; null for the engine's own choice. */
  oci_runtime: string | null;
  /** Path of the engine's socket; null for the engine's own. */
  socket?: string | null;
  openGate?: (egress: Egress) => Promise<EgressGate>;
}

const execute = promisify(execFile);
const START_MS = 60_000;
const ENGINE_MS = 30_000;
const IMAGE = 'localhost/capstan-box:1';
/** The engine creates these in each container; they are not the host's. */
const ENGINE_PATHS = ['/sys', '/run', '/var', '/etc/hostname'];
/** The shell that starts the program. */
const OWN_PROCESSES = 2;
/** gVisor's own threads: about one for each processor and each process in the box. */
const GVISOR_PROCESSES = 512;
const GVISOR_PER_PROCESS = 8;
/** Works on every machine; others need KVM or a newer release. */
const GVISOR_PLATFORM = 'ptrace';
const NO_GATE: EgressGate = { namespace: null, mounts: [], uses: () => [], close: async () => {} };
const COMPLAINT_CHARS = 2_048;

export async function openContainerDriver(options: ContainerOptions): Promise<BoxDriver> {
  const { engine, oci_runtime } = options;
  const engine_env = engineEnv(options.socket ?? null);
  const host = readHost([], { bwrap: false });
  const why = host === null ? 'the programs of this host cannot be mounted' : await prepareEngine(engine, engine_env);
  if (host === null || why !== null)
    return unavailableDriver(`${engine} cannot be used: ${why}`, `Install ${engine}, or choose another driver.`);
  const label = `capstan.owner=${randomUUID()}`;
  const reaper = startReaper(engine, engine_env, label);
  // Until the first box reports its kernel, the higher process limit applies.
  let own_kernel = true;
  const profileDir = mkdtempSync(join(tmpdir(), 'capstan-containers-'));
  const profile = join(profileDir, 'seccomp.json');
  writeFileSync(profile, containerProfile(), { mode: 0o644 });
  const runOptions = [
    `--security-opt=seccomp=${profile}`,
    ...(engine === 'docker' && oci_runtime !== null ? [`--runtime=${oci_runtime}`] : []),
    // podman would add writable folders to a read-only container.
    ...(engine === 'podman' ? ['--read-only-tmpfs=false'] : []),
  ];
  const user = boxUser();
  const live = new Map<RunningContainer, Promise<unknown>>();
  let tested: Promise<BoxSelfTest> | undefined;
  let closed = false;

  const start = async (order: BoxOrder): Promise<Box> => {
    checkOrder(order);
    if (closed) throw unavailableProblem('The service is shutting down.');
    const gate = await gateOf(order.egress, options);
    try {
      if (user !== null && order.disk !== null) chownSync(order.disk.dir, user.uid, user.gid);
      const name = `capstan-${randomUUID()}`;
      const ready = `ready-${randomBytes(12).toString('hex')}`;
      // podman writes the number of the first process before that runs; asking for it would take longer than some attacks.
      const pid_file = engine === 'podman' ? join(profileDir, `${name}.pid`) : null;
      const command = containerCommand({
        host,
        order,
        name,
        label,
        image: IMAGE,
        engine_options: engineOptions(options, gate),
        run_options: pid_file === null ? runOptions : [...runOptions, `--pidfile=${pid_file}`],
        more_processes: own_kernel ? GVISOR_PROCESSES + GVISOR_PER_PROCESS * order.limits.processes : OWN_PROCESSES,
        network_path: gate.namespace === null ? null : `/proc/${process.pid}/fd/${gate.namespace.net_fd}`,
        gate_mounts: gate.mounts,
        root_entries: order.root === undefined ? [] : await rootEntries(order.root, OF_CONTAINER),
        ready,
      });
      const running = runContainer({ engine, engine_env, name, ready, order, command, own_kernel, pid_file });
      const ended = running.gone.then(async () => {
        live.delete(running);
        if (pid_file !== null) rmSync(pid_file, { force: true });
        await gate.close();
      });
      live.set(running, ended);
      await running.started;
      return { ...running.box, gone: running.gone, hosts: () => gate.uses() };
    } catch (error) {
      await gate.close();
      throw error;
    }
  };

  const close = async (): Promise<void> => {
    closed = true;
    for (const { box } of live.keys()) box.kill();
    await Promise.all(live.values());
    reaper.kill();
    rmSync(profileDir, { recursive: true, force: true });
  };

  const seen = await readKernel(start, START_MS);
  const refused = whyNot(engine, seen, isGvisor(oci_runtime));
  if (typeof seen === 'string' || refused !== null) {
    await close();
    return unavailableDriver(refused ?? '', `Check \`${engine} info\`, or choose another driver.`);
  }
  own_kernel = seen.gvisor;
  const isolation: BoxIsolation = own_kernel ? 'gvisor' : 'container';

  return {
    isolation,
    start,
    selfTest: () => {
      // gVisor handles system calls itself, and a program sees no filter.
      tested ??= selfTest(isolation, start, { filtered: !own_kernel, own_kernel, engine_paths: ENGINE_PATHS });
      return tested;
    },
    counts: () => ({
      running: live.size,
      memory_bytes: [...live.keys()].reduce((sum, { now_bytes }) => sum + now_bytes(), 0),
    }),
    close,
  };
}

function whyNot(engine: string, seen: SeenKernel | string, wantsGvisor: boolean): string | null {
  if (typeof seen === 'string') return `${engine} cannot start a box: ${seen}`;
  return wantsGvisor && !seen.gvisor ? `gVisor is required, but ${engine} does not use it.` : null;
}

const isGvisor = (ociRuntime: string | null): boolean => ociRuntime !== null && basename(ociRuntime) === 'runsc';

interface RunningContainer {
  box: Omit<Box, 'hosts' | 'gone'>;
  started: Promise<void>;
  gone: Promise<BoxEnd>;
  now_bytes(): number;
}

interface ContainerRun {
  engine: string;
  engine_env: EngineEnv;
  name: string;
  ready: string;
  order: BoxOrder;
  command: ReturnType<typeof containerCommand>;
  own_kernel: boolean;
  pid_file: string | null;
}

function runContainer({
  engine,
  engine_env,
  name,
  ready,
  order,
  command,
  own_kernel,
  pid_file,
}: ContainerRun): RunningContainer {
  const env = Object.assign({}, engine_env, command.env);
  const child = spawn(engine, command.argv, { cwd: '/', env, stdio: 'pipe' });
  for (const stream of child.stdio) stream?.on('error', () => {});
  const gone = Promise.withResolvers<BoxEnd>();
  const started = Promise.withResolvers<void>();
  const stderr = new PassThrough();
  let complaint = '';
  let isReady = false;
  let watch: Watch | null = null;
  let stopped: { reason: BoxEndReason; message: string } | null = null;
  let hasEnded = false;
  let out_of_memory = false;

  const stop = (reason: BoxEndReason, message: string): void => {
    if (hasEnded || stopped !== null) return;
    stopped = { reason, message };
    // The engine may still be making it, so the end is asked for until it is there.
    void removeUntil(engine, engine_env, name, () => hasEnded);
  };
  const timers = [setTimeout(stop, START_MS, 'failed_to_start', `The box was not set up within ${START_MS} ms.`)];
  const { wall_ms } = order.limits;
  if (wall_ms !== null) timers.push(setTimeout(stop, wall_ms, 'wall', `The box ran longer than its ${wall_ms} ms.`));
  const cancel = (): void => stop('killed', 'The box was cancelled.');
  order.signal?.addEventListener('abort', cancel);

  untilReady(child.stderr, ready, {
    before: (text) => {
      complaint = (complaint + text).slice(0, COMPLAINT_CHARS);
    },
    ready: () => {
      isReady = true;
      clearTimeout(timers[0]);
      started.resolve();
      void pidOf(engine, engine_env, name, pid_file).then((pid) => {
        if (pid === null || hasEnded) return;
        const container = own_kernel ? containerUse(pid) : undefined;
        watch = watchBox({ pid, limits: order.limits, disk: order.disk, group: null, container, on_exceeded: stop });
      });
    },
    after: stderr,
  });
  child.once('error', (error) => {
    complaint ||= error.message;
    if (child.pid === undefined) finish(null);
  });
  child.once('close', (code) => finish(code));

  function finish(code: number | null): void {
    if (hasEnded) return;
    hasEnded = true;
    for (const timer of timers) clearTimeout(timer);
    watch?.stop();
    order.signal?.removeEventListener('abort', cancel);
    // The kernel enforces both limits: the engine exits with 137 if the first process exceeded its memory.
    out_of_memory = code === 137 && stopped === null;
    gone.resolve(endOf({ stopped, started: isReady, exit_code: code, complaint, out_of_memory, limits: order.limits }));
    started.resolve();
  }

  if (order.signal?.aborted) cancel();
  return {
    started: started.promise,
    gone: gone.promise,
    now_bytes: () => (hasEnded ? 0 : (watch?.now_bytes() ?? 0)),
    box: {
      stdin: child.stdin,
      stdout: child.stdout.pipe(new PassThrough()),
      stderr: boundedStderr(stderr),
      usage: () => watch?.usage() ?? null,
      // Its share of the processor is for the engine to decide.
      settled: () => {},
      kill: () => stop('killed', 'The box was stopped by the service.'),
    },
  };
}

/**
 * podman gets the OCI runtime of the box as an option. gVisor has its own network stack, which needs rights over the namespace; with
 * a gate it uses the sockets of the namespace that the box joins, and these lead to the gate alone.
 */
function engineOptions({ engine, oci_runtime }: ContainerOptions, { namespace }: EgressGate): string[] {
  if (engine === 'docker' || oci_runtime === null) return [];
  const flags = [`network=${namespace === null ? 'none' : 'host'}`, `platform=${GVISOR_PLATFORM}`];
  return [`--runtime=${oci_runtime}`, ...(isGvisor(oci_runtime) ? flags.map((flag) => `--runtime-flag=${flag}`) : [])];
}

/**
 * A rootless engine needs these to find its storage and socket. It gets no other variables of the service. An engine on another machine
 * would not have the folders that a box shows, so only a socket can be named.
 */
function engineEnv(socket: string | null): Record<string, string> {
  const found: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: homedir(),
  };
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) found.XDG_RUNTIME_DIR = `/run/user/${uid}`;
  // podman reads the second.
  if (socket !== null) for (const name of ['DOCKER_HOST', 'CONTAINER_HOST']) found[name] = `unix://${socket}`;
  return found;
}

type EngineEnv = Readonly<Record<string, string>>;

/** A short command of the engine, with the same variables as those that start boxes. */
const run = (engine: string, env: EngineEnv, args: readonly string[]) =>
  execute(engine, args, { timeout: ENGINE_MS, env });

async function pidOf(engine: string, env: EngineEnv, name: string, pidFile: string | null): Promise<number | null> {
  try {
    if (pidFile !== null) return Number.parseInt(readFileSync(pidFile, 'latin1'), 10);
    const { stdout } = await run(engine, env, ['inspect', '--format={{.State.Pid}}', name]);
    const pid = Number.parseInt(stdout, 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** Docker kills at once, and refuses podman's option. */
const removal = (engine: string): string[] => (engine === 'docker' ? ['rm', '--force'] : ['rm', '--force', '--time=0']);

async function removeUntil(engine: string, env: EngineEnv, name: string, ended: () => boolean): Promise<void> {
  for (let tries = 0; tries < 20 && !ended(); tries++) {
    await run(engine, env, [...removal(engine), name]).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits until the service is gone and then ends its containers; the pipe closes whatever ended the service. */
function startReaper(engine: string, env: EngineEnv, label: string) {
  const script = `cat >/dev/null; for box in $(${engine} ps --all --quiet --filter "label=$1"); do ${engine} ${removal(engine).join(' ')} "$box"; done`;
  const child = spawn('/bin/sh', ['-c', script, 'reaper', label], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env,
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  return child;
}

/** Makes the empty image in which every box gets its folders. Null if that worked. */
async function prepareEngine(engine: string, env: EngineEnv): Promise<string | null> {
  try {
    const found = await run(engine, env, ['image', 'inspect', IMAGE]).catch(() => null);
    if (found !== null) return null;
    await importEmpty(engine, env);
    return null;
  } catch (error) {
    return (error as Error).message.split('\n')[0]?.slice(0, 300) ?? 'no response';
  }
}

function importEmpty(engine: string, env: EngineEnv): Promise<void> {
  // Two blocks of zeros are an archive without files.
  const child = spawn(engine, ['import', '-', IMAGE], { stdio: ['pipe', 'ignore', 'pipe'], env });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(0, COMPLAINT_CHARS);
  });
  child.stdin.on('error', () => {});
  child.stdin.end(emptyArchive());
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(complaint || `exit code ${code}`))));
  });
}

/** One folder, because engines refuse an archive without any entry. */
function emptyArchive(): Buffer {
  const header = Buffer.alloc(512);
  header.write('tmp/', 0);
  header.write('0001777\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write('00000000000\0', 124);
  header.write('00000000000\0', 136);
  header.write('        5', 148);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, Buffer.alloc(1_024)]);
}

async function gateOf(egress: Egress, { engine, openGate }: ContainerOptions): Promise<EgressGate> {
  if (egress.mode === 'none' && !egress.watch) return NO_GATE;
  if (engine === 'docker')
    return egress.mode === 'none'
      ? NO_GATE
      : Promise.reject(
          unavailableProblem('Docker cannot join the network of a gate. Use podman for packages that need hosts.'),
        );
  if (openGate === undefined) throw unavailableProblem('Boxes have no network here.');
  return openGate(egress);
}

function unavailableProblem(reason: string): Problem {
  return runtimeProblem('runs.unavailable', `Packages cannot be run here. ${reason}`, { reason: 'box_unavailable' });
}

/** Whether the program is installed here. */
export const hasEngine = (engine: string): boolean =>
  ['/usr/bin', '/usr/local/bin', '/bin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'].some((folder) =>
    existsSync(`${folder}/${engine}`),
  );
