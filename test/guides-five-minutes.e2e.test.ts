import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { CACHED_ENV } from './cached-env.ts';
import { freePort } from './free-port.ts';
import { openWorld } from './world.ts';

/** The commands of the guide, run by a new user: from a search to a valid receipt. */

const ROOT = new URL('..', import.meta.url).pathname;
const guide = await readFile(join(ROOT, 'docs/guides/five-minutes.md'), 'utf8');
const missing = ['bash', 'openssl'].filter((name) => spawnSync(name, ['version']).error !== undefined);
const skip = missing.length > 0 ? `${missing.join(', ')} not here` : false;

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const world = await openWorld({ PORT: `${port}`, PUBLIC_URL: url }, 'serve');
await world.listen();
const dir = await mkdtemp(join(tmpdir(), 'capstan-five-'));
after(async () => {
  await world.close();
  await rm(dir, { recursive: true, force: true });
});

test('every command of the guide works in order and prints what the guide shows', { skip }, async () => {
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text as string);
  assert.ok(blocks.length >= 7);
  for (const path of ['package.json', 'own-node.mjs', 'cli', 'sdk', 'node_modules'])
    await symlink(join(ROOT, path), join(dir, path));
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  // What npm would run, without starting npm a dozen times.
  const direct = (text: string) => text.replace('npm run -s capstan --', scripts.capstan);
  const script = blocks.map((text) => direct(text).replaceAll('http://127.0.0.1:8080', url)).join('\necho "=="\n');
  const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`;
  const env = Object.assign({ PATH, HOME: dir, CAPSTAN_URL: url }, CACHED_ENV);
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], { cwd: dir, env, timeout: 100_000 });
  const told = stdout.split('==\n');
  assert.equal(told.length, blocks.length, stdout);
  assert.match(told[1] as string, /^json-diff .*skill · scripted · checked\n {2}json-diff\n/);
  assert.match(told[2] as string, /Signed in to/);
  assert.match(told[3] as string, /"equal": false/);
  assert.match(told[4] as string, /ms +execute_tool json-diff/);
  assert.match(told[5] as string, /verdict +valid.*exit code 3/s);
  assert.match(told[6] as string, /refused/);
  assert.match(told[7] as string, /written .*\.claude\/skills\/json-diff.*reverted/s);
});
