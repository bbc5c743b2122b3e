import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startChild } from '#runtime/sandbox/child.ts';
import { childCommand, OWN_FILES } from '#runtime/sandbox/command-line.ts';
import { findBwrap } from '#runtime/sandbox/embedded.ts';
import { locateEngine } from '#runtime/sandbox/engine.ts';
import { runAs } from '#runtime/sandbox/other-user.ts';
import { until } from '../until.ts';
import { openTargets } from './targets.ts';

const bwrap = findBwrap();
const noBwrap = bwrap === null ? 'bubblewrap is not installed, or may not work here' : false;
const engine = locateEngine();
const timeout_ms = 30_000;

/** Runs our program in the engine's place, under the engine's locks. */
async function runInPlace(source: string, box: string | null, untilItMayEnd?: (pid: number) => Promise<unknown>) {
  const dir = await mkdtemp(join(tmpdir(), 'capstan-escaped-'));
  await chmod(dir, 0o755);
  const program = join(dir, 'program.mjs');
  await writeFile(program, source, { mode: 0o644 });
  const run_as = runAs([process.execPath, program, ...OWN_FILES, ...engine.readable], box);
  const node = process.execPath;
  const child = startChild(childCommand({ node, program, engine, timeout_ms, heap_mb: 64, bwrap: box, run_as }));
  await untilItMayEnd?.(child.pid as number).finally(child.kill);
  const [said, end] = await Promise.all([text(child.frames), child.gone]);
  await rm(dir, { recursive: true });
  return { said, end };
}

for (const [level, box, skip] of [
  ['wasm+process', null, false],
  ['wasm+process+bwrap', bwrap, noBwrap],
] as const)
  test(`${level}: code that escaped the script engine cannot read files or environment, or use the network`, {
    skip,
  }, async () => {
    const targets = await openTargets();
    try {
      const source = await readFile(new URL('./escaped-program.mjs', import.meta.url), 'utf8');
      const { said, end } = await runInPlace(targets.fill(source), box);
      assert.equal(said, '[]\n', `${said}\n${end.code} ${end.signal}\n${end.complaint}`);
      assert.deepEqual(targets.damage(), []);
    } finally {
      targets.close();
    }
  });

/** What a process has written so far. */
const writtenBy = (pid: number): number =>
  Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);

test('an engine that floods its output is killed and costs the server little processor time', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async () => {
  const flood = `import fs from 'node:fs'; const b = Buffer.alloc(65536, 'x'); for (let n = 0; ; n++) fs.writeSync(1 + (n % 2), b);`;
  const began = process.cpuUsage();
  let [written, looks] = [0, 0];
  const { end } = await runInPlace(flood, null, (pid) =>
    until('a flood that waits for its reader', () => {
      const now = writtenBy(pid);
      looks = now > 2 * 65_536 && now === written ? looks + 1 : 0;
      written = now;
      return looks > 20;
    }),
  );
  const { user, system } = process.cpuUsage(began);
  assert.deepEqual([end.signal, end.complaint.length], ['SIGKILL', 16_384]);
  assert.ok(user + system < 500_000, `${user + system} µs of processor time`);
});
