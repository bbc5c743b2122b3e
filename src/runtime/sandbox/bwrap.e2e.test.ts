import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { defined } from '#core/defined.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { until } from '#test/until.ts';
import { embeddedSandbox, findBwrap } from './embedded.ts';
import type { ScriptLanguage } from './sandbox.ts';

const bwrap = findBwrap();
const skip = bwrap === null ? 'bubblewrap is not installed, or may not work here' : false;
const sandbox = embeddedSandbox({ bwrap });
after(() => sandbox.close());

const run = (language: ScriptLanguage, source: string, timeout_ms = 20_000, signal?: AbortSignal) =>
  sandbox.run({
    share: OWN_SHARE,
    language,
    files: new Map([['main', Buffer.from(source)]]),
    entry: 'main',
    stdin: '{"a":1}',
    limits: { timeout_ms, memory_mb: 64, output_bytes: 100_000 },
    ...defined({ signal }),
  });

/** All descendants of this process, found by the parents in /proc. */
function descendants(): number[] {
  const parents = new Map<number, number>();
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    try {
      parents.set(pid, Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]));
    } catch {
      // The process has exited in the meantime.
    }
  }
  const below = (pid: number): boolean => pid > 1 && (pid === process.pid || below(parents.get(pid) ?? 0));
  return [...parents.keys()].filter((pid) => pid !== process.pid && below(pid));
}

/** A zombie counts as exited: it stays in the table until init has reaped it. */
function runs(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('runs each language inside bubblewrap, and reports the isolation', { skip }, async () => {
  const results = await Promise.all([
    run('bash', 'jq -c .'),
    run('python', 'print(input())'),
    run('javascript', 'console.log(require("fs").readFileSync(0, "utf8"))'),
  ]);
  for (const { stdout, isolation } of results)
    assert.deepEqual([stdout, isolation], ['{"a":1}\n', 'wasm+process+bwrap']);
});

test('the self-test passes inside bubblewrap', { skip }, async () => {
  assert.deepEqual(await sandbox.selfTest(), { ok: true, reason: null });
});

test('canceling a run ends every process that bubblewrap has started', { skip }, async () => {
  const controller = new AbortController();
  const running = run('python', 'while True: pass', 20_000, controller.signal);
  const started = await until('the processes', () => {
    const found = descendants();
    return found.length >= 3 && found;
  });
  controller.abort();
  assert.equal((await running).status, 'cancelled');
  await until('an end of all of them', () => !started.some(runs));
});
