import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The program as it was at an earlier commit, beside this one. */
interface OldVersion extends AsyncDisposable {
  root: string;
  /** The commit, in short. */
  commit: string;
  /** It does not know all migrations of now. */
  is_older_schema: boolean;
}

const run = promisify(execFile);
const git = async (...args: string[]): Promise<string> => (await run('git', args)).stdout.trim();

/** The last commit that did not know the newest migration. */
export async function beforeNewestMigration(): Promise<string> {
  const files = (await git('ls-files', 'db/migrations/*.sql')).split('\n').sort();
  return `${await git('log', '--diff-filter=A', '-1', '--format=%H', '--', files.at(-1) as string)}^`;
}

export async function checkOut(revision: string): Promise<OldVersion> {
  const root = join(await mkdtemp(join(tmpdir(), 'capstan-before-')), 'capstan');
  await git('worktree', 'add', '--detach', root, revision);
  const isAlike = (await git('diff', '--name-only', revision, 'HEAD', '--', 'package-lock.json')) === '';
  if (isAlike) await symlink(resolve('node_modules'), join(root, 'node_modules'));
  else await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root });
  return {
    root,
    commit: await git('rev-parse', '--short', revision),
    is_older_schema: (await git('diff', '--name-only', revision, 'HEAD', '--', 'db/migrations')) !== '',
    [Symbol.asyncDispose]: async () => {
      await git('worktree', 'remove', '--force', root);
      await rm(join(root, '..'), { recursive: true, force: true });
    },
  };
}
