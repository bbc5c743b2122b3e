import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs test files a few to a process: each process loads the service again, which takes longer than most files do. Files
 * of one folder go together, since they load the same. What measures a machine or a whole process has one to itself.
 */

const FILES_PER_PROCESS: Record<Speed, number> = { e2e: 40, db: 40, unit: 60 };
/** More processes than cores: a test waits for servers and processes as often as it works. */
const AT_ONCE = availableParallelism() + 2;
const TIMEOUT_MS = 120_000;
/** Room for what is new: a tenth of the processor time of a test was collecting garbage. */
const YOUNG_MB = '--max-semi-space-size=32';

/** Unit tests never measure or end a process, so they always share one. */
const ALONE =
  /^test\/(process|hostile|conformance)\/|fuzz|regex-time|\/(sandbox|boxes)\/|kill-(?:sync|task)|-command\.|first-party-skills|mail-check|packed-server|packages\/npm\.|open-packaged-servers|regex-growth/;

/** The last lines of what a group says. */
const SUMMARY = /^ℹ tests \d+\nℹ suites \d+\nℹ pass \d+\n/gm;
const COUNTS = ['tests', 'pass', 'fail', 'cancelled', 'skipped', 'todo'];

/**
 * Files that take longest with a process to themselves, the longest first. They begin after the large groups and before
 * the small ones: what begins last is short, so that no core waits at the end.
 */
const LONG = [
  'packages/npm.',
  'test/hostile/hostile',
  'test/process/start-and-stop',
  'first-party-skills',
  'packed-server',
  'test/process/refused',
  'container-driver',
  'boxes/attacks',
  'sandbox/limits',
  'sandbox/embedded',
  'open-packaged-servers',
];

function rankOf(group: string[]): number {
  if (group.length > 1) return speedOf(group[0] as string) === 'unit' ? LONG.length : -1;
  const rank = LONG.findIndex((part) => group.some((file) => file.includes(part)));
  return rank === -1 ? LONG.length : rank;
}

/** The suffix of a test file says what it opens; CONTRIBUTING.md has the rule. */
export type Speed = 'unit' | 'db' | 'e2e';

export const speedOf = (file: string): Speed => (/\.(db|e2e)\.test\.ts$/.exec(file)?.[1] ?? 'unit') as Speed;

function groupsOf(files: string[]): string[][] {
  const isAlone = (file: string) => speedOf(file) !== 'unit' && ALONE.test(file);
  const alone = files.filter(isAlone).map((file) => [file]);
  const speeds: Speed[] = ['e2e', 'db', 'unit'];
  const shared = speeds.flatMap((speed) =>
    chunksOf(
      files.filter((file) => speedOf(file) === speed && !isAlone(file)),
      FILES_PER_PROCESS[speed],
    ),
  );
  return [...alone, ...shared].sort((a, b) => rankOf(a) - rankOf(b));
}

const chunksOf = (files: string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(files.length / size) }, (_, at) => files.slice(at * size, (at + 1) * size));

/**
 * Prints what each group says when it ends, the failures again at the end, and the sum. A file that failed runs once more, alone
 * and after all others: if it passes then, it is named as flaky at the end and does not fail the run. Answers the exit code.
 */
export async function runGroups(files: string[], env: Record<string, string>): Promise<number> {
  const started = performance.now();
  const waiting = groupsOf(files);
  const sum = new Map(COUNTS.map((name) => [name, 0]));
  const failures: string[] = [];
  const suspects: string[] = [];
  const work = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const { code, text } = await runGroup(group, env);
      const end = [...text.matchAll(SUMMARY)].at(-1)?.index ?? -1;
      const counts = new Map(COUNTS.map((name) => [name, countOf(name, text.slice(end))]));
      for (const [name, count] of counts) sum.set(name, (sum.get(name) ?? 0) + count);
      process.stdout.write(end === -1 ? text : text.slice(0, end));
      // By what it says too: a library of the tests ends a process with 0 whatever its exit code was to be.
      const hasFailed = code !== 0 || end === -1 || counts.get('fail') !== 0 || counts.get('cancelled') !== 0;
      if (!hasFailed) continue;
      failures.push(failureOf(group, code, text));
      suspects.push(...failedFiles(group, text));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  process.stdout.write(failures.join('\n'));
  const failed = await failAlone(suspects, env);
  for (const [name, count] of sum) process.stdout.write(`ℹ ${name} ${count}\n`);
  process.stdout.write(`ℹ duration_s ${((performance.now() - started) / 1_000).toFixed(0)}\n`);
  const flaky = suspects.filter((file) => !failed.includes(file));
  if (flaky.length > 0) process.stdout.write(`⚠ flaky, failed beside others and passed alone: ${flaky.join(' ')}\n`);
  if (failed.length > 0) process.stdout.write(`✖ failed twice: ${failed.join(' ')}\n`);
  return failed.length === 0 ? 0 : 1;
}

/** Those of a group that failed; all of them where it does not say, or not of each error. */
function failedFiles(group: string[], text: string): string[] {
  if (text.includes('generated asynchronous activity after the test ended') || /^test at test\/group\.ts:/m.test(text))
    return group;
  const named = new Set([...text.matchAll(/^test at (\S+?):\d+:\d+$/gm)].map((match) => match[1] as string));
  const found = group.filter((file) => named.has(file));
  return found.length > 0 ? found : group;
}

/** More failures than this are no accident of a busy machine. */
const MOST_AGAIN = 60;

/** The files that fail once more, one after the other. */
async function failAlone(files: string[], env: Record<string, string>): Promise<string[]> {
  if (files.length > MOST_AGAIN) return files;
  const failed: string[] = [];
  for (const file of files) {
    const { code, text } = await runGroup([file], env);
    const passed = code === 0 && /^ℹ fail 0$/m.test(text) && /^ℹ cancelled 0$/m.test(text);
    if (passed) continue;
    failed.push(file);
    process.stdout.write(failureOf([file], code, text));
  }
  return failed;
}

const countOf = (name: string, summary: string): number =>
  Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(summary)?.[1] ?? 0);

function runGroup(files: string[], env: Record<string, string>) {
  const options = [
    // As the program starts, which finds modules sooner.
    '--import=./src/app/compile-cache.mjs',
    YOUNG_MB,
    '--test-reporter=spec',
    `--test-timeout=${TIMEOUT_MS}`,
    // A stand that fails to open leaves servers behind, which would keep the process alive for ever.
    '--test-force-exit',
  ];
  if (files.every((file) => speedOf(file) === 'unit')) options.push('--import=./test/unit-guard.ts');
  // A pipe loses what is not read yet when `--test-force-exit` ends the process.
  const path = join(tmpdir(), `capstan-group-${randomUUID()}.txt`);
  const output = openSync(path, 'w');
  // A file alone, which may be one that failed, names the test of every error.
  const runner = files.length === 1 ? ['--test', '--test-isolation=none', ...options] : [...options, 'test/group.ts'];
  const child = spawn(process.execPath, [...runner, ...files], {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
  });
  closeSync(output);
  return new Promise<{ code: number | null; text: string }>((resolve, reject) =>
    child.once('error', reject).once('exit', (code) => {
      const text = readFileSync(path, 'utf8');
      rmSync(path);
      resolve({ code, text });
    }),
  );
}

function failureOf(files: string[], code: number | null, text: string): string {
  const at = text.indexOf('\n✖ failing tests:');
  return at === -1 ? `\n✖ ended with ${code}: ${files.join(' ')}\n${text.slice(-2_000)}` : text.slice(at);
}
