import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BoxDriver, Mount } from '#runtime/boxes/box.ts';
import { openBwrapDriver, SMALL_LIMITS } from '#runtime/boxes/bwrap-driver.ts';
import { removeFolder } from '#runtime/boxes/remove-folder.ts';

/**
 * How long a box takes until its program is about to run, and a whole run of a program that does nothing, against the same
 * program without a box in the same round. `node bench/runtime/box-start.ts [rounds]`; run it on an idle machine.
 */
const ROUNDS = Number(process.argv[2] ?? 200);
const GOAL_P50_MS = 30;
const GOAL_P99_MS = 80;
const AT_ONCE = 20;

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-bench-')));
const [open, closed] = [join(dir, 'open'), join(dir, 'closed')];
for (const path of [open, closed]) mkdirSync(join(path, 'package'), { recursive: true, mode: 0o755 });
chmodSync(dir, 0o755);
chmodSync(closed, 0o700);

const driver = await openBwrapDriver();
if (driver.isolation === null) {
  console.log((await driver.selfTest()).text);
  process.exit(0);
}

const times = new Map<string, number[]>();
const note = (name: string, value: number): void => void times.set(name, [...(times.get(name) ?? []), value]);

for (let round = -5; round < ROUNDS; round++) {
  const bareMs = await bareRun();
  const box = await boxRun(driver, open);
  const staged = await boxRun(driver, closed);
  // The first rounds fill the caches of the kernel.
  if (round < 0) continue;
  note('no box, whole run', bareMs);
  note('box, until the program runs', box.started_ms);
  note('box, whole run', box.whole_ms);
  note('box with a package in a closed folder, until the program runs', staged.started_ms);
}

const began = performance.now();
await Promise.all(Array.from({ length: AT_ONCE }, () => boxRun(driver, open)));
const togetherMs = performance.now() - began;
const { took_ms, text } = await driver.selfTest();

console.log(`${driver.isolation}; goal until the program runs: p50 ${GOAL_P50_MS} ms, p99 ${GOAL_P99_MS} ms`);
console.table(
  [...times].map(([what, values]) => ({
    what,
    'p50, ms': at(values, 0.5),
    'p99, ms': at(values, 0.99),
    runs: values.length,
  })),
);
console.log(`${AT_ONCE} boxes at once: ${togetherMs.toFixed(0)} ms. Self-test: ${took_ms} ms. ${text}`);
await driver.close();
await removeFolder(dir);

async function boxRun({ start }: BoxDriver, folder: string): Promise<{ started_ms: number; whole_ms: number }> {
  const mounts: Mount[] = [{ from: join(folder, 'package'), to: '/package', writable: false }];
  const from = performance.now();
  const box = await start({
    argv: ['/usr/bin/true'],
    env: {},
    cwd: '/package',
    mounts,
    disk: null,
    limits: SMALL_LIMITS,
    egress: { mode: 'none', watch: false },
  });
  const started_ms = performance.now() - from;
  box.stdout.resume();
  const { code, message } = await box.gone;
  if (code !== 0) throw new Error(message);
  return { started_ms, whole_ms: performance.now() - from };
}

function bareRun(): Promise<number> {
  const from = performance.now();
  const { promise, resolve } = Promise.withResolvers<number>();
  spawn('/usr/bin/true', { stdio: 'ignore' }).on('close', () => resolve(performance.now() - from));
  return promise;
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1));
}
