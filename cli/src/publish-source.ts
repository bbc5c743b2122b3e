import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Input } from '../../sdk/src/index.ts';
import { usage } from './failure.ts';
import type { World } from './world.ts';

/** What is published: a folder or an archive of this machine, or a repository. */

type CheckBody = NonNullable<Input<'marketplace.publishing.check'>['body']>;
export type PublishSource = Pick<CheckBody, 'files' | 'archive' | 'url'>;
export type GivenFiles = NonNullable<CheckBody['files']>;

const ARCHIVE = /\.(?:zip|tgz|tar\.gz)$/i;

export async function sourceOf({ cwd }: World, given: string): Promise<PublishSource> {
  if (/^https:\/\//i.test(given)) return { url: given };
  const path = resolve(cwd, given);
  if (ARCHIVE.test(path) && (await isFile(path))) return { archive: (await readFile(path)).toString('base64') };
  return { files: await filesOf(path) };
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** Skips files of version control and editors. */
const SKIPPED = new Set(['.git', '.hg', 'node_modules', '.DS_Store', '__pycache__']);
const MOST_FILES = 1_000;

async function filesOf(folder: string): Promise<GivenFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: Error) => {
    throw usage(`Cannot read ${folder}: ${error.message}`, 'Name a folder with SKILL.md, HARNESS.md or rig.yaml.');
  });
  const files = entries
    .map((entry) => ({ entry, path: relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/') }))
    .filter(({ entry, path }) => entry.isFile() && !path.split('/').some((part) => SKIPPED.has(part)))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (files.length > MOST_FILES)
    throw usage(`${folder} contains ${files.length} files.`, `The limit is ${MOST_FILES}: choose a smaller folder.`);
  return Promise.all(
    files.map(async ({ path }) => {
      const bytes = await readFile(join(folder, path));
      const text = bytes.toString('utf8');
      return Buffer.from(text).equals(bytes) ? { path, content: text } : { path, base64: bytes.toString('base64') };
    }),
  );
}
