import { type ChildProcess, spawn } from 'node:child_process';
import { Socket as UdpSocket } from 'node:dgram';
import { accessSync, closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { Server } from 'node:net';
import type { Readable } from 'node:stream';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { GateNamespace } from './egress.ts';
import { NAMESPACE_PROGRAM } from './namespace-program.ts';

/** A network namespace without a process: descriptors keep it, and this process has the sockets in it. */
export interface Namespace extends GateNamespace {
  dns: { udp: UdpSocket; tcp: Server };
  /** By port, on every address of the namespace. */
  servers: ReadonlyMap<number, Server>;
  /** Closes everything that this process has of it. May be called twice. */
  close(): void;
}

/** The programs and the user that create namespaces. Boxes that join one must run as the same user. */
export interface NamespaceLaunch {
  bwrap: string;
  node: string;
  /** Null for the user of this process. */
  user: { uid: number; gid: number } | null;
  /** A command in front of bubblewrap, such as one that makes `node` reachable for `user`. */
  prefix: readonly string[];
}

const NOBODY = { uid: 65_534, gid: 65_534 };
const LIBRARIES = ['/usr', '/lib', '/lib64', '/bin'];
const NODE_INSIDE = '/node';
const MADE_MS = 10_000;
const COMPLAINT_CHARS = 500;

/** Null where bubblewrap is not installed. A server that is root makes namespaces as another user. */
export function defaultLaunch(): NamespaceLaunch | null {
  const bwrap = firstProgram(['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap']);
  if (bwrap === null) return null;
  return { bwrap, node: process.execPath, user: process.getuid?.() === 0 ? NOBODY : null, prefix: [] };
}

export function firstProgram(paths: readonly string[]): string | null {
  return paths.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a network namespace whose loopback is up, with DNS sockets and a listening socket for each port.
 *
 * @param low A port below 1,024 at which programs in it may listen, too; 0 for none.
 * @throws `runs.unavailable` (`egress_unavailable`) with the output of the programs.
 */
export async function makeNamespace(launch: NamespaceLaunch, ports: readonly number[], low = 0): Promise<Namespace> {
  const more = low === 0 ? [] : LOW_PORTS;
  const [file, ...args] = [...launch.prefix, launch.bwrap, ...flags(launch.node), ...more, '--', NODE_INSIDE];
  const child = spawn(file as string, [...args, '--eval', NAMESPACE_PROGRAM, '--', ...[low, ...ports].map(String)], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    ...launch.user,
  });
  const sockets: Sockets = { udp: null, servers: new Map(), dns: null };
  try {
    const pid = await received(child, sockets);
    return namespaceOf(pid, sockets);
  } catch (error) {
    closeSockets(sockets);
    throw error;
  } finally {
    child.kill('SIGKILL');
  }
}

/**
 * A second user namespace, which `--dev` would make, must not come between: the port of DNS needs a right over the
 * network, and who joins needs the namespace that owns it.
 */
function flags(node: string): string[] {
  return [
    ...['--unshare-user', '--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...['--uid', `${NOBODY.uid}`, '--gid', `${NOBODY.gid}`],
    ...['--cap-drop', 'ALL', '--cap-add', 'CAP_NET_BIND_SERVICE'],
    ...['--die-with-parent', '--new-session', '--info-fd', '4'],
    ...LIBRARIES.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--ro-bind', node, NODE_INSIDE],
    ...['--chdir', '/'],
  ];
}

/** The setting of the namespace is a file of /proc, which its owner may write. bubblewrap would mount it read-only in a new /proc. */
const LOW_PORTS = ['--cap-add', 'CAP_NET_ADMIN', '--bind', '/proc', '/proc'];

interface Sockets {
  udp: UdpSocket | null;
  dns: Server | null;
  servers: Map<number, Server>;
}

/** Resolves with the id of the process in the namespace when that has sent all of its sockets. */
function received(child: ChildProcess, sockets: Sockets): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let complaint = '';
  let info = '';
  let done = false;
  const finish = (): void => {
    const [, pid] = /"child-pid": *(\d+)\D/.exec(info) ?? [];
    if (done && pid !== undefined) resolve(Number(pid));
  };
  const fail = (): void => reject(unavailable(complaint));
  const timer = setTimeout(() => {
    complaint ||= 'it took too long';
    fail();
  }, MADE_MS);
  (child.stderr as Readable).on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(0, COMPLAINT_CHARS);
  });
  (child.stdio[4] as Readable).on('data', (chunk: Buffer) => {
    info += chunk.toString('latin1');
    finish();
  });
  child.on('message', (message, handle) => {
    if (handle instanceof UdpSocket) sockets.udp = handle;
    else if (handle instanceof Server && message === 'tcp') sockets.dns = handle;
    else if (handle instanceof Server && typeof message === 'number') sockets.servers.set(message, handle);
    else if (message === 'done') done = true;
    finish();
  });
  child.on('error', (error) => {
    complaint ||= error.message;
    fail();
  });
  child.on('close', fail);
  return promise.finally(() => clearTimeout(timer));
}

function namespaceOf(pid: number, sockets: Sockets): Namespace {
  const { udp, dns, servers } = sockets;
  if (udp === null || dns === null) throw unavailable('its sockets did not arrive');
  const descriptors: number[] = [];
  try {
    for (const kind of ['user', 'net']) descriptors.push(openSync(`/proc/${pid}/ns/${kind}`, 'r'));
  } catch (error) {
    for (const descriptor of descriptors) closeSync(descriptor);
    throw unavailable((error as Error).message);
  }
  const [user_fd, net_fd] = descriptors as [number, number];
  if (fstatSync(net_fd).ino === statSync('/proc/self/ns/net').ino) {
    for (const descriptor of descriptors) closeSync(descriptor);
    throw unavailable('bubblewrap made no network namespace');
  }
  let closed = false;
  const close = (): void => {
    if (closed) return;
    closed = true;
    closeSockets(sockets);
    for (const descriptor of descriptors) closeSync(descriptor);
  };
  return { user_fd, net_fd, dns: { udp, tcp: dns }, servers, close };
}

function closeSockets({ udp, dns, servers }: Sockets): void {
  for (const socket of [udp, dns, ...servers.values()]) {
    try {
      socket?.close();
    } catch {
      // It was closed before.
    }
  }
}

function unavailable(complaint: string): Problem {
  const said = complaint.trim().replaceAll(/\s+/g, ' ');
  return runtimeProblem(
    'runs.unavailable',
    `Could not set up network access for the box: ${said || 'the namespace program ended'}. Allow unprivileged user namespaces on this host, or run without network access.`,
    { reason: 'egress_unavailable' },
  );
}
