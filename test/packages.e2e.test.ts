import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { noPackagesHere } from './packages/runtime.ts';
import { capstanOf, installOffline, nodesHere, packBoth, ROOT, useCli, useSdk } from './packed.ts';
import { issueReceipts } from './receipt-stand.ts';
import { openWorld } from './world.ts';

/** What is published, on every Node of this machine; `npm run soak -- packages` has those that are not here. */

const world = await openWorld();
const { url } = await world.listen();
const [receipt] = (await issueReceipts(world, 1)) as [string];
await world.receipts.log();
const dir = await mkdtemp(join(tmpdir(), 'capstan-packages-'));
after(() => Promise.all([rm(dir, { recursive: true }), world.close()]));

const tarballs = await packBoth(dir);
const user = await installOffline(dir, tarballs);
const sdk = join(user, 'node_modules/@capstan/sdk');
const files = (await readdir(sdk, { recursive: true })).filter((file) => /\.\w+$/.test(file));

/** As package.json of each asks for. */
const LEAST = { sdk: 20, cli: 22 };
const nodes = await nodesHere();
const majorOf = (version: string): number => Number.parseInt(version, 10);

for (const { node, version } of nodes.filter((node) => majorOf(node.version) >= LEAST.sdk))
  test(`the SDK works on Node ${version}`, () => useSdk(node, user, url, receipt));

for (const { node, version } of nodes.filter((node) => majorOf(node.version) >= LEAST.cli))
  test(`the CLI works on Node ${version}`, () => useCli(capstanOf(node, user, url)));

const noBoxes = await noPackagesHere();
for (const { node, version } of nodes.filter((node) => majorOf(node.version) >= LEAST.cli))
  test(`the installed CLI runs boxes on Node ${version}`, { skip: noBoxes }, async () => {
    const checked = JSON.parse(await capstanOf(node, user, url)(['local', 'check']));
    assert.match(checked.isolation, /^bwrap/);
    assert.match(checked.detail, /attacks were blocked/);
  });

test('the CLI tarball has at most 420,000 bytes', async () => {
  const sizes = await Promise.all(tarballs.filter((file) => file.includes('cli')).map((file) => stat(file)));
  assert.equal(sizes.length, 1);
  for (const { size } of sizes) assert.ok(size < 420_000, `${size} bytes`);
});

const old = nodes.some(({ version }) => majorOf(version) === LEAST.cli);
const skip = old ? false : 'there is none on this machine; `npm run soak -- packages` fetches some';
test('the tests above ran on Node 22', { skip }, () => assert.ok(old));

test('the SDK package has a license, type declarations and at most 22,000 bytes of compressed code', async () => {
  assert.deepEqual(files.filter((file) => !/^dist\/.*\.(js|d\.ts)$/.test(file)).sort(), ['README.md', 'package.json']);
  assert.ok(existsSync(join(sdk, 'LICENSE')));
  const code = await Promise.all(files.filter((file) => file.endsWith('.js')).map((file) => readFile(join(sdk, file))));
  const compressed = gzipSync(Buffer.concat(code)).length;
  assert.ok(compressed < 22_000, `${compressed} bytes compressed`);
});

const USE = `
import { type Answer, createCapstan, type TaskEvent } from '@capstan/sdk';
const capstan = createCapstan({ base_url: 'http://x' });
export async function use(): Promise<string[]> {
  const { items }: Answer<'catalog.items.list'> = await capstan.items.list({ search: 'x', sort: 'stars' });
  // @ts-expect-error: there is no such parameter
  await capstan.items.list({ serach: 'x' });
  // @ts-expect-error: there is no such value
  await capstan.items.list({ sort: 'age' });
  // @ts-expect-error: the id is missing
  await capstan.tasks.get();
  const text: string = await capstan.items.get({ provider: 'glama', id: 'x' }, { accept: 'text/markdown' });
  for await (const event of capstan.tasks.watch({ id: 'x' })) {
    const told: TaskEvent = event;
    if (told.event === 'output') return [told.data.text];
  }
  return [text, ...items.map((it) => it.name)];
}
`;

test("the SDK's types reject unknown parameters, invalid values and missing ids", async () => {
  await writeFile(join(user, 'use.ts'), USE);
  const lib = ['--lib', 'es2023,dom,dom.asynciterable', '--types', '', '--skipLibCheck', '--strict'];
  const args = ['--noEmit', '--module', 'nodenext', ...lib, 'use.ts'];
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), args, { cwd: user }).catch((error) =>
    assert.fail(error.stdout),
  );
});
