import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Removes a folder that a box has filled. Its folders may be closed, or too deep for the paths that Node uses; `rm` and
 * `chmod` walk from folder to folder, and follow no links.
 */
export async function removeFolder(dir: string): Promise<void> {
  if (!dir.startsWith('/') || dir.length < 2) throw new RangeError(`${dir} is not the absolute path of a folder`);
  const environment = { env: { PATH: '/usr/bin:/bin' }, cwd: '/' };
  await run('rm', ['-rf', '--', dir], environment).catch(async () => {
    await run('chmod', ['-R', 'u+rwx', '--', dir], environment);
    await run('rm', ['-rf', '--', dir], environment);
  });
}
