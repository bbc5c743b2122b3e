import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child.ts';
import { collect, MAX_OUTPUT_FILES } from './collect.ts';
import { childCommand, OWN_FILES } from './command-line.ts';
import { type Engine, locateEngine } from './engine.ts';
import { otherUser, type RunAs, runAs } from './other-user.ts';
import { statusOf } from './outcome.ts';
import { isInside } from './plain-path.ts';
import type { ChildRequest } from './runner.ts';
import type { IsolationLevel, Sandbox, SandboxRequest, SandboxResult, SandboxStatus, SelfTest } from './sandbox.ts';
import { selfTest } from './self-test.ts';
import { watchMemory } from './watchdog.ts';

/** Node, just-bash, the Python library and V8's code: measured at 75 to 195 MB before the script takes anything. */
const ENGINE_MB = 256;
/** A self-test that timed out on a busy machine is retried, so that scripts are not refused until a restart. */
const TEST_AGAIN_MS = 30_000;
const node = realpathSync(process.execPath);
const RUNNER = fileURLToPath(new URL('./runner.ts', import.meta.url));

/** The embedded default: a one-shot child a run. `bwrap` is bubblewrap's path, or null to go without. */
export function embeddedSandbox({ bwrap = null }: { bwrap?: string | null } = {}): Sandbox {
  let engine: Engine | undefined;
  let run_as: RunAs | undefined;
  let tested: Promise<SelfTest> | undefined;
  const live = new Map<Child, Promise<unknown>>();
  const start = (program: string, timeout_ms: number, heap_mb: number): Child => {
    engine ??= locateEngine();
    run_as ??= runAs([node, RUNNER, ...OWN_FILES, ...engine.readable], bwrap);
    const child = startChild(childCommand({ node, program, engine, timeout_ms, heap_mb, bwrap, run_as }));
    live.set(
      child,
      child.gone.finally(() => live.delete(child)),
    );
    return child;
  };
  const isolation: IsolationLevel = bwrap === null ? 'wasm+process' : 'wasm+process+bwrap';
  const run = async (request: SandboxRequest, engineMb = ENGINE_MB): Promise<SandboxResult> => {
    if (request.signal?.aborted) return { ...NEVER_STARTED, isolation, engine: '' };
    const { timeout_ms, memory_mb } = request.limits;
    const held = await hold(() => start(RUNNER, timeout_ms, memory_mb), request, engineMb);
    return { ...held, isolation, engine: engine?.name ?? '' };
  };
  return {
    isolation,
    counts: () => ({ running: live.size, queued: 0 }),
    run: (request) => run(request),
    selfTest: () => {
      tested ??= ofThisMachine(isolation, () => selfTest({ run, start })).then((result) => {
        if (!result.ok) setTimeout(() => (tested = undefined), TEST_AGAIN_MS).unref();
        return result;
      });
      return tested;
    },
    close: async () => {
      for (const child of live.keys()) child.kill();
      await Promise.all(live.values());
    },
  };
}

const holding = new Map<IsolationLevel, Promise<SelfTest>>();

/** A passed self-test counts for every sandbox of the process; the next sandbox repeats a failed one. */
function ofThisMachine(isolation: IsolationLevel, test: () => Promise<SelfTest>): Promise<SelfTest> {
  const known = holding.get(isolation);
  if (known !== undefined) return known;
  const result = test();
  holding.set(isolation, result);
  const forget = () => holding.delete(isolation);
  result.then(({ ok }) => ok || forget(), forget);
  return result;
}

/** Bubblewrap's path if it is installed, whether it works or not. */
export const bwrapPath = (): string | undefined =>
  ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].find((candidate) => existsSync(candidate));

/** Bubblewrap's path if it is installed and works: in many containers it is installed but not permitted. */
export function findBwrap(): string | null {
  const path = bwrapPath();
  if (path === undefined) return null;
  const { status } = spawnSync(path, ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '/bin/true'], {
    ...otherUser(),
    env: {},
    stdio: 'ignore',
    timeout: 2_000,
  });
  return status === 0 ? path : null;
}

/** Starts the child, enforces its limits, and resolves when it has ended. */
async function hold(
  start: () => Child,
  request: SandboxRequest,
  engineMb: number,
): Promise<Omit<SandboxResult, 'isolation' | 'engine'>> {
  const { limits, signal } = request;
  const started = performance.now();
  const line = `${JSON.stringify(wireRequest(request))}\n`;
  const child = start();
  let stopped: SandboxStatus | null = null;
  const stop = (status: SandboxStatus) => {
    stopped ??= status;
    child.kill();
  };
  const collected = collect(child.frames, {
    output_bytes: limits.output_bytes,
    on_output: request.on_output,
    on_exceeded: () => stop('output_exceeded'),
    on_garbage: () => stop('failed'),
  });
  const deadline = setTimeout(() => stop('timed_out'), limits.timeout_ms);
  const residentBytes = (limits.memory_mb + engineMb) * 1_048_576;
  const unwatch =
    child.pid === undefined ? () => {} : watchMemory(child.pid, residentBytes, () => stop('memory_exceeded'));
  const cancel = () => stop('cancelled');
  signal?.addEventListener('abort', cancel);
  child.send(line);
  const end = await child.gone;
  clearTimeout(deadline);
  unwatch();
  signal?.removeEventListener('abort', cancel);
  const stderr = collected.stderr.toString();
  const exit_code = stopped === null ? collected.exit_code : null;
  return {
    status: statusOf({ stopped, exit_code, stderr, end }),
    exit_code,
    stdout: collected.stdout.toString(),
    stderr,
    output_files: collected.files,
    files_left_out: collected.files_left_out,
    duration_ms: performance.now() - started,
    boot_ms: collected.ready_at_ms === null ? null : collected.ready_at_ms - started,
    engine_error: exit_code === null && stopped === null ? end.complaint : '',
  };
}

/** The result of a run that was cancelled before it started. */
export const NEVER_STARTED: Omit<SandboxResult, 'isolation' | 'engine'> = {
  status: 'cancelled',
  duration_ms: 0,
  boot_ms: null,
  exit_code: null,
  stdout: '',
  stderr: '',
  output_files: new Map<string, Uint8Array>(),
  files_left_out: 0,
  engine_error: '',
};

function wireRequest({ language, files, entry, stdin, input_files, limits }: SandboxRequest): ChildRequest {
  const placed: Record<string, string> = {};
  // An input that lands among the skill's files would be run as the skill, and the other way round.
  const place = (dir: string, path: string, bytes: Uint8Array) => {
    if (!isInside(path)) throw new Error(`${JSON.stringify(path)} is not a path inside ${dir}`);
    placed[`${dir}/${path}`] = Buffer.from(bytes).toString('base64');
  };
  for (const [path, bytes] of input_files ?? []) place('/workspace/input', path, bytes);
  place('/workspace/input', 'input.json', Buffer.from(stdin));
  for (const [path, bytes] of files) place('/workspace/skill', path, bytes);
  return {
    language,
    files: placed,
    entry: `/workspace/skill/${entry}`,
    stdin,
    timeout_ms: limits.timeout_ms,
    memory_bytes: limits.memory_mb * 1_048_576,
    output_bytes: limits.output_bytes,
    output_files: MAX_OUTPUT_FILES,
  };
}
