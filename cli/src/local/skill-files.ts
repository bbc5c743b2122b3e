import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { belowRoot, takeFolder } from '../../../src/runtime/bundles/pick-skill.ts';
import { usage } from '../failure.ts';

/** The files of a skill in a folder of the user, under the same rules as an archive: no links, no hidden files, bounded. */

const DEEPEST = 10;

export async function readSkillFolder(dir: string): Promise<Map<string, Uint8Array>> {
  const wanted = takeFolder('');
  const taken = new Map<string, Uint8Array>();
  for await (const path of pathsBelow(dir)) {
    const entry = await lstat(join(dir, path));
    const kind = entry.isFile() ? 'file' : 'other';
    if (wanted({ path, kind, size: entry.size })) taken.set(path, await readFile(join(dir, path)));
  }
  if (!taken.has('SKILL.md') && !taken.has('skill.md'))
    throw usage(`${dir} has no SKILL.md.`, 'Name the folder of a skill, which contains SKILL.md.');
  return belowRoot(taken, '');
}

/** Folders that a skill has no files in are not read, because they can be large. */
const SKIPPED = new Set(['node_modules', '__pycache__']);

async function* pathsBelow(dir: string, at = '', depth = 1): AsyncGenerator<string> {
  for (const entry of await readdir(join(dir, at), { withFileTypes: true })) {
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue;
    const path = at === '' ? entry.name : `${at}/${entry.name}`;
    if (!entry.isDirectory()) yield path;
    else if (depth < DEEPEST) yield* pathsBelow(dir, path, depth + 1);
    else throw usage(`${join(dir, path)} is nested too deep.`, 'Name the folder of a skill, which contains SKILL.md.');
  }
}
