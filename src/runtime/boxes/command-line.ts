import type { BoxOrder, Mount } from './box.ts';
import { BOX_FILES, BOX_USER, HOSTNAME } from './box-files.ts';
import { BOX_NODE, type BoxHost } from './host.ts';
import { hostMounts, hostShell } from './image-root.ts';
import { launcherArgv } from './launcher.ts';

/** The command line of a box as a pure function of its order; every restriction that is a flag is in this file. */

/** Descriptors that bubblewrap gets beside the three standard ones; `READY_FD` is the launcher's. */
export const ARGS_FD = 3;
export const SECCOMP_FD = 4;
export const STATUS_FD = 5;
/** The gate's network namespace, if the box has one. */
export const GATE_FDS = { user: 7, net: 8 } as const;
const FIRST_FILE_FD = 7;

/** Without a gate its descriptor numbers are unused: a leftover descriptor would be open in the box, too. */
export const fileFd = (index: number, gated: boolean): number => FIRST_FILE_FD + index + (gated ? 2 : 0);

export const BOX_PATH = '/opt/node/bin:/usr/local/bin:/usr/bin:/bin';

const DEFAULT_ENV: Readonly<Record<string, string>> = {
  HOME: '/tmp',
  LANG: 'C.UTF-8',
  PATH: BOX_PATH,
  TMPDIR: '/tmp',
  USER: 'box',
};

export interface BoxCommand {
  /** Program and arguments, visible to every user of the host. */
  argv: string[];
  /** More arguments, which bubblewrap reads from `ARGS_FD`: the environment is among them. */
  args: string[];
}

interface CommandOptions {
  host: BoxHost;
  order: BoxOrder;
  /** Files of the gate, which may lie anywhere but in /proc and /dev. */
  gate_mounts: readonly Mount[];
  /** Whether the command runs in the network namespace of a gate already. */
  gated: boolean;
  /** Whether a filter comes over `SECCOMP_FD`. */
  seccomp: boolean;
}

export function boxCommand(options: CommandOptions): BoxCommand {
  const { host, order } = options;
  const shell = order.root === undefined ? ['/bin/sh'] : hostShell();
  return {
    argv: [host.bwrap, '--args', `${ARGS_FD}`, '--', ...launcherArgv(shell, order.limits, order.argv)],
    args: boxArgs(options),
  };
}

/** In the format that bubblewrap reads from a descriptor. */
export const encodeArgs = (args: readonly string[]): Buffer => Buffer.from(args.map((arg) => `${arg}\0`).join(''));

function boxArgs({ host, order, gate_mounts, gated, seccomp }: CommandOptions): string[] {
  return [
    ...namespaces(seccomp, gated),
    ...(seccomp ? ['--seccomp', `${SECCOMP_FD}`] : []),
    '--json-status-fd',
    `${STATUS_FD}`,
    '--cap-drop',
    'ALL',
    ...environment(order.env),
    ...(order.root === undefined ? system(host) : image(host, order.root)),
    ...kernel(host),
    ...boxFiles(order.root === undefined ? '--file' : '--ro-bind-data', gated),
    ...ownFolders(order),
    ...[...order.mounts, ...gate_mounts].flatMap(mount),
    // Both are in memory and have no default size limit.
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    order.cwd,
  ];
}

function namespaces(seccomp: boolean, gated: boolean): string[] {
  return [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup',
    ...(gated ? [] : ['--unshare-net']),
    // The filter refuses new namespaces; without it this does.
    ...(seccomp ? [] : ['--disable-userns']),
    '--uid',
    `${BOX_USER}`,
    '--gid',
    `${BOX_USER}`,
    '--hostname',
    HOSTNAME,
    '--new-session',
    '--die-with-parent',
  ];
}

function environment(env: Readonly<Record<string, string>>): string[] {
  const whole = new Map([...Object.entries(DEFAULT_ENV), ...Object.entries(env)]);
  return ['--clearenv', ...[...whole].flatMap(([name, value]) => ['--setenv', name, value])];
}

function system({ shared, links, node }: BoxHost): string[] {
  return [
    // Folders that are made on the way to a file would be closed to others.
    ...['/etc', '/etc/ssl', '/opt'].flatMap((path) => ['--dir', path]),
    ...shared.flatMap((path) => ['--ro-bind', path, path]),
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    '--ro-bind',
    node,
    BOX_NODE,
  ];
}

function image(host: BoxHost, root: string): string[] {
  return ['--ro-bind', root, '/', ...hostMounts(host)];
}

function kernel({ masked }: BoxHost): string[] {
  return ['--proc', '/proc', ...masked.flatMap((path) => ['--ro-bind', '/dev/null', path])];
}

/** Bubblewrap writes a `--file` into the root that it makes; over a file of an image it mounts the text. */
function boxFiles(how: '--file' | '--ro-bind-data', gated: boolean): string[] {
  return BOX_FILES.flatMap(({ path }, index) => ['--perms', '0444', how, `${fileFd(index, gated)}`, path]);
}

function ownFolders({ limits }: BoxOrder): string[] {
  return [
    '--dev',
    '/dev',
    '--perms',
    '1777',
    '--size',
    `${limits.shm_bytes}`,
    '--tmpfs',
    '/dev/shm',
    '--perms',
    '1777',
    '--size',
    `${limits.tmp_bytes}`,
    '--tmpfs',
    '/tmp',
  ];
}

function mount({ from, to, writable }: Mount): string[] {
  return [writable ? '--bind' : '--ro-bind', from, to];
}
