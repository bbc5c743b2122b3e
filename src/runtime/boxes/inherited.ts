import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { BOX_FILES } from './box-files.ts';
import { fileFd } from './command-line.ts';

/**
 * Open files that the service inherited and would pass on to every program it starts. Node marks its own
 * so that they are not.
 */

const LAST_CHANNEL = fileFd(BOX_FILES.length - 1, true);
const CLOSE_ON_EXEC = 0o2000000;
const BASH = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];

/** Descriptor numbers that are not replaced by a box's channels. */
export function inheritedFiles(): number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((fd) => fd > LAST_CHANNEL && !closesOnExec(fd));
}

/**
 * A command in front of others that closes these files; empty if there is nothing to close, null if no shell is
 * there that can: other shells know descriptors of one digit only.
 */
export function closingPrefix(fds: readonly number[]): string[] | null {
  if (fds.length === 0) return [];
  const bash = BASH.find((path) => existsSync(path));
  if (bash === undefined) return null;
  return [bash, '--norc', '--noprofile', '-c', `${fds.map((fd) => `exec ${fd}>&-`).join('; ')}; exec -c "$@"`, 'bash'];
}

function closesOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return (Number.parseInt(flags ?? '0', 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    // The folder's own descriptor, which is closed by now.
    return true;
  }
}
