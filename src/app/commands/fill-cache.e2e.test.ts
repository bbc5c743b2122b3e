import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '#test/until.ts';

/** A program that fills its cache as the server does; `warm` records that it ran. */

const dir = await mkdtemp(join(tmpdir(), 'capstan-fill-'));
after(() => rm(dir, { recursive: true, force: true }));

const program = join(dir, 'program.mjs');
const ran = join(dir, 'ran');
await writeFile(
  program,
  `import { appendFileSync } from 'node:fs';
import { fillCacheLater, markCacheFilled } from ${JSON.stringify(import.meta.resolve('./fill-cache.ts'))};
if (process.argv[2] === 'warm') {
  appendFileSync(${JSON.stringify(ran)}, 'warm\\n');
  await markCacheFilled();
} else {
  // Filling keeps no process alive.
  const alive = setInterval(() => {}, 1_000);
  await fillCacheLater(new AbortController().signal, 0);
  clearInterval(alive);
}`,
);

const timesRun = async (): Promise<number> => (await readFile(ran, 'utf8').catch(() => '')).split('\n').length - 1;

/** `cache` is its directory. Returns the exit code. */
async function start(cache: string): Promise<number | null> {
  const env = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: cache };
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

test('the first start fills the cache, the next does not', async () => {
  const cache = join(dir, 'cache');
  assert.equal(await start(cache), 0);
  const isFilled = async () => (await readdir(cache, { recursive: true })).some((path) => path.endsWith('filled'));
  await until('the cache is filled', isFilled);
  assert.equal(await timesRun(), 1);
  assert.equal(await start(cache), 0);
  assert.equal(await timesRun(), 1);
});
