import type { BoxOrder, Mount } from './box.ts';
import { BOX_NODE, type BoxHost } from './host.ts';
import { launcherArgv } from './launcher.ts';

/** The command line of a box as a pure function of its order; every lock that is a flag is in this file. */

/** Descriptors that bubblewrap gets beside the three standard ones; `READY_FD` is the launcher's. */
export const ARGS_FD = 3;
export const SECCOMP_FD = 4;
export const STATUS_FD = 5;
/** The gate's network namespace, where the box has one. */
export const GATE_FDS = { user: 7, net: 8 } as const;
const FIRST_FILE_FD = 7;

/** Inside the box. Programs look up their user's name and folder. */
const BOX_USER = 1000;
const HOSTNAME = 'box';

/** Small files of /etc that a box gets as text, the same for all. */
export const BOX_FILES: readonly { path: string; text: string }[] = [
  { path: '/etc/passwd', text: `box:x:${BOX_USER}:${BOX_USER}:box:/tmp:/bin/sh\n` },
  { path: '/etc/group', text: `box:x:${BOX_USER}:\n` },
  { path: '/etc/hosts', text: `127.0.0.1 localhost\n::1 localhost\n127.0.0.1 ${HOSTNAME}\n` },
  { path: '/etc/nsswitch.conf', text: 'passwd: files\ngroup: files\nhosts: files dns\n' },
];

/** Without a gate its numbers are free: one that is left open would be open in the box too. */
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

export interface CommandOptions {
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
  return {
    argv: [host.bwrap, '--args', `${ARGS_FD}`, '--', ...launcherArgv(order.limits, order.argv)],
    args: boxArgs(options),
  };
}

/** As bubblewrap reads them from a descriptor. */
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
    ...system(host, gated),
    ...ownFolders(order),
    ...[...order.mounts, ...gate_mounts].flatMap(mount),
    // Both are made in memory, and neither has a size of its own.
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

function system({ shared, links, node, masked }: BoxHost, gated: boolean): string[] {
  return [
    // Folders that are made on the way to a file would be closed to others.
    ...['/etc', '/etc/ssl', '/opt'].flatMap((path) => ['--dir', path]),
    ...shared.flatMap((path) => ['--ro-bind', path, path]),
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    '--ro-bind',
    node,
    BOX_NODE,
    '--proc',
    '/proc',
    ...masked.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...BOX_FILES.flatMap(({ path }, index) => ['--perms', '0444', '--file', `${fileFd(index, gated)}`, path]),
  ];
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
