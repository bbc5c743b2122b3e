import { fileURLToPath } from 'node:url';
import type { Engine } from './engine.ts';
import { NOBODY, type RunAs } from './other-user.ts';

/** The child's command line as a pure function of its permissions; every restriction that is a flag is in this file. */

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The module that every child and each of its workers loads before its program. */
const LOCKS = beside('./locks.mjs');
const PATIENT_WAIT = beside('./patient-wait.mjs');
/** Our files that a child may read beside its program. */
export const OWN_FILES: readonly string[] = [
  LOCKS,
  PATIENT_WAIT,
  beside('./bash-stream.ts'),
  beside('./plain-path.ts'),
  beside('./text-bytes.ts'),
];

export interface ChildCommand {
  file: string;
  args: string[];
  cwd: string;
  user: RunAs['user'];
}

interface ChildOptions {
  node: string;
  /** Absolute path of the program. */
  program: string;
  engine: Engine;
  timeout_ms: number;
  heap_mb: number;
  /** Path of bubblewrap, if the child runs inside it. */
  bwrap: string | null;
  run_as: RunAs;
}

export function childCommand(options: ChildOptions): ChildCommand {
  const node = [
    options.node,
    ...nodeFlags(options),
    options.program,
    options.engine.module_url,
    options.engine.bridge_url,
  ];
  const boxed = options.bwrap === null ? node : [options.bwrap, ...bwrapFlags(options), ...node];
  const { user, prefix } = options.run_as;
  const cwd = workingDirectory(options.engine);
  if (process.platform === 'win32') return { file: boxed[0] as string, args: boxed.slice(1), cwd, user };
  return { file: '/bin/sh', args: ['-c', ulimits(options.timeout_ms), 'sh', ...prefix, ...boxed], cwd, user };
}

/** In a worker the permission model allows reading below the working directory: this one is harmless. */
const workingDirectory = (engine: Engine): string => engine.readable[0] as string;

/**
 * Kernel limits, which apply whatever happens inside Node or to the server: no core dump, no byte written to any
 * file, and processor time that ends a runaway child even after the server was killed.
 */
function ulimits(timeoutMs: number): string {
  const cpuS = Math.ceil(timeoutMs / 1000) * 2 + 10;
  return `ulimit -c 0; ulimit -f 0; ulimit -t ${cpuS}; exec "$@"`;
}

/** Without an `--allow-…` the permission model refuses network, processes, add-ons, WASI and writing. */
function nodeFlags({ program, engine, heap_mb }: ChildOptions): string[] {
  return [
    '--permission',
    '--allow-worker',
    `--require=${LOCKS}`,
    `--require=${PATIENT_WAIT}`,
    ...[program, ...OWN_FILES, ...engine.readable].map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${heap_mb}`,
    '--no-addons',
    '--no-experimental-sqlite',
    '--no-experimental-webstorage',
    '--disable-sigusr1',
    '--no-warnings',
  ];
}

/** No network, no other process in sight, nothing of the machine's files but Node, its libraries and the engine. */
function bwrapFlags({ node, program, engine }: ChildOptions): string[] {
  const libraries = ['/usr', '/lib', '/lib64', '/bin'].flatMap((path) => ['--ro-bind-try', path, path]);
  const own = [node, program, ...OWN_FILES, ...engine.readable].flatMap((path) => ['--ro-bind', path, path]);
  const mounts = [...libraries, '--tmpfs', '/tmp', '--proc', '/proc', '--dev', '/dev', ...own];
  const user = ['--uid', `${NOBODY}`, '--gid', `${NOBODY}`];
  return [
    '--unshare-all',
    ...user,
    '--die-with-parent',
    '--clearenv',
    ...mounts,
    '--chdir',
    workingDirectory(engine),
    '--',
  ];
}
