import { join } from 'node:path';
import type { BoxOrder, Mount } from './box.ts';
import { NOBODY } from './box-user.ts';
import { BOX_PATH } from './command-line.ts';
import { BOX_NODE, type BoxHost } from './host.ts';
import { hostShell, PLACE, PLACED_NODE } from './image-root.ts';

/** The command line of a container as a pure function of its order. podman and Docker read the same options. */

interface ContainerCommand {
  argv: string[];
  /** Values of the program's environment, under names that cannot steer the engine. */
  env: Record<string, string>;
}

interface ContainerOptions {
  host: BoxHost;
  order: BoxOrder;
  name: string;
  label: string;
  image: string;
  /** The engine's own option for another OCI runtime, such as `--runtime=runsc`. */
  engine_options: readonly string[];
  run_options: readonly string[];
  /** Processes and threads that the engine's OCI runtime may have beside those of the box. */
  more_processes: number;
  /** A network namespace that the container joins; null for none. */
  network_path: string | null;
  gate_mounts: readonly Mount[];
  /** What is at the root of the image's tree, if the order has one. */
  root_entries: readonly string[];
  /** The line on standard error which reports that the program is about to run. */
  ready: string;
}

const DEFAULT_ENV: Readonly<Record<string, string>> = {
  HOME: '/tmp',
  LANG: 'C.UTF-8',
  PATH: BOX_PATH,
  TMPDIR: '/tmp',
  USER: 'box',
};
/** Folders of the engine, and that of the host's programs. */
export const OF_CONTAINER = ['.capstan', 'dev', 'proc', 'sys', 'tmp'];
const BLOCK_BYTES = 512;
const MOST_PROCESSES = 16_384;

export function containerCommand(options: ContainerOptions): ContainerCommand {
  const { order, name, label, image, engine_options, run_options, network_path } = options;
  const values = Object.entries({ ...DEFAULT_ENV, ...order.env });
  const env = Object.fromEntries(values.map(([, value], index) => [variable(index), value]));
  const names = values.map(([each]) => each);
  const { limits } = order;
  const shell = order.root === undefined ? ['/bin/sh'] : hostShell();
  return {
    env,
    argv: [
      ...engine_options,
      'run',
      '--rm',
      '--interactive',
      `--name=${name}`,
      `--label=${label}`,
      '--pull=never',
      '--read-only',
      '--cap-drop=ALL',
      '--security-opt=no-new-privileges',
      `--network=${network_path === null ? 'none' : `ns:${network_path}`}`,
      // The namespace of a gate has this setting itself.
      ...(network_path === null && order.egress.listens !== undefined
        ? [`--sysctl=net.ipv4.ip_unprivileged_port_start=${order.egress.listens}`]
        : []),
      '--hostname=box',
      `--user=${NOBODY.uid}:${NOBODY.gid}`,
      `--pids-limit=${limits.processes + options.more_processes}`,
      `--memory=${limits.memory_bytes}`,
      `--memory-swap=${limits.memory_bytes}`,
      `--shm-size=${limits.shm_bytes}`,
      `--tmpfs=/tmp:rw,exec,nosuid,nodev,mode=1777,size=${limits.tmp_bytes}`,
      `--ulimit=nofile=${limits.open_files}:${limits.open_files}`,
      `--ulimit=fsize=${limits.file_bytes}:${limits.file_bytes}`,
      '--ulimit=core=0:0',
      // The count of the kernel is of the user, and so of all boxes; `--pids-limit` is the box's. An engine that is not allowed to raise
      // the limit needs one that it can set.
      `--ulimit=nproc=${MOST_PROCESSES}:${MOST_PROCESSES}`,
      ...run_options,
      ...[...systemMounts(options), ...order.mounts, ...options.gate_mounts].map(volume),
      ...names.map((_, index) => `--env=${variable(index)}`),
      `--workdir=${order.cwd}`,
      image,
      ...shell,
      '-c',
      script(names, limits.file_bytes, options.ready),
      'box',
      ...order.argv,
    ],
  };
}

const variable = (index: number): string => `CAPSTAN_BOX_${index}`;

function volume({ from, to, writable }: Mount): string {
  if (`${from}${to}`.includes(':')) throw new RangeError('a mounted path must not contain a colon');
  return `--volume=${from}:${to}:${writable ? 'rw' : 'ro'}`;
}

/** Programs of this host, or the folders of an image with this host's shell beside them. */
function systemMounts({ host, order: { root }, root_entries }: ContainerOptions): Mount[] {
  if (root !== undefined) {
    const tree = root_entries.map((name) => ({ from: join(root, name), to: `/${name}`, writable: false }));
    const folders = host.shared.filter((path) => !path.startsWith('/etc')).map((path) => ({ path, from: path }));
    const linked = host.links.map(({ path, target }) => ({ path, from: join('/', target) }));
    const node = { from: host.node, to: PLACED_NODE, writable: false };
    const placed = [...folders, ...linked].map(({ path, from }) => ({ from, to: `${PLACE}${path}`, writable: false }));
    return [...tree, ...placed, node];
  }
  return [
    ...host.shared.map((path) => ({ from: path, to: path, writable: false })),
    ...host.links.map(({ path, target }) => ({ from: join('/', target), to: path, writable: false })),
    { from: host.node, to: BOX_NODE, writable: false },
  ];
}

/** Sets the variables, reports that it is ready, and becomes the program. */
function script(names: readonly string[], fileBytes: number, ready: string): string {
  const renamed = names.map((name, index) => `export ${name}="$${variable(index)}"; unset ${variable(index)}`);
  return [
    // Engines add these.
    'unset HOSTNAME TERM container',
    ...renamed,
    `ulimit -f ${Math.ceil(fileBytes / BLOCK_BYTES)} 2>/dev/null`,
    'command -v "$1" >/dev/null || { echo "$1: not found in the box" >&2; exit 127; }',
    `echo "${ready}" >&2`,
    'exec "$@"',
  ].join('\n');
}
