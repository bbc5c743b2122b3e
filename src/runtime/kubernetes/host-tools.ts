import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sha256 } from '#core/crypto/sha256.ts';
import { interpreterOf } from '#runtime/boxes/image-root.ts';
import { COPIES } from './volume.ts';

/**
 * The programs of the service that a Pod of a container image needs, with their loader and libraries: the shell that sets limits, and
 * Node for the bridge to a port. An image may have none of them.
 */
const PROGRAMS = ['/bin/sh', '/usr/bin/env', '/bin/sleep'];
const NODE = '/node';

const run = promisify(execFile);

/** By path in the Pod. They stay the same while the service runs. */
let files: Promise<ReadonlyMap<string, string>> | undefined;

/** Copies that are being made, by folder. */
const placing = new Map<string, Promise<void>>();

/** Puts one copy of them on the volume, at the paths of this machine. Returns its folder. Copying takes long on a volume of a network. */
export async function placeHostTools(volumeDir: string): Promise<string> {
  files ??= filesOf().catch((error) => {
    files = undefined;
    throw error;
  });
  const all = await files;
  const states = await Promise.all(
    Array.from(all, async ([to, from]) => {
      const { mtimeMs, size } = await stat(from);
      return [to, mtimeMs, size];
    }),
  );
  const target = join(volumeDir, COPIES, `host-${sha256(JSON.stringify(states)).slice(0, 32)}`);
  if (existsSync(target)) return target;
  const copying = placing.get(target) ?? copyAll(all, target).finally(() => placing.delete(target));
  placing.set(target, copying);
  await copying;
  return target;
}

async function filesOf(): Promise<ReadonlyMap<string, string>> {
  const found = new Map([...PROGRAMS.map((path): [string, string] => [path, path]), [NODE, process.execPath]]);
  for (const program of [...found.values()])
    for (const path of await librariesOf(await realpath(program))) found.set(path, path);
  return found;
}

async function copyAll(all: ReadonlyMap<string, string>, target: string): Promise<void> {
  const draft = `${target}.${process.pid}`;
  for (const [to, from] of all) {
    const path = join(draft, to);
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await copyFile(await realpath(from), path);
    await chmod(path, 0o755);
  }
  try {
    await rename(draft, target);
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(target)) throw error;
    await rm(draft, { recursive: true, force: true });
  }
}

/** The loader of a program, and what it loads; nothing for a static program. */
async function librariesOf(program: string): Promise<string[]> {
  const interpreter = interpreterOf(program);
  if (interpreter === null) return [];
  const loader = await realpath(interpreter);
  const { stdout } = await run(loader, ['--list', program], { env: {} });
  const libraries = [...stdout.matchAll(/=> (\/\S+) \(0x/g)].map(([, path]) => path as string);
  return [loader, ...libraries];
}
