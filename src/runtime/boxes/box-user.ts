import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mount } from './box.ts';
import type { BoxExtras } from './command-line.ts';
import type { BoxHost } from './host.ts';

/**
 * As whom a box runs on the host. A server that is root starts its boxes as another user: as root's, the kernel would not
 * count their processes, and files of /proc/sys would be theirs.
 */
export interface BoxUser {
  uid: number;
  gid: number;
}

export const NOBODY: BoxUser = { uid: 65_534, gid: 65_534 };
const SETPRIV = '/usr/bin/setpriv';
const STAGE = '/tmp';

/** Null where the server is not root: boxes run as the server's user then. */
export const boxUser = (): BoxUser | null => (process.getuid?.() === 0 ? NOBODY : null);

/**
 * Mounts that the user of the boxes can reach, and the command that makes them reachable. Folders of root are often closed
 * to others, and a package may lie in one. Then root first shows the paths at an open place, in a mount namespace of the
 * box, and becomes the other user there.
 */
export interface Staged {
  prefix: string[];
  host: BoxHost;
  mounts: Mount[];
  extras: BoxExtras;
}

export function stage(user: BoxUser | null, host: BoxHost, mounts: readonly Mount[], extras: BoxExtras): Staged {
  const own = { prefix: [], host, mounts: [...mounts], extras };
  const paths = [host.node, ...host.shared, ...[...mounts, ...extras.mounts].map(({ from }) => from)];
  if (user === null || paths.every(isReachable)) return own;
  const shown: Mount[] = [];
  const show = (from: string, writable: boolean): string => {
    const to = `${STAGE}/${shown.length}`;
    shown.push({ from, to, writable });
    return to;
  };
  const moved = ({ from, to, writable }: Mount): Mount => ({ from: show(from, writable), to, writable });
  const staged_mounts = mounts.map(moved);
  const staged_extras = { ...extras, mounts: extras.mounts.map(moved) };
  const staged_host = { ...host, node: show(host.node, false) };
  return {
    prefix: stagePrefix(user, host.bwrap, shown),
    host: staged_host,
    mounts: staged_mounts,
    extras: staged_extras,
  };
}

function stagePrefix({ uid, gid }: BoxUser, bwrap: string, shown: readonly Mount[]): string[] {
  const binds = shown.flatMap(({ from, to, writable }) => [writable ? '--bind' : '--ro-bind', from, to]);
  const place = ['--dev-bind', '/', '/', '--perms', '0755', '--tmpfs', STAGE];
  const become = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', '--inh-caps=-all', '--bounding-set=-all'];
  return [bwrap, ...place, ...binds, '--die-with-parent', '--', SETPRIV, ...become, '--'];
}

export const canStage = (): boolean => existsSync(SETPRIV);

/** Every folder above may be entered by anyone. The path itself is the order's concern. */
function isReachable(path: string): boolean {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    const stat = statSync(dir, { throwIfNoEntry: false });
    if (stat === undefined || (stat.mode & 0o001) === 0) return false;
    if (dir === '/') return true;
  }
}
