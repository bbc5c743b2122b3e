import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { OWN_SHARE, userShare } from '#core/fair-queue/share.ts';
import { until } from '#test/until.ts';
import { embeddedSandbox } from './embedded.ts';
import { queued } from './queued.ts';
import type { SandboxLimits, SandboxRequest, ScriptLanguage } from './sandbox.ts';

const sandbox = embeddedSandbox();
after(() => sandbox.close());

const LIMITS: SandboxLimits = { timeout_ms: 20_000, memory_mb: 64, output_bytes: 100_000 };

const run = (language: ScriptLanguage, source: string, limits = {}, more: Partial<SandboxRequest> = {}) =>
  sandbox.run({
    share: OWN_SHARE,
    language,
    files: new Map([['main', Buffer.from(source)]]),
    entry: 'main',
    stdin: '{}',
    limits: { ...LIMITS, ...limits },
    ...more,
  });

/** The children of this process, on Linux. */
function living(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (!Number.isInteger(pid) || pid === process.pid) return false;
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        return Number(fields[1]) === process.pid;
      } catch {
        return false;
      }
    });
}

/** Waits for the process that a run starts. */
const startedPid = (): Promise<number> => until('a process', () => living()[0]);

const gone = (pid: number) => assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });

for (const [language, loop] of [
  ['bash', 'while true; do :; done'],
  ['python', 'while True: pass'],
  ['javascript', 'for (;;) {}'],
] as const)
  test(`${language}: ends an endless loop at the time limit`, async () => {
    const running = run(language, loop, { timeout_ms: 900 });
    const pid = process.platform === 'linux' ? await startedPid() : 0;
    const { status, exit_code, duration_ms } = await running;
    assert.deepEqual([status, exit_code], ['timed_out', null]);
    assert.ok(duration_ms >= 900, `${duration_ms} ms`);
    if (pid !== 0) gone(pid);
    assert.deepEqual(living(), []);
  });

for (const [language, bomb] of [
  ['bash', 'x=xxxxxxxx; while true; do x="$x$x"; done'],
  ['python', 'x = []\nwhile True: x.append(bytearray(5_000_000))'],
  ['javascript', 'const x = []; for (;;) x.push(new Uint8Array(5e6).fill(1))'],
] as const)
  test(`${language}: ends a script that exceeds its memory`, async () => {
    const { status, stdout, stderr, engine_error } = await run(language, bomb);
    assert.equal(status, 'memory_exceeded', `${stderr}\n${engine_error}`);
    assert.equal(stdout, '');
    assert.deepEqual(living(), []);
  });

for (const [language, flood] of [
  ['bash', 'head -c 300000 /dev/zero | tr "\\0" x; printf "%300000s" y'],
  ['python', 'while True: print("x" * 1000)'],
  ['javascript', 'for (;;) console.log("x".repeat(1000))'],
] as const)
  test(`${language}: cuts output at the limit and ends the run`, async () => {
    const { status, stdout, stderr } = await run(language, flood);
    assert.equal(status, 'output_exceeded', stderr);
    assert.ok(stdout.length + stderr.length <= LIMITS.output_bytes);
    assert.deepEqual(living(), []);
  });

test('leaves out and counts output files over the size limit', async () => {
  const write = (name: string, size: number) => `printf "%${size}s" x > /workspace/output/${name};`;
  const { status, output_files, files_left_out } = await run('bash', write('a', 60_000) + write('b', 60_000));
  assert.equal(status, 'completed');
  assert.deepEqual([...output_files.keys()], ['a']);
  assert.equal(files_left_out, 1);
});

test('leaves out and counts more than 1,000 files, and files with unsafe names', async () => {
  const { status, output_files, files_left_out } = await run(
    'bash',
    `cd /workspace/output; i=0; while [ $i -lt 1010 ]; do i=$((i+1)); : > "f$i"; done
     : > '..\\..\\x'; : > $'a\nb'`,
  );
  assert.equal(status, 'completed');
  assert.deepEqual([output_files.size, files_left_out], [1_000, 12]);
  assert.ok([...output_files.keys()].every((name) => /^f\d+$/.test(name)));
});

test('leaves out and counts symlinks in the output folder, wherever they point', async () => {
  const { output_files, files_left_out } = await run(
    'bash',
    `cd /workspace/output; echo x > a; ln -s /workspace/skill/main inside; ln -s /etc/passwd outside
     ln -s / root; ln -s ../input dir; mkdir sub; ln -s ../../../.. sub/up; ln -s nowhere dangling`,
  );
  assert.deepEqual([[...output_files.keys()], files_left_out], [['a'], 6]);
  const replaced = await run('bash', 'rm -r /workspace/output; ln -s /workspace/skill /workspace/output; echo done');
  assert.deepEqual([replaced.stdout, replaced.output_files.size], ['done\n', 0]);
});

test('never starts more child processes than the concurrency limit', async () => {
  const limited = queued(sandbox, { concurrency: 2, waiting: 10 });
  const begun: number[] = [];
  const results = await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      limited.run({
        share: userShare(`user ${n}`),
        language: 'bash',
        files: new Map([['main', Buffer.from(`echo ${n}; sleep 0.1`)]]),
        entry: 'main',
        stdin: '',
        limits: LIMITS,
        on_output: () => void begun.push(limited.counts().running),
      }),
    ),
  );
  assert.deepEqual(
    results.map(({ stdout }) => stdout),
    ['1\n', '2\n', '3\n', '4\n', '5\n'],
  );
  assert.ok(begun.length === 5 && begun.every((running) => running <= 2), begun.join(' '));
  assert.deepEqual(limited.counts(), { running: 0, queued: 0 });
});

test('canceling ends the process; a run canceled beforehand starts none', async () => {
  const controller = new AbortController();
  const begun = Promise.withResolvers<void>();
  const source = 'print("begun", flush=True)\nwhile True: pass';
  const limits = { timeout_ms: 600_000 };
  const running = run('python', source, limits, { signal: controller.signal, on_output: () => begun.resolve() });
  await begun.promise;
  controller.abort();
  assert.equal((await running).status, 'cancelled');
  assert.deepEqual(living(), []);
  const signal = AbortSignal.abort();
  assert.equal((await run('bash', 'echo x', {}, { signal })).duration_ms, 0);
});

test('close() ends running scripts', async () => {
  const other = embeddedSandbox();
  const begun = Promise.withResolvers<void>();
  const running = other.run({
    share: OWN_SHARE,
    language: 'bash',
    files: new Map([['main', Buffer.from('echo begun; sleep 600')]]),
    entry: 'main',
    stdin: '',
    limits: { ...LIMITS, timeout_ms: 600_000 },
    on_output: () => begun.resolve(),
  });
  await begun.promise;
  await other.close();
  assert.equal((await running).exit_code, null);
  assert.deepEqual(living(), []);
});

for (const [what, source] of [
  ['that sleeps', 'echo begun; sleep 600'],
  ['in an endless loop', 'echo begun; while :; do :; done'],
] as const)
  test(`a child process ${what} ends when its server is killed`, {
    skip: process.platform !== 'linux' && 'needs /proc',
  }, async () => {
    const program = `
      import { embeddedSandbox } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url))};
      const files = new Map([['main', Buffer.from(${JSON.stringify(source)})]]);
      const limits = ${JSON.stringify({ ...LIMITS, timeout_ms: 600_000 })};
      const on_output = () => console.log('begun');
      embeddedSandbox().run({ share: ${JSON.stringify(OWN_SHARE)}, language: 'bash', files, entry: 'main', stdin: '', limits, on_output });`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const runnerOf = () =>
      readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
        .split(' ')
        .find((child) => child !== '' && commandLine(child).includes('runner.ts'));
    await once(server.stdout, 'data');
    const pid = Number(runnerOf());
    assert.notEqual(stateOf(pid), 'gone');
    server.kill('SIGKILL');
    await until('an end of the child', () => !isThere(pid));
  });

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function stateOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? '';
  } catch {
    return 'gone';
  }
}

const isThere = (pid: number): boolean => !['gone', 'Z', 'X'].includes(stateOf(pid));
