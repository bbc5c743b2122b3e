import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFile } from '#test/test-data.ts';
import { runningWords, syntheticItems } from './catalog/synthetic.ts';

/**
 * The program as an operator starts it: first start on an empty directory, import of listings, start with them, each
 * until `GET /readyz` says ready. Ratios are against a Node process that only listens, measured in the same round.
 */
const ROUNDS = 5;
const PROGRAM = ['--import', './src/app/compile-cache.mjs', '--max-semi-space-size=2', 'src/app/main.ts'];

const LISTENER = "require('node:http').createServer((q, r) => r.end('ok')).listen(18080, '127.0.0.1')";

const dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
const listings = dataFile('listings.jsonl') ?? (await synthetic());
const filled = join(dir, 'filled');
const importedMs = await timed(() => finished(start(['import', listings], filled)));
const rows: Record<string, object> = {};
await measure('a bare listener', () => spawn(process.execPath, ['-e', LISTENER], { env: environment(dir) }));
await measure('first start, empty directory', async (round) => start(['serve'], join(dir, `empty-${round}`)));
await measure('restart with the listings', async () => start(['serve'], filled));
const lines = readFileSync(listings, 'utf8').trimEnd().split('\n').length;
rows[`import of ${lines} listings`] = { 'ms (median)': Math.round(importedMs) };
console.table(rows);
await rm(dir, { recursive: true, force: true });

async function measure(name: string, begin: (round: number) => ChildProcess | Promise<ChildProcess>): Promise<void> {
  const ready: number[] = [];
  const resident: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const child = await begin(round);
    await isReady();
    ready.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 500));
    resident.push(residentMb(child.pid as number));
    child.kill('SIGTERM');
    await finished(child);
  }
  rows[name] = {
    'ms (median)': Math.round(median(ready)),
    'resident MB (greatest)': Math.round(Math.max(...resident)),
  };
}

function start(args: string[], dataDir: string): ChildProcess {
  return spawn(process.execPath, [...PROGRAM, ...args], { env: environment(dataDir), stdio: 'ignore' });
}

function environment(dataDir: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', PORT: '18080', DATA_DIR: dataDir, CAPSTAN_PROVIDERS: 'off' };
}

async function isReady(): Promise<void> {
  for (;;) {
    const answer = await fetch('http://127.0.0.1:18080/readyz').catch(() => null);
    await answer?.text();
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** On Linux; elsewhere not measured. */
function residentMb(pid: number): number {
  if (!existsSync(`/proc/${pid}/status`)) return Number.NaN;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

function finished(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => (code === 0 || child.killed ? resolve() : reject(new Error(`exit code ${code}`))));
  });
}

async function timed(act: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

async function synthetic(): Promise<string> {
  const file = join(dir, 'listings.jsonl');
  await writeFile(
    file,
    syntheticItems(35_000, runningWords())
      .map((item) => JSON.stringify(item))
      .join('\n'),
  );
  return file;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
