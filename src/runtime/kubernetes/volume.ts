import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Mount } from '#runtime/boxes/box.ts';
import { PLACE } from '#runtime/boxes/image-root.ts';

/** Folders of the service that a Pod can mount: those on the volume that both have. */

export interface VolumeMount {
  /** Below the root of the volume. */
  sub_path: string;
  to: string;
  writable: boolean;
}

/** Copies of paths outside of the volume, such as the npm that comes with the service, and the files of the self-test. */
export const COPIES = 'box-files';

/** @throws Error where a writable path is outside of the volume. */
export function volumeMounts(volumeDir: string, mounts: readonly Mount[]): VolumeMount[] {
  return mounts.map(({ from, to, writable }) => ({ sub_path: subPath(volumeDir, from, writable), to, writable }));
}

function subPath(volumeDir: string, from: string, writable: boolean): string {
  const path = relative(volumeDir, from);
  if (path !== '' && !path.startsWith('..') && !isAbsolute(path)) return path;
  if (writable || path === '') throw new Error(`${from} is not a folder on the volume`);
  return copied(volumeDir, from);
}

/** One copy for each state of a path. */
function copied(volumeDir: string, from: string): string {
  const { mtimeMs, size } = statSync(from);
  const name = sha256(JSON.stringify([from, mtimeMs, size])).slice(0, 32);
  const target = join(volumeDir, COPIES, name);
  if (!existsSync(target)) {
    mkdirSync(join(volumeDir, COPIES), { recursive: true, mode: 0o755 });
    const draft = `${target}.${process.pid}`;
    cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(draft, target);
    } catch (error) {
      // Another process may have been quicker.
      if (!existsSync(target)) throw error;
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return join(COPIES, name);
}

/** Folders that every Pod has itself. */
const OF_POD = ['.capstan', 'dev', 'proc', 'sys', 'tmp'];

/** What an empty image becomes the image of an order with: every entry of the tree's root, and the programs of the service. */
export function imageMounts(root: string, tools: string): Mount[] {
  const entries = readdirSync(root).filter((name) => !OF_POD.includes(name) && existsSync(join(root, name)));
  const tree = entries.map((name) => ({ from: join(root, name), to: `/${name}`, writable: false }));
  return [...tree, { from: tools, to: PLACE, writable: false }];
}
