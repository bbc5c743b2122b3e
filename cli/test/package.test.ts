import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { openWorld } from '../../test/world.ts';

/** What is published: packed, installed in an empty folder without a network, used from there. */

const ROOT = new URL('../../', import.meta.url).pathname;
const run = promisify(execFile);
const world = await openWorld();
const { url } = await world.listen();
const dir = await mkdtemp(join(tmpdir(), 'capstan-cli-'));
after(() => Promise.all([rm(dir, { recursive: true }), world.close()]));

const PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
const npm = (args: string[], cwd: string) =>
  run('npm', [...args, '--no-audit', '--no-fund', `--cache=${join(dir, 'cache')}`], { cwd, env: { PATH, HOME: dir } });

test('the package installs in an empty folder, and searches, runs and answers from there', async () => {
  const source = join(dir, 'repository');
  for (const it of ['package.json', 'tsconfig.json', 'build.mjs', 'README.md', 'src'])
    await cp(join(ROOT, 'cli', it), join(source, 'cli', it), { recursive: true });
  await cp(join(ROOT, 'sdk/src'), join(source, 'sdk/src'), { recursive: true });
  for (const it of ['tsconfig.json', 'LICENSE', 'package.json']) await cp(join(ROOT, it), join(source, it));
  await symlink(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  const packed = join(dir, 'packed');
  await mkdir(packed);
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'cli/package.json'), 'utf8'));
  // The packages that it names stand in for a registry, as the repository has them.
  const folders = Object.keys(dependencies).map((it) => join(ROOT, 'node_modules', it));
  await npm(['pack', ...folders, '--ignore-scripts', `--pack-destination=${packed}`], dir);
  await npm(['pack', `--pack-destination=${packed}`], join(source, 'cli'));
  const tarballs = (await readdir(packed)).map((it) => join(packed, it));
  assert.equal(tarballs.length, folders.length + 1);

  const user = join(dir, 'user');
  await mkdir(user);
  await writeFile(join(user, 'package.json'), '{"private":true}');
  await npm(['install', '--offline', ...tarballs], user);
  const capstan = async (...args: string[]) => {
    const env = { PATH, HOME: user, CAPSTAN_URL: url };
    const { stdout } = await run(join(user, 'node_modules/.bin/capstan'), args, { env, cwd: user });
    return stdout;
  };
  assert.equal(await capstan('--version'), '0.1.0\n');
  assert.equal(JSON.parse(await capstan('show', 'json-diff')).name, 'json-diff');
  assert.match(await capstan('show', 'json-diff', '--text'), /capstan run json-diff/);
  await assert.rejects(capstan('show', 'no-such-skill'), { code: 3 });
});
