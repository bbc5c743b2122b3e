import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mount } from './box.ts';
import type { BoxHost } from './host.ts';

/**
 * The host user that boxes run as. A server that runs as root starts its boxes as another user. Otherwise the kernel would
 * not count their processes, and they would own files of /proc/sys.
 */
export interface BoxUser {
  uid: number;
  gid: number;
}

export const NOBODY: BoxUser = { uid: 65_534, gid: 65_534 };

/** Null if the server is not root: then boxes run as the server's user. */
export const boxUser = (): BoxUser | null => (process.getuid?.() === 0 ? NOBODY : null);

/**
 * Mounts that the user of the boxes can reach, and the command that makes them reachable. Folders of root are often closed
 * to others, and a package may lie in one. Then root first shows these paths at an open place, in a mount namespace of the
 * box, and becomes the other user there. No process stays between the service and bubblewrap: one that has lost its
 * capabilities could not end the box when the service dies.
 */
interface Staged {
  prefix: string[];
  host: BoxHost;
  mounts: Mount[];
}

/** Programs of util-linux. */
const UNSHARE = '/usr/bin/unshare';
const SETPRIV = '/usr/bin/setpriv';

/** Folders that are on every system and usually empty. */
const PLACES = ['/mnt', '/media', '/srv', '/opt', '/tmp'];

const SHOW = `set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin
place=$1 next=0
mount -t tmpfs -o mode=0755,size=1m,nosuid,nodev tmpfs "$place"
shift
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir "$place/$next"; else : >"$place/$next"; fi
  mount --rbind "$1" "$place/$next"
  next=$((next + 1))
  shift
done
shift
exec "$@"`;

export function stage(user: BoxUser | null, host: BoxHost, mounts: readonly Mount[]): Staged {
  const paths = [host.node, ...mounts.map(({ from }) => from)];
  const closed = user === null ? [] : [...new Set(paths)].filter((path) => !isReachable(path));
  if (user === null || closed.length === 0) return { prefix: [], host, mounts: [...mounts] };
  const used = [...paths, ...host.shared];
  const place = PLACES.find(
    (folder) => existsSync(folder) && !used.some((path) => `${path}/`.startsWith(`${folder}/`)),
  );
  if (place === undefined) throw new RangeError(`every one of ${PLACES.join(', ')} is in use`);
  const shown = (path: string): string => (closed.includes(path) ? `${place}/${closed.indexOf(path)}` : path);
  const moved = ({ from, to, writable }: Mount): Mount => ({ from: shown(from), to, writable });
  return {
    prefix: stagePrefix(user, place, closed),
    host: { ...host, node: shown(host.node) },
    mounts: mounts.map(moved),
  };
}

function stagePrefix({ uid, gid }: BoxUser, place: string, closed: readonly string[]): string[] {
  const show = [UNSHARE, '--mount', '--', '/bin/sh', '-c', SHOW, 'sh', place, ...closed, '--'];
  const become = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', '--inh-caps=-all', '--bounding-set=-all'];
  return [...show, SETPRIV, ...become, '--'];
}

export const canStage = (): boolean => existsSync(SETPRIV) && existsSync(UNSHARE);

/** Whether every parent folder may be entered by anyone. The path itself is checked with the order. */
function isReachable(path: string): boolean {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    const stat = statSync(dir, { throwIfNoEntry: false });
    if (stat === undefined || (stat.mode & 0o001) === 0) return false;
    if (dir === '/') return true;
  }
}
