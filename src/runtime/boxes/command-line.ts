import type { BoxOrder, Mount } from './box.ts';
import { BOX_NODE, type BoxHost } from './host.ts';
import { launcherArgv } from './launcher.ts';

/** The command line of a box as a pure function of its order; every lock that is a flag is in this file. */

/** Descriptors that bubblewrap gets beside the three standard ones; `READY_FD` is the launcher's. */
export const ARGS_FD = 3;
export const SECCOMP_FD = 4;
export const STATUS_FD = 5;
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

export const fileFd = (index: number): number => FIRST_FILE_FD + index;

export const BOX_PATH = '/opt/node/bin:/usr/local/bin:/usr/bin:/bin';

const DEFAULT_ENV: Readonly<Record<string, string>> = {
  HOME: '/tmp',
  LANG: 'C.UTF-8',
  PATH: BOX_PATH,
  TMPDIR: '/tmp',
  USER: 'box',
};

/** What the egress part adds to one box. */
export interface BoxExtras {
  /** The gate's socket, the helper program, resolv.conf. They may lie anywhere but in /proc and /dev. */
  mounts: readonly Mount[];
  /** A program that runs first, with the order's own behind it, and becomes it at its end. Empty: none. */
  launcher: readonly string[];
  /** Capabilities over the box's own network that `launcher` needs and must drop, such as `CAP_NET_BIND_SERVICE`. */
  capabilities: readonly string[];
}

export const NO_EXTRAS: BoxExtras = { mounts: [], launcher: [], capabilities: [] };

export interface BoxCommand {
  /** Program and arguments, visible to every user of the host. */
  argv: string[];
  /** More arguments, which bubblewrap reads from `ARGS_FD`: the environment is among them. */
  args: string[];
}

export interface CommandOptions {
  host: BoxHost;
  order: BoxOrder;
  extras: BoxExtras;
  /** Whether a filter comes over `SECCOMP_FD`. */
  seccomp: boolean;
}

export function boxCommand(options: CommandOptions): BoxCommand {
  const { host, order, extras } = options;
  return {
    argv: [host.bwrap, '--args', `${ARGS_FD}`, '--', ...launcherArgv(order.limits, extras.launcher, order.argv)],
    args: boxArgs(options),
  };
}

/** As bubblewrap reads them from a descriptor. */
export const encodeArgs = (args: readonly string[]): Buffer => Buffer.from(args.map((arg) => `${arg}\0`).join(''));

function boxArgs({ host, order, extras, seccomp }: CommandOptions): string[] {
  return [
    ...namespaces(seccomp),
    ...(seccomp ? ['--seccomp', `${SECCOMP_FD}`] : []),
    '--json-status-fd',
    `${STATUS_FD}`,
    '--cap-drop',
    'ALL',
    ...extras.capabilities.flatMap((capability) => ['--cap-add', capability]),
    ...environment(order.env),
    ...system(host),
    ...ownFolders(order),
    ...[...order.mounts, ...extras.mounts].flatMap(mount),
    // Both are made in memory, and neither has a size of its own.
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    order.cwd,
  ];
}

function namespaces(seccomp: boolean): string[] {
  return [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup',
    '--unshare-net',
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

function system({ shared, links, node, masked }: BoxHost): string[] {
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
    ...BOX_FILES.flatMap(({ path }, index) => ['--perms', '0444', '--file', `${fileFd(index)}`, path]),
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
