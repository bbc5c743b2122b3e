import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The user of the child. A server that runs as root never runs a script's process as root. */
export interface RunAs {
  /** User and group of the child. */
  user: { uid?: number; gid?: number };
  /** A command in front of the child's own. */
  prefix: string[];
}

export const NOBODY = 65_534;
const SETPRIV = '/usr/bin/setpriv';

const isRoot = (): boolean => process.getuid?.() === 0;

/** Chosen before the files that it must read are known. */
export const otherUser = (): RunAs['user'] => (isRoot() ? { uid: NOBODY, gid: NOBODY } : {});

/**
 * Root's own directories are often closed to others, and the program may lie in one of them. Then the child is still
 * another user, but keeps the one capability of reading: bubblewrap, which shows it nothing but `paths`, is enough for
 * that; without it `setpriv` gives the capability. Where there is neither, the child cannot start, and the self-test
 * says why. Without bubblewrap, which does it too, `setpriv` also has the kernel end the child when the server dies.
 */
export function runAs(paths: readonly string[], bwrap: string | null): RunAs {
  const closed = isRoot() && !paths.every(isOpenToOthers);
  if (bwrap !== null) return { user: closed ? {} : otherUser(), prefix: [] };
  if (!existsSync(SETPRIV)) return { user: otherUser(), prefix: [] };
  const tied = tiedToServer();
  if (!closed) return { user: otherUser(), prefix: tied.length === 0 ? [] : [SETPRIV, ...tied, '--'] };
  const reading = ['--inh-caps', '--ambient-caps', '--bounding-set'].flatMap((set) => [set, '-all,+dac_read_search']);
  const identity = ['--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups', '--no-new-privs'];
  return { user: {}, prefix: [SETPRIV, ...tied, ...identity, ...reading, '--'] };
}

/** Old and small versions of setpriv do not know it. */
function tiedToServer(): string[] {
  const tied = ['--pdeathsig', 'KILL'];
  const { status } = spawnSync(SETPRIV, [...tied, '--', '/bin/true'], { env: {}, stdio: 'ignore', timeout: 2_000 });
  return status === 0 ? tied : [];
}

/** Whether anyone may enter the parent directories and read the path. */
function isOpenToOthers(path: string): boolean {
  const { mode } = statSync(path);
  if ((mode & 0o004) === 0) return false;
  for (let dir = dirname(path); dir !== dirname(dir); dir = dirname(dir))
    if ((statSync(dir).mode & 0o001) === 0) return false;
  return true;
}
