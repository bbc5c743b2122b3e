import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Mount } from '#runtime/boxes/box.ts';
import { PLACE } from '#runtime/boxes/image-root.ts';
import { rootEntries } from '#runtime/boxes/root-entries.ts';

/** Folders of the service that a Pod can mount: those on the volume that both have. */

export interface VolumeMount {
  /** Below the root of the volume. */
  sub_path: string;
  to: string;
  writable: boolean;
}

/** Copies of paths outside of the volume, such as the npm that comes with the service, and the files of the self-test. */
export const COPIES = 'box-files';

/** npm has about 2,500. */
const MOST_COPIED = 20_000;

/** @throws Error where a writable path is outside of the volume, or a copy would have more than `most` files and folders. */
export function volumeMounts(volumeDir: string, mounts: readonly Mount[], most = MOST_COPIED): Promise<VolumeMount[]> {
  return Promise.all(
    mounts.map(async ({ from, to, writable }) => ({
      sub_path: await subPath(volumeDir, from, writable, most),
      to,
      writable,
    })),
  );
}

async function subPath(volumeDir: string, from: string, writable: boolean, most: number): Promise<string> {
  const path = relative(volumeDir, from);
  if (path !== '' && !path.startsWith('..') && !isAbsolute(path)) return path;
  if (writable || path === '') throw new Error(`${from} is not a folder on the volume`);
  return copied(volumeDir, from, most);
}

/** Copies that are being made, by target. */
const copying = new Map<string, Promise<void>>();

/** One copy for each state of a path. Boxes that start at once wait for the same copy. */
async function copied(volumeDir: string, from: string, most: number): Promise<string> {
  const { mtimeMs, size } = await stat(from);
  const name = sha256(JSON.stringify([from, mtimeMs, size])).slice(0, 32);
  const target = join(volumeDir, COPIES, name);
  const made = copying.get(target) ?? copyOnce(from, target, most).finally(() => copying.delete(target));
  copying.set(target, made);
  await made;
  return join(COPIES, name);
}

async function copyOnce(from: string, target: string, most: number): Promise<void> {
  if (await isThere(target)) return;
  await mkdir(join(target, '..'), { recursive: true, mode: 0o755 });
  const draft = `${target}.${process.pid}`;
  let count = 0;
  const counted = (path: string): boolean => {
    count += 1;
    if (count > most) throw new Error(`${from} has more than ${most} files and folders (${path})`);
    return true;
  };
  try {
    await cp(from, draft, { recursive: true, verbatimSymlinks: true, filter: counted });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process may have been quicker.
    if (!(await isThere(target))) throw error;
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Folders that every Pod has itself. */
const OF_POD = ['.capstan', 'dev', 'proc', 'sys', 'tmp'];

/**
 * What an empty image becomes the image of an order with: every entry of the tree's root, and the programs of the service.
 *
 * @throws Problem as `rootEntries` does.
 */
export async function imageMounts(root: string, tools: string): Promise<Mount[]> {
  const names = await rootEntries(root, OF_POD);
  // A link that leads nowhere cannot be mounted.
  const found = await Promise.all(names.map((name) => isThere(join(root, name))));
  const tree = names.filter((_, index) => found[index]);
  return [
    ...tree.map((name) => ({ from: join(root, name), to: `/${name}`, writable: false })),
    { from: tools, to: PLACE, writable: false },
  ];
}
