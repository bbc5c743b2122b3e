import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '#core/crypto/sha256.ts';
import { interpreterOf } from '#runtime/boxes/image-root.ts';
import { COPIES } from './volume.ts';

/**
 * The programs of the service that a Pod of a container image needs, with their loader and libraries: the shell that sets limits, and
 * Node for the bridge to a port. An image may have none of them.
 */
const PROGRAMS = ['/bin/sh', '/usr/bin/env', '/bin/sleep'];
const NODE = '/node';

/** Puts one copy of them on the volume, at the paths of this machine. Returns its folder. */
export function placeHostTools(volumeDir: string): string {
  const files = new Map([...PROGRAMS.map((path): [string, string] => [path, path]), [NODE, process.execPath]]);
  for (const program of [...files.values()])
    for (const path of librariesOf(realpathSync(program))) files.set(path, path);
  const states = [...files].map(([to, from]) => {
    const { mtimeMs, size } = statSync(from);
    return [to, mtimeMs, size];
  });
  const target = join(volumeDir, COPIES, `host-${sha256(JSON.stringify(states)).slice(0, 32)}`);
  if (existsSync(target)) return target;
  const draft = `${target}.${process.pid}`;
  for (const [to, from] of files) {
    const path = join(draft, to);
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    copyFileSync(realpathSync(from), path);
    chmodSync(path, 0o755);
  }
  try {
    renameSync(draft, target);
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(target)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
  return target;
}

/** The loader of a program, and what it loads; nothing for a static program. */
function librariesOf(program: string): string[] {
  const interpreter = interpreterOf(program);
  if (interpreter === null) return [];
  const loader = realpathSync(interpreter);
  const listed = execFileSync(loader, ['--list', program], { encoding: 'utf8', env: {} });
  const libraries = [...listed.matchAll(/=> (\/\S+) \(0x/g)].map(([, path]) => path as string);
  return [loader, ...libraries];
}
