import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Duplex, PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '#core/defined.ts';
import type { GateNamespace } from '#runtime/egress/egress.ts';
import { boundedStderr } from './bounded-stderr.ts';
import type { Box, BoxEnd, BoxEndReason, BoxOrder } from './box.ts';
import { BOX_FILES } from './box-files.ts';
import type { BoxUser } from './box-user.ts';
import type { BoxGroup } from './cgroup.ts';
import { ARGS_FD, type BoxCommand, encodeArgs, fileFd, GATE_FDS, SECCOMP_FD, STATUS_FD } from './command-line.ts';
import { endOf } from './end.ts';
import { READY_FD } from './launcher.ts';
import { HOG, lowerPriority, SETTLED } from './priority.ts';
import { type Watch, watchBox } from './watch.ts';

/** One box: bubblewrap's process, its channels, and the watch over it. */
export interface Running {
  box: Omit<Box, 'hosts'>;
  /** Resolves when the program is about to run, or with the end of a box that did not get there. */
  started: Promise<void>;
  now_bytes(): number;
  group: BoxGroup | null;
}

export interface RunOptions {
  order: BoxOrder;
  /** Programs in front of bubblewrap. */
  prefix: readonly string[];
  command: BoxCommand;
  seccomp: Buffer | null;
  /** Descriptors of the network namespace that the box joins; null if it creates one. */
  namespace: GateNamespace | null;
  /** Null: as the server itself. */
  user: BoxUser | null;
  group: BoxGroup | null;
}

/** Long enough for a very busy machine. */
const START_MS = 30_000;
/** How long bubblewrap's outer process may outlive the box that it watches. */
const LINGER_MS = 1_000;
const LOOK_MS = 2;
const COMPLAINT_CHARS = 2_048;
const STATUS_CHARS = 8_192;

/** A process must not run before it is in its group, or its children would be outside. */
const WAIT_FOR_GROUP = ['/bin/sh', '-c', `read -r _ <&${READY_FD} && exec env -i "$@"`, 'sh'];

export function runBox(options: RunOptions): Running {
  const { order, prefix, command, seccomp, namespace, user, group } = options;
  const argv = [...(group === null ? [] : WAIT_FOR_GROUP), ...prefix, ...command.argv];
  const child = spawn(argv[0] as string, argv.slice(1), {
    cwd: '/',
    env: {},
    // A separate process group can be ended as a whole if bubblewrap hangs.
    detached: true,
    stdio: channels(seccomp !== null, namespace),
    ...defined({ uid: user?.uid, gid: user?.gid }),
  });
  for (const stream of child.stdio) stream?.on('error', () => {});
  feed(child, ARGS_FD, encodeArgs(command.args));
  if (seccomp !== null) feed(child, SECCOMP_FD, seccomp);
  for (const [index, { text }] of BOX_FILES.entries())
    feed(child, fileFd(index, namespace !== null), Buffer.from(text));

  // Node drops unread output of a child's stream when the child ends.
  const stdout = (child.stdout as Readable).pipe(new PassThrough());
  stdout.on('error', () => {});
  const stderr = child.stderr as Readable;
  const ready = channel(child, READY_FD);
  const status = readStatus(channel(child, STATUS_FD));
  const gone = Promise.withResolvers<BoxEnd>();
  const started = Promise.withResolvers<void>();
  const readyClosed = Promise.withResolvers<void>();
  let complaint = '';
  let first: FirstProcess | null = null;
  let isReady = false;
  let watch: Watch | null = null;
  let stopped: { reason: BoxEndReason; message: string } | null = null;
  let hasEnded = false;

  const stop = (reason: BoxEndReason, message: string): void => {
    if (hasEnded || stopped !== null) return;
    stopped = { reason, message };
    group?.kill();
    // Bubblewrap ends after the first process, and the first process after all others: nothing is left behind then.
    if (first !== null && endFirst(first)) timers.push(setTimeout(endTree, LINGER_MS, child));
    else endTree(child);
  };
  const timers = [setTimeout(stop, START_MS, 'failed_to_start', `The box was not set up within ${START_MS} ms.`)];
  const { wall_ms } = order.limits;
  if (wall_ms !== null) timers.push(setTimeout(stop, wall_ms, 'wall', `The box ran longer than its ${wall_ms} ms.`));
  const cancel = (): void => stop('killed', 'The box was cancelled.');
  order.signal?.addEventListener('abort', cancel);

  const begin = (): void => {
    if (!isReady || first === null || watch !== null || hasEnded || stopped !== null) return;
    clearTimeout(timers[0]);
    stderr.off('data', complain);
    const { pid } = first;
    const on_hog = (): void => lowerPriority(pid, HOG);
    watch = watchBox({ pid, limits: order.limits, disk: order.disk, group, on_hog, on_exceeded: stop });
    started.resolve();
  };
  const complain = (chunk: Buffer): void => {
    complaint = (complaint + chunk.toString('utf8')).slice(0, COMPLAINT_CHARS);
  };
  const finish = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    for (const timer of timers) clearTimeout(timer);
    if (group !== null) watch?.ended(group.usage().cpu_ms);
    watch?.stop();
    order.signal?.removeEventListener('abort', cancel);
    ready.destroy();
    const out_of_memory = group?.ranOutOfMemory() ?? false;
    const { exit_code } = status;
    gone.resolve(endOf({ stopped, started: isReady, exit_code, complaint, out_of_memory, limits: order.limits }));
    started.resolve();
  };

  stderr.on('data', complain);
  const keptStderr = boundedStderr(stderr);
  status.onFirst((pid) => {
    first = { pid, started: startTime(pid) };
    begin();
  });
  status.onExit(() => {
    const cpu_ms = first === null ? null : cpuOf(first);
    if (cpu_ms !== null) watch?.ended(cpu_ms);
  });
  ready.once('close', () => readyClosed.resolve());
  ready.once('data', () => {
    isReady = true;
    ready.destroy();
    begin();
  });
  child.once('spawn', () => {
    if (group === null || child.pid === undefined) return;
    try {
      group.add(child.pid);
      ready.write('\n');
    } catch (error) {
      stop('failed_to_start', `The box could not be put into its cgroup: ${(error as Error).message}`);
    }
  });
  child.once('error', (error) => {
    complaint ||= error.message;
    if (child.pid === undefined) finish();
  });
  child.once('exit', () => {
    // Their last words may still be on the way.
    const late = new Promise((resolve) => timers.push(setTimeout(resolve, LINGER_MS)));
    const heard = Promise.race([late, Promise.all([status.closed, readyClosed.promise])]);
    heard.then(() => (first === null ? undefined : untilEnded(first))).then(finish, finish);
  });
  if (order.signal?.aborted) cancel();

  return {
    started: started.promise,
    group,
    now_bytes: () => (hasEnded ? 0 : (watch?.now_bytes() ?? 0)),
    box: {
      stdin: child.stdin as Writable,
      stdout,
      stderr: keptStderr,
      usage: () => watch?.usage() ?? null,
      settled: () => {
        if (!hasEnded && watch !== null && first !== null) lowerPriority(first.pid, SETTLED);
      },
      kill: () => stop('killed', 'The box was stopped by the service.'),
      gone: gone.promise,
    },
  };
}

function channels(seccomp: boolean, namespace: GateNamespace | null): StdioOptions {
  const fds: StdioOptions = Array(fileFd(BOX_FILES.length, namespace !== null)).fill('pipe');
  if (!seccomp) fds[SECCOMP_FD] = 'ignore';
  if (namespace !== null) {
    fds[GATE_FDS.user] = namespace.user_fd;
    fds[GATE_FDS.net] = namespace.net_fd;
  }
  return fds;
}

function feed(child: ChildProcess, fd: number, bytes: Buffer): void {
  channel(child, fd).end(bytes);
}

function channel(child: ChildProcess, fd: number): Duplex {
  return (child.stdio as readonly unknown[])[fd] as Duplex;
}

/** The host's number of a box's first process, and when it was started: numbers are used again. */
interface FirstProcess {
  pid: number;
  started: string;
}

function endFirst({ pid, started }: FirstProcess): boolean {
  try {
    if (startTime(pid) !== started || started === '') return false;
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Bubblewrap's outer process ends with the program; the kernel then ends all others, and the first process last. */
async function untilEnded({ pid, started }: FirstProcess): Promise<void> {
  for (let tries = 0; tries < LINGER_MS / LOOK_MS; tries++) {
    const fields = statFields(pid);
    if (fields[19] !== started || ['Z', 'X'].includes(fields[0] ?? '')) return;
    await sleep(LOOK_MS);
  }
}

function endTree(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

const TICK_MS = 10;

/** The time of the first process and of all that ended in the box; null if it is gone already. */
function cpuOf({ pid, started }: FirstProcess): number | null {
  const fields = statFields(pid);
  if (fields[19] !== started) return null;
  return TICK_MS * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

const startTime = (pid: number): string => statFields(pid)[19] ?? '';

/** The fields after the name, starting with the state. Empty if the process does not exist. */
function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

interface Status {
  exit_code: number | null;
  closed: Promise<void>;
  onFirst(take: (pid: number) => void): void;
  /** Called when the program has ended. */
  onExit(notify: () => void): void;
}

/** Lines of JSON from bubblewrap: the number of the first process, and the exit code of the program at its end. */
function readStatus(stream: Readable): Status {
  const closed = Promise.withResolvers<void>();
  let text = '';
  let take: (pid: number) => void = () => {};
  let notify = (): void => {};
  const status: Status = {
    exit_code: null,
    closed: closed.promise,
    onFirst: (taker) => {
      take = taker;
    },
    onExit: (listener) => {
      notify = listener;
    },
  };
  stream.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('latin1')).slice(0, STATUS_CHARS);
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      const line = parse(text.slice(0, end));
      text = text.slice(end + 1);
      if (Number.isInteger(line['child-pid'])) take(Number(line['child-pid']));
      if (Number.isInteger(line['exit-code'])) {
        status.exit_code = Number(line['exit-code']);
        notify();
      }
    }
  });
  stream.once('close', () => closed.resolve());
  return status;
}

function parse(line: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}
