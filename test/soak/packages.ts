import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { openProxy } from '../fakes/proxy.ts';
import { freePort } from '../free-port.ts';
import { capstanOf, installOnline, packBoth, packServer, useCli, useSdk } from '../packed.ts';
import { issueReceipts } from '../receipt-stand.ts';
import { openWorld } from '../world.ts';

/**
 * `npm run soak -- packages [version…]`: both packages, from the registry into an empty folder, by the npm of each Node,
 * and used on it from a search to a receipt. Fetches those Nodes: some 180 MB each, taken away again. Then the server, by the npm
 * of this machine: no package runs an install script, and a skill runs in the sandbox.
 */

/** The oldest that each package names, and the newest of every release that is kept up. */
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20.3.0', '22.19.0', '22', '24', '26'];
const run = promisify(execFile);
const dir = await mkdtemp(join(tmpdir(), 'capstan-packages-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const world = await openWorld({ PORT: `${port}`, PUBLIC_URL: url }, 'serve');

/** The binary as the platform's package brings it: its install script would look for one of another name. */
async function fetchNode(version: string): Promise<string> {
  const folder = join(dir, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await run('npm', ['install', `${name}@${version}`, '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  return join(folder, 'node_modules', name, 'bin/node');
}

async function findRunProve(capstan: ReturnType<typeof capstanOf>, user: string): Promise<void> {
  await useCli(capstan);
  assert.match(await capstan(['search', 'compare', 'json', '--text']), /json-diff/);
  await writeFile(join(user, 'key'), '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318');
  await capstan(['login', '--wallet', '--wallet-key', 'key']);
  const input = '{"before":{"a":1},"after":{"a":2}}';
  const task = JSON.parse(await capstan(['run', 'json-diff', '--input', input, '--receipt', 'receipt.json']));
  assert.equal(task.status, 'completed');
  assert.equal(JSON.parse(await capstan(['verify', 'receipt.json', '--issuer', url])).verdict, 'valid');
  assert.match(await capstan(['trace', task.id, '--text']), / ms +execute_tool json-diff/);
  await capstan(['install', 'json-diff', '--client', 'any', '--project']);
  await capstan(['undo']);
  await using proxy = await openProxy(port);
  const far = { HTTP_PROXY: proxy.url, CAPSTAN_URL: 'http://far.example' };
  assert.equal(JSON.parse(await capstan(['show', 'json-diff'], far)).name, 'json-diff');
  assert.ok(proxy.asked.length > 0);
}

async function useServer(user: string): Promise<void> {
  const lock = await readFile(join(user, 'node_modules/.package-lock.json'), 'utf8');
  assert.doesNotMatch(lock, /hasInstallScript/);
  const env = { PATH: process.env.PATH ?? '', HOME: user, DATA_DIR: join(user, 'data'), CAPSTAN_PROVIDERS: 'off' };
  const args = ['run', 'skill/json-diff', '--example'];
  const { stdout } = await run(join(user, 'node_modules/.bin/capstand'), args, { cwd: user, env });
  assert.match(stdout, /"op"/);
  process.stdout.write('Server: installed, and a skill ran\n');
}

try {
  await world.listen();
  const [receipt] = (await issueReceipts(world, 1)) as [string];
  await world.receipts.log();
  const tarballs = await packBoth(dir);
  for (const wanted of versions) {
    const node = await fetchNode(wanted);
    const version = (await run(node, ['-p', 'process.versions.node'])).stdout.trim();
    const major = Number.parseInt(version, 10);
    // The command line asks for 22; the client for 20.
    const chosen = major < 22 ? tarballs.filter((tarball) => tarball.includes('sdk')) : tarballs;
    const user = await installOnline(join(dir, `user-${wanted}`), chosen, major < 22 ? undefined : dirname(node));
    await useSdk(node, user, url, receipt);
    if (major >= 22) await findRunProve(capstanOf(node, user, url), user);
    process.stdout.write(`Node ${version}: ${chosen.length === 1 ? 'client' : 'client and command line'}\n`);
    await rm(join(dir, `node-${wanted}`), { recursive: true });
  }
  await useServer(await installOnline(join(dir, 'user-server'), [await packServer(dir)]));
} finally {
  await world.close();
  await rm(dir, { recursive: true, force: true });
}
