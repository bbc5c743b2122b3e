import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { issueReceipts } from '../../test/receipt-stand.ts';
import { openWorld } from '../../test/world.ts';

/** What is published: packed, installed in an empty folder without a network, used from there. */

const ROOT = new URL('../../', import.meta.url).pathname;
const run = promisify(execFile);
const world = await openWorld();
const { url } = await world.listen();
const [receipt] = await issueReceipts(world, 1);
await world.receipts.log();
const dir = await mkdtemp(join(tmpdir(), 'capstan-sdk-'));
after(() => Promise.all([rm(dir, { recursive: true }), world.close()]));

const npm = (args: string[], cwd: string) =>
  run('npm', [...args, '--no-audit', '--no-fund', `--cache=${join(dir, 'cache')}`], {
    cwd,
    env: { PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH}`, HOME: dir },
  });

const SCRIPT = `
import { createCapstan, every, verifyBundle, CapstanError } from '@capstan/sdk';
const capstan = createCapstan({ base_url: process.argv[2] });
const names = [];
for await (const { name } of every(capstan.skills.listSkills, { limit: 5 })) names.push(name);
const bundle = await capstan.receipts.getReceipt({ id: process.argv[3] });
const { verdict } = await verifyBundle(bundle, { issuer: capstan });
const error = await capstan.tasks.listTasks().catch((it) => it);
console.log(JSON.stringify([names.length, verdict, error instanceof CapstanError && error.code]));
`;

const USE = `
import { type Answer, createCapstan, type TaskEvent } from '@capstan/sdk';
const capstan = createCapstan({ base_url: 'http://x' });
export async function use(): Promise<string[]> {
  const { items }: Answer<'registry.listItems'> = await capstan.registry.listItems({ search: 'x', sort: 'stars' });
  // @ts-expect-error: there is no such parameter
  await capstan.registry.listItems({ serach: 'x' });
  // @ts-expect-error: there is no such value
  await capstan.registry.listItems({ sort: 'age' });
  // @ts-expect-error: the id is missing
  await capstan.tasks.getTask();
  const text: string = await capstan.registry.getItem({ provider: 'glama', id: 'x' }, { accept: 'text/markdown' });
  for await (const event of capstan.tasks.watchTask({ id: 'x' })) {
    const told: TaskEvent = event;
    if (told.event === 'output') return [told.data.text];
  }
  return [text, ...items.map((it) => it.name)];
}
`;

const nodes = ['node', ...(process.env.PATH ?? '').split(delimiter).map((it) => join(it, 'node'))];

test('the package installs without a network, runs on every Node of this machine, and brings its types', async () => {
  const source = join(dir, 'repository');
  await mkdir(join(source, 'sdk'), { recursive: true });
  for (const it of ['package.json', 'tsconfig.json', 'build.mjs', 'README.md', 'src'])
    await cp(join(ROOT, 'sdk', it), join(source, 'sdk', it), { recursive: true });
  for (const it of ['tsconfig.json', 'LICENSE']) await cp(join(ROOT, it), join(source, it));
  await npm(['pack', `--pack-destination=${dir}`], join(source, 'sdk'));
  const tarball = (await readdir(dir)).find((it) => it.endsWith('.tgz')) as string;

  const user = join(dir, 'user');
  await mkdir(user);
  await writeFile(join(user, 'package.json'), '{"private":true,"type":"module"}');
  await npm(['install', '--offline', join(dir, tarball)], user);
  const installed = join(user, 'node_modules/@capstan/sdk');
  const files = (await readdir(installed, { recursive: true })).filter((it) => /\.\w+$/.test(it));
  assert.deepEqual(files.filter((it) => !/^dist\/.*\.(js|d\.ts)$/.test(it)).sort(), ['README.md', 'package.json']);
  assert.ok(existsSync(join(installed, 'LICENSE')));

  const code = await Promise.all(files.filter((it) => it.endsWith('.js')).map((it) => readFile(join(installed, it))));
  const compressed = gzipSync(Buffer.concat(code)).length;
  assert.ok(compressed < 20_000, `${compressed} bytes compressed`);

  await writeFile(join(user, 'script.mjs'), SCRIPT);
  const found = [process.execPath, ...new Set(nodes.slice(1).filter((it) => existsSync(it)))];
  for (const node of found) {
    const { stdout } = await run(node, ['script.mjs', url, receipt as string], { cwd: user });
    assert.deepEqual(JSON.parse(stdout), [15, 'valid', 'auth.token_missing'], node);
  }

  await writeFile(join(user, 'use.ts'), USE);
  const lib = ['--lib', 'es2023,dom,dom.asynciterable', '--types', ''];
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '--strict', '--module', 'nodenext', ...lib, 'use.ts'], {
    cwd: user,
  }).catch((error) => assert.fail(error.stdout));
});
