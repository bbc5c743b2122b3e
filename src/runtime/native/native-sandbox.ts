import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type ByteList, byteList } from '#core/byte-list.ts';
import { defined } from '#core/defined.ts';
import type { Box, BoxDriver, BoxEnd, BoxLimits, BoxUsage, Mount } from '#runtime/boxes/box.ts';
import { BOX_PATH } from '#runtime/boxes/command-line.ts';
import { BOX_NODE } from '#runtime/boxes/host.ts';
import type { Egress, HostUse } from '#runtime/egress/egress.ts';
import { makeShared } from '#runtime/packages/inside.ts';
import { PACKAGE_ROOT, type PreparedSet } from '#runtime/packages/package.ts';
import type { OutputStream, SandboxRequest, SandboxResult, SandboxStatus } from '#runtime/sandbox/sandbox.ts';
import { collectFiles } from './collect-files.ts';
import { type OutputScrubber, outputScrubber } from './scrub-output.ts';

/**
 * Runs a script natively, in a box: with packages, programs, environment variables and granted hosts. It has the same folders as in
 * the WebAssembly engine, so a skill does not see which of them runs it.
 */

export interface NativeRequest extends Omit<SandboxRequest, 'share'> {
  /** Prepared packages that the script imports; at most one set for each ecosystem. */
  packages: { npm: PreparedSet | null; pypi: PreparedSet | null };
  /** Path of Python in the box, which is the one that the packages were prepared for. */
  python: { path: string; mounts: readonly Mount[] };
  /** Values of the user, by name. */
  env: Readonly<Record<string, string>>;
  /** Those values of `env` that must not appear in output and files. */
  secrets: readonly string[];
  egress: Egress;
}

export interface NativeResult extends Omit<SandboxResult, 'isolation' | 'boot_ms'> {
  isolation: string;
  hosts: HostUse[];
  /** Null if it was not measured. */
  usage: BoxUsage | null;
}

interface NativeDeps {
  boxes: BoxDriver;
  /** A folder for the files of runs, which is emptied after each. */
  dir: string;
  /** Of every box. Memory and time are the run's own. */
  limits: BoxLimits;
}

const MIB = 1_048_576;
const WORKSPACE = '/workspace';

/**
 * @throws Problem `runs.unavailable` (`box_unavailable`), as the driver does. How the script ended is in the result.
 */
export async function runNative(deps: NativeDeps, request: NativeRequest): Promise<NativeResult> {
  const started = performance.now();
  await makeShared(deps.dir);
  const dir = await mkdtemp(join(deps.dir, 'run-'));
  try {
    await writeWorkspace(dir, request);
    const box = await deps.boxes.start(orderOf(deps, request, dir));
    const scrubber = outputScrubber(request.secrets);
    const output = captured(box, request, scrubber);
    box.stdin.on('error', () => {});
    box.stdin.end(request.stdin);
    const end = await box.gone;
    await output.ended;
    const files = await collectFiles(join(dir, 'output'), request.limits.output_bytes, scrubber.file);
    return {
      status: statusOf(end, output.exceeded()),
      exit_code: end.code,
      stdout: scrubber.text(output.stdout.text()),
      stderr: withReason(scrubber.text(output.stderr.text()), end),
      output_files: files.files,
      files_left_out: files.left_out,
      duration_ms: performance.now() - started,
      isolation: `native+${deps.boxes.isolation}`,
      engine: engineOf(request),
      engine_error: end.reason === 'failed_to_start' ? end.message : '',
      hosts: box.hosts().map((use) => Object.assign({}, use, { host: scrubber.text(use.host) })),
      usage: box.usage(),
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The program that runs the script, for receipts. */
function engineOf({ language, python }: NativeRequest): string {
  if (language === 'javascript') return `node ${process.versions.node}`;
  return language === 'python' ? python.path : 'bash';
}

async function writeWorkspace(dir: string, { files, input_files, stdin }: NativeRequest): Promise<void> {
  for (const folder of ['skill', 'input', 'output']) await makeShared(join(dir, folder));
  await writeAll(join(dir, 'skill'), files);
  await writeAll(join(dir, 'input'), input_files ?? new Map());
  await writeFile(join(dir, 'input', 'input.json'), stdin, { mode: 0o644 });
}

async function writeAll(root: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [path, bytes] of files) {
    const file = join(root, path);
    await makeShared(dirname(file));
    await writeFile(file, bytes, { mode: 0o755 });
  }
}

function orderOf({ limits }: NativeDeps, request: NativeRequest, dir: string) {
  const { packages, python, limits: wanted } = request;
  const output = join(dir, 'output');
  const mounts: Mount[] = [
    { from: join(dir, 'skill'), to: `${WORKSPACE}/skill`, writable: false },
    { from: join(dir, 'input'), to: `${WORKSPACE}/input`, writable: false },
    { from: output, to: `${WORKSPACE}/output`, writable: true },
    ...python.mounts,
  ];
  if (packages.pypi !== null) mounts.push({ from: packages.pypi.dir, to: PACKAGE_ROOT, writable: false });
  // Node looks for packages in the folders above a script.
  if (packages.npm !== null)
    mounts.push({ from: join(packages.npm.dir, 'node_modules'), to: `${WORKSPACE}/node_modules`, writable: false });
  return {
    argv: commandOf(request),
    env: environmentOf(request),
    cwd: `${WORKSPACE}/skill`,
    mounts,
    disk: { dir: output, bytes: 2 * wanted.output_bytes },
    limits: Object.assign({}, limits, { memory_bytes: wanted.memory_mb * MIB, wall_ms: wanted.timeout_ms }),
    egress: request.egress,
    ...defined({ signal: request.signal }),
  };
}

function commandOf({ language, entry, python }: NativeRequest): string[] {
  const path = `${WORKSPACE}/skill/${entry}`;
  if (language === 'javascript') return [BOX_NODE, path];
  return language === 'python' ? [python.path, path] : ['/bin/bash', path];
}

/** The user's values take precedence over ours, except for the paths of packages. */
function environmentOf({ packages, env }: NativeRequest): Record<string, string> {
  const site = `${PACKAGE_ROOT}/site`;
  const path = [
    ...(packages.npm === null ? [] : [`${WORKSPACE}/node_modules/.bin`]),
    ...(packages.pypi === null ? [] : [`${site}/bin`]),
    BOX_PATH,
  ].join(':');
  const python = packages.pypi === null ? {} : { PYTHONPATH: site, PYTHONNOUSERSITE: '1' };
  return Object.assign({ PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' }, env, python, { PATH: path });
}

interface Captured {
  stdout: Kept;
  stderr: Kept;
  exceeded(): boolean;
  ended: Promise<unknown>;
}

interface Kept {
  text(): string;
}

/** Both streams share the output limit of the run; a script that exceeds it is ended. */
function captured(box: Box, { limits, on_output }: NativeRequest, scrubber: OutputScrubber): Captured {
  let room = limits.output_bytes;
  let exceeded = false;
  const keep = (stream: OutputStream, source: Readable): { kept: Kept; ended: Promise<void> } => {
    const bytes: ByteList = byteList();
    const live = on_output === undefined ? null : scrubber.stream((piece) => on_output(stream, piece));
    source.on('error', () => {});
    source.on('data', (chunk: Buffer) => {
      const piece = chunk.subarray(0, room);
      room -= chunk.length;
      if (piece.length > 0) {
        bytes.push(piece);
        live?.write(piece);
      }
      if (room >= 0 || exceeded) return;
      exceeded = true;
      box.kill();
    });
    const ended = new Promise<void>((resolve) => source.once('close', resolve).once('end', resolve)).then(() =>
      live?.end(),
    );
    return { kept: { text: () => bytes.toString() }, ended };
  };
  const stdout = keep('stdout', box.stdout);
  const stderr = keep('stderr', box.stderr);
  return {
    stdout: stdout.kept,
    stderr: stderr.kept,
    exceeded: () => exceeded,
    ended: Promise.all([stdout.ended, stderr.ended]),
  };
}

function statusOf({ reason, code }: BoxEnd, exceeded: boolean): SandboxStatus {
  if (exceeded || reason === 'disk') return 'output_exceeded';
  if (reason === 'out_of_memory') return 'memory_exceeded';
  if (reason === 'wall' || reason === 'cpu') return 'timed_out';
  if (reason === 'killed') return 'cancelled';
  return code === 0 ? 'completed' : 'failed';
}

const withReason = (stderr: string, { reason, message }: BoxEnd): string =>
  reason === 'exited' || reason === 'killed' ? stderr : `${stderr}${stderr === '' ? '' : '\n'}${message}\n`;
