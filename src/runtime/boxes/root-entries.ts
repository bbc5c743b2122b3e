import { opendir } from 'node:fs/promises';
import { runtimeProblem } from '#runtime/errors.ts';

/** An engine mounts each entry at the root of an image on its own. Images have about twenty; their publishers choose how many. */
export const MOST_ROOT_ENTRIES = 256;

/**
 * The names at the root of an image's tree, apart from folders that every box has itself. Reads no more than are allowed.
 *
 * @throws Problem `runs.unavailable` (`box_unavailable`) if there are too many.
 */
export async function rootEntries(root: string, own: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(root)) {
    if (own.includes(name)) continue;
    names.push(name);
    if (names.length > MOST_ROOT_ENTRIES) throw tooMany();
  }
  return names.sort();
}

const tooMany = () =>
  runtimeProblem(
    'runs.unavailable',
    `The image has more than ${MOST_ROOT_ENTRIES} files and folders at its root, so this driver cannot run it. Move them into a folder.`,
    { reason: 'box_unavailable' },
  );
