import { readSync, writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { type Output, streamBash } from './bash-stream.ts';
import { isPlainPath } from './plain-path.ts';
import { textBytes } from './text-bytes.ts';

/**
 * The program of the one-shot child: reads one request, runs it in just-bash, writes frames, ends. Whatever it imports
 * of ours it must be able to read: `command-line.ts` has the list. `child.ts` speaks to it.
 *
 * fd 0: one line of JSON (ChildRequest), then nothing: its end means that the server has ended.
 * fd 3: lines of JSON (ChildFrame). Descriptors 1 and 2 carry only the engine's own complaints.
 */

export interface ChildRequest {
  language: 'bash' | 'python' | 'javascript';
  /** Absolute path in the sandbox → base64. */
  files: Record<string, string>;
  entry: string;
  stdin: string;
  timeout_ms: number;
  memory_bytes: number;
  output_bytes: number;
  /** Only so many of them. */
  output_files: number;
}

export type ChildFrame =
  | { type: 'ready' }
  | { type: 'output'; stream: 'stdout' | 'stderr'; data: string }
  | { type: 'file'; path: string; data: string }
  | { type: 'files_left_out'; count: number }
  | { type: 'end'; exit_code: number };

type JustBash = typeof import('just-bash');

const CWD = '/workspace/skill';
const OUTPUT = '/workspace/output';
const WASM_PAGE_BYTES = 65_536;
/** Below this Python does not start. */
const MIN_WASM_BYTES = 32 * 1_048_576;
const CHUNK_BYTES = 65_536;
const NO_COUNT = Number.MAX_SAFE_INTEGER;

/** js-exec has no standard input: descriptor 0 is a file with its content. */
const JS_STDIN = `(() => {
  const fs = require('fs');
  const read = fs.readFileSync;
  fs.readFileSync = (path, options) => read(path === 0 ? '/dev/stdin' : path, options);
})();`;

/** Runs the file unchanged: just-bash would indent it, which changes multi-line strings. */
const PYTHON_MAIN = `import os, sys
_path = sys.argv[1]
sys.argv = sys.argv[1:]
os.environ.pop('_', None)
sys.path.insert(0, '/host' + _path.rpartition('/')[0])
_main = vars(sys.modules['__main__'])
_main['__file__'] = _path
with open(_path, 'rb') as _file:
    _code = compile(_file.read(), _path, 'exec', dont_inherit=True)
exec(_code, _main)`;

function emit(frame: ChildFrame): void {
  const bytes = Buffer.from(`${JSON.stringify(frame)}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at);
}

/** One byte over the limit is enough to show the server that there was more. */
function emitOutput(stream: 'stdout' | 'stderr', bytes: Buffer, { output_bytes }: ChildRequest): void {
  const end = Math.min(bytes.length, output_bytes + 1);
  for (let at = 0; at < end; at += CHUNK_BYTES)
    emit({ type: 'output', stream, data: bytes.subarray(at, Math.min(at + CHUNK_BYTES, end)).toString('base64') });
}

/** Blocks, because nothing else can be done before the request arrives. */
function readRequest(): ChildRequest {
  const chunks: Buffer[] = [];
  const chunk = Buffer.allocUnsafe(65_536);
  for (;;) {
    const length = readSync(0, chunk);
    if (length === 0) process.exit(1);
    chunks.push(Buffer.from(chunk.subarray(0, length)));
    if (chunk[length - 1] === 0x0a) return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  }
}

/**
 * Counts are unlimited, because time and memory are limited from outside; sizes keep one command from taking all. The time
 * here ends a bash loop that never looks up, should the server have been killed meanwhile.
 */
function limitsOf(request: ChildRequest) {
  const { memory_bytes, output_bytes, timeout_ms } = request;
  const pastDeadlineMs = timeout_ms + 2_000;
  return {
    maxExecutionTimeMs: pastDeadlineMs,
    maxPythonTimeoutMs: pastDeadlineMs,
    maxJsTimeoutMs: pastDeadlineMs,
    maxSqliteTimeoutMs: pastDeadlineMs,
    maxCommandCount: NO_COUNT,
    maxLoopIterations: NO_COUNT,
    maxAwkIterations: NO_COUNT,
    maxSedIterations: NO_COUNT,
    maxJqIterations: NO_COUNT,
    maxWorkUnits: NO_COUNT,
    maxLiveBytes: memory_bytes,
    maxFileSystemBytes: memory_bytes,
    maxArchiveBytes: memory_bytes,
    maxDatabaseBytes: memory_bytes,
    // Data in pipes and files counts here, too, so this is larger than the output limit.
    maxOutputSize: output_bytes * 4,
  };
}

interface Bridge {
  prototype: { tryAppendOutput?(stream: 'stdout' | 'stderr', text: string): boolean };
}

/**
 * Python and JavaScript write through one inner class of just-bash, which keeps everything until the end: from here on
 * it goes out at once. Where a release has no such class, output comes at the end, as it does for bash.
 */
async function streamOutput(bridgeUrl: string): Promise<void> {
  const inner = bridgeUrl === '' ? {} : ((await import(bridgeUrl)) as Record<string, Bridge | undefined>);
  const bridge = Object.values(inner).find((value) => value?.prototype?.tryAppendOutput !== undefined);
  if (bridge === undefined) return;
  bridge.prototype.tryAppendOutput = (stream, text) => {
    emitOutput(stream, Buffer.from(text), request);
    return true;
  };
}

function commandOf({ language, entry }: ChildRequest): [string, string[]] {
  if (language === 'python') return ['python3', ['-c', PYTHON_MAIN, entry]];
  return [language === 'bash' ? 'bash' : 'js-exec', [entry]];
}

function createBash({ Bash, InMemoryFs }: JustBash, request: ChildRequest) {
  const limits = limitsOf(request);
  const fs = new InMemoryFs({}, { maxTotalBytes: request.memory_bytes });
  for (const dir of [CWD, OUTPUT, '/tmp', '/dev']) fs.mkdirSync(dir, { recursive: true });
  for (const [path, data] of Object.entries(request.files)) fs.writeFileSync(path, Buffer.from(data, 'base64'));
  return new Bash({
    fs,
    cwd: CWD,
    env: { HOME: '/workspace', PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TMPDIR: '/tmp' },
    python: request.language === 'python',
    javascript: request.language === 'javascript' ? { bootstrap: JS_STDIN } : false,
    executionLimits: limits,
    defenseInDepth: { enabled: true, processLifetimeIntrinsicHardening: true },
  });
}

type Files = ReturnType<typeof createBash>['fs'];

/** All entries except directories; links are never followed. */
async function listEntries(fs: Files, dir: string, found: string[] = []): Promise<string[]> {
  for (const name of (await fs.readdir(dir)).sort()) {
    const path = `${dir}/${name}`;
    const { isDirectory, isSymbolicLink } = await fs.lstat(path);
    if (isDirectory && !isSymbolicLink) await listEntries(fs, path, found);
    else found.push(path);
  }
  return found;
}

async function emitFiles(fs: Files, { output_bytes, output_files }: ChildRequest): Promise<void> {
  if (!(await fs.exists(OUTPUT)) || !(await fs.lstat(OUTPUT)).isDirectory) return;
  let left = output_bytes;
  let count = 0;
  let leftOut = 0;
  for (const path of await listEntries(fs, OUTPUT)) {
    const name = path.slice(OUTPUT.length + 1);
    const { size, isFile, isSymbolicLink } = await fs.lstat(path);
    const fits = isFile && !isSymbolicLink && isPlainPath(name) && size <= left && count < output_files;
    if (!fits) leftOut += 1;
    else {
      left -= size;
      count += 1;
      const data = Buffer.from(await fs.readFileBuffer(path)).toString('base64');
      emit({ type: 'file', path: name, data });
    }
  }
  if (leftOut > 0) emit({ type: 'files_left_out', count: leftOut });
}

/** The exit code of a process. */
const exitCode = (code: number): number => (Number.isInteger(code) ? code & 0xff : 1);

const justBash: JustBash = await import(process.argv[2] as string);
const request = readRequest();
// The server never closes this pipe: its end means that the server was killed, so nobody needs the result.
process.stdin.on('end', () => process.exit(1)).resume();
// Here and not on the command line: as a start-up flag it would make V8 refuse Node's code cache, at 30 ms a run.
setFlagsFromString(
  `--wasm-max-mem-pages=${Math.ceil(Math.max(request.memory_bytes, MIN_WASM_BYTES) / WASM_PAGE_BYTES)}`,
);
if (request.language !== 'bash') await streamOutput(process.argv[3] ?? '');
const bash = createBash(justBash, request);
// just-bash lays out /dev itself, and only its shell fills this file.
if (request.language === 'javascript') await bash.fs.writeFile('/dev/stdin', request.stdin);
const texts = { stdout: textBytes(), stderr: textBytes() };
function emitText({ stdout, stdoutKind, stderr }: Output) {
  emitOutput('stdout', texts.stdout.take(stdout, stdoutKind === 'bytes'), request);
  emitOutput('stderr', texts.stderr.take(stderr, false), request);
}
const streamed = request.language === 'bash' ? streamBash(justBash.Bash, emitText) : null;
const [command, args] = commandOf(request);
const exec = () => bash.exec(command, { args, stdin: request.stdin });
emit({ type: 'ready' });
const result = await (streamed === null ? exec() : streamed(exec));
emitText(result);
for (const stream of ['stdout', 'stderr'] as const) emitOutput(stream, texts[stream].rest(), request);
await emitFiles(bash.fs, request);
emit({ type: 'end', exit_code: exitCode(result.exitCode) });
process.exit(0);
