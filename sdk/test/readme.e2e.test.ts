import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { accountsOf } from '../../test/accounts.ts';
import { openWorld } from '../../test/world.ts';

/** The examples of the README, each run as a separate program. */

const run = promisify(execFile);
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const [find = '', sign = '', task = '', fail = '', ...more] = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(
  ([, code]) => code as string,
);

const world = await openWorld({}, 'serve');
const { url } = await world.listen();
const { token } = await (await accountsOf(world)).signUp();
const dir = await mkdtemp(join(tmpdir(), 'capstan-readme-'));
after(() => Promise.all([rm(dir, { recursive: true }), world.close()]));

async function said(code: string): Promise<string> {
  const file = join(dir, 'example.mts');
  const here = code
    .replaceAll('http://127.0.0.1:8080', url)
    .replaceAll("'@capstan/sdk'", `'${import.meta.resolve('../src/index.ts')}'`)
    .replaceAll("'viem/accounts'", `'${import.meta.resolve('../../test/ethereum-account.ts')}'`);
  await writeFile(file, here);
  const { stdout, stderr } = await run(process.execPath, [file], { env: { CAPSTAN_TOKEN: token } });
  return stdout + stderr;
}

test('every example of the README runs and prints what the README shows', async () => {
  assert.deepEqual(more, []);
  assert.match(await said(find), /^0 \[\]\n(.+\n)+json-diff\n/);
  assert.match(await said(`${sign}\nconsole.log(key);`), /^cap_\w{38}\n$/);
  await world.receipts.log();
  const done = said(task);
  assert.match(await done, /status .*working.*output .*status .*completed.*\nvalid Signed by a key of the issuer/s);
  assert.match(await said(fail), /^invalid_request http\.invalid .*\/limit/s);
});
