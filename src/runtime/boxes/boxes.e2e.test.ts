import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { isProblem } from '#core/problem/problem.ts';
import { openEgressGate } from '#runtime/egress/open-gate.ts';
import { allow, noBoxes, toLoopback } from '#test/egress-fixture.ts';
import { until } from '#test/until.ts';
import { STDERR_BYTES } from './bounded-stderr.ts';
import type { Box, BoxOrder } from './box.ts';
import { openBwrapDriver, SMALL_LIMITS } from './bwrap-driver.ts';
import { removeFolder } from './remove-folder.ts';

const driver = await openBwrapDriver();
const dir = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-boxes-')));
chmodSync(dir, 0o755);
after(async () => {
  await driver.close();
  await removeFolder(dir);
});

const skip = driver.isolation === null ? (await driver.selfTest()).text : false;

const order = (script: string, changed: Partial<BoxOrder> = {}): BoxOrder => ({
  argv: ['/bin/sh', '-c', script],
  env: {},
  cwd: '/tmp',
  mounts: [],
  disk: null,
  limits: SMALL_LIMITS,
  egress: { mode: 'none', watch: false },
  ...changed,
});

async function run(script: string, changed: Partial<BoxOrder> = {}) {
  const box = await driver.start(order(script, changed));
  const [stdout, stderr, end] = await Promise.all([read(box.stdout), read(box.stderr), box.gone]);
  return { stdout, stderr, end, usage: box.usage() };
}

async function read(stream: Box['stdout']): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The command lines of all processes on the host. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      } catch {
        return '';
      }
    });
}

const isRunning = (mark: string): boolean => commandLines().some((line) => line.includes(mark));

test('passes standard input, output and error, and reports the exit code', { skip }, async () => {
  const box = await driver.start(order('cat; echo problem >&2; exit 3'));
  box.stdin.end('hello');
  assert.equal(await read(box.stdout), 'hello');
  assert.equal(await read(box.stderr), 'problem\n');
  assert.deepEqual(await box.gone, {
    code: 3,
    signal: null,
    reason: 'exited',
    message: 'The program exited with code 3.',
  });
  assert.deepEqual(box.hosts(), []);
});

test('a box has Node, an ordinary user, its own host name and the given environment', { skip }, async () => {
  const script =
    'node -p "require(\'os\').userInfo().username + process.version + process.env.KEY"; id -u; hostname; pwd';
  const { stdout, stderr } = await run(script, { env: { KEY: 'a b\n"c"' } });
  assert.equal(stdout, `box${process.version}a b\n"c"\n1000\nbox\n/tmp\n`, stderr);
});

test('a secret in the environment does not appear in any command line of the host', { skip }, async () => {
  const secret = `secret-${randomUUID()}`;
  const box = await driver.start(order('echo "$KEY"; read -r line', { env: { KEY: secret } }));
  const chunk = String(await new Promise((resolve) => box.stdout.once('data', resolve)));
  assert.equal(chunk.trim(), secret);
  assert.ok(!isRunning(secret));
  box.kill();
  await box.gone;
});

test('mounts a folder read-only, or writable if the order says so', { skip }, async () => {
  const disk = join(dir, 'disk');
  const data = join(dir, 'data');
  for (const path of [disk, data]) mkdirSync(path, { mode: 0o755 });
  writeFileSync(join(data, 'file'), 'data');
  const { stdout, stderr } = await run('cat /data/file && echo changed >/disk/file && ! touch /data/new', {
    mounts: [
      { from: data, to: '/data', writable: false },
      { from: disk, to: '/disk', writable: true },
    ],
    disk: { dir: disk, bytes: 1_000_000 },
  });
  assert.equal(stdout, 'data', stderr);
  assert.equal(readFileSync(join(disk, 'file'), 'utf8'), 'changed\n');
});

test('mounts a package from a folder that only its owner can read', { skip }, async () => {
  const closed = join(dir, 'closed');
  mkdirSync(join(closed, 'package'), { recursive: true });
  writeFileSync(join(closed, 'package', 'file'), 'package');
  chmodSync(closed, 0o700);
  const mounts = [{ from: join(closed, 'package'), to: '/package', writable: false }];
  const script = 'cat /package/file; id -u; tr "\\0" "\\n" </proc/1/environ | grep -v ^PWD=/';
  const { stdout, end } = await run(script, { mounts });
  assert.equal(stdout, 'package1000\n', end.message);
  const status = await run('grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status', { mounts });
  assert.ok(!/Cap\w+:\t0*[1-9a-f]/.test(status.stdout), status.stdout);
});

test('on the host, processes of a box do not run as root', {
  skip: skip || (process.getuid?.() !== 0 && 'only root can be another user'),
}, async () => {
  const mark = `mark-${process.pid}`;
  const box = await driver.start(order(`: ${mark}; sleep 60`));
  const owners = execFileSync('ps', ['-eo', 'uid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark));
  assert.ok(owners.length >= 2 && owners.every((line) => line.trim().startsWith('65534 ')), owners.join('\n'));
  box.kill();
  await box.gone;
});

for (const [title, script, code, signal, reason] of [
  ['a crash', 'kill -SEGV $$', null, 'SIGSEGV', 'exited'],
  ['a file over the size limit', 'exec head -c 20000000 /dev/zero >/tmp/x', null, 'SIGXFSZ', 'disk'],
  ['an exit code over 128 that is not a signal', 'exit 250', 250, null, 'exited'],
] as const)
  test(`reports the end of the program: ${title}`, { skip }, async () => {
    const limits = { ...SMALL_LIMITS, file_bytes: 1_048_576 };
    const { end } = await run(script, { limits });
    assert.deepEqual([end.code, end.signal, end.reason], [code, signal, reason]);
  });

test('failed_to_start: a missing program, named in the message', { skip }, async () => {
  const { end } = await run('', { argv: ['missing-program'] });
  assert.equal(end.reason, 'failed_to_start');
  assert.match(end.message, /missing-program: not found/);
});

test('failed_to_start: a missing working directory, named in the message', { skip }, async () => {
  const { end } = await run('true', { cwd: '/missing' });
  assert.equal(end.reason, 'failed_to_start');
  assert.match(end.message, /missing/);
});

test('kill() ends every process, even orphans, new sessions and those that ignore signals', {
  skip,
}, async () => {
  const mark = `mark-kill-${process.pid}`;
  const script = `trap '' TERM INT HUP; setsid sh -c ': ${mark}; sleep 60' & (sleep 60 &) & echo ready; sleep 60; : ${mark}`;
  const box = await driver.start(order(script));
  await new Promise((resolve) => box.stdout.once('data', resolve));
  assert.ok(isRunning(mark));
  assert.equal(driver.counts().running, 1);
  box.kill();
  box.kill();
  assert.equal((await box.gone).reason, 'killed');
  assert.ok(!isRunning(mark));
  assert.equal(driver.counts().running, 0);
});

test('ends background processes when the program exits', { skip }, async () => {
  const mark = `mark-background-${process.pid}`;
  const { end } = await run(`setsid sh -c ': ${mark}; sleep 60' >/dev/null 2>&1 & sleep 0.1`);
  assert.equal(end.code, 0);
  assert.ok(!isRunning(mark));
});

test('aborting the signal kills the box, also before it starts', { skip }, async () => {
  const controller = new AbortController();
  const box = await driver.start(order('sleep 60', { signal: controller.signal }));
  controller.abort();
  assert.equal((await box.gone).reason, 'killed');
  const early = await driver.start(order('sleep 60', { signal: AbortSignal.abort() }));
  assert.equal((await early.gone).reason, 'killed');
});

test('cuts standard error at a limit, and does not wait for a reader', { skip }, async () => {
  const box = await driver.start(order('head -c 8000000 /dev/zero >&2; echo done'));
  assert.equal(await read(box.stdout), 'done\n');
  await box.gone;
  const kept = await read(box.stderr);
  assert.ok(kept.length > STDERR_BYTES && kept.length < STDERR_BYTES + 100, `${kept.length}`);
});

test('reports memory, processor time and processes used', { skip }, async () => {
  const script = 'node -e "const kept = Buffer.alloc(60e6, 1); while (process.cpuUsage().user < 900_000) kept.fill(2)"';
  const { usage, end } = await run(script);
  assert.equal(end.code, 0, end.message);
  assert.ok(usage !== null);
  assert.ok(usage.memory_bytes > 60e6 && usage.memory_bytes < SMALL_LIMITS.memory_bytes, `${usage.memory_bytes}`);
  assert.ok(usage.cpu_ms > 100 && usage.processes >= 3, JSON.stringify(usage));
});

test('a program with four worker threads of Node fits into a box with little memory', { skip }, async () => {
  const source = `const { Worker } = require("node:worker_threads");
    for (let left = 4; left > 0; left--) new Worker("process.exitCode = 0", { eval: true });`;
  const { end } = await run(`node -e '${source}'`);
  assert.equal(end.code, 0, end.message);
});

test('a box that ends before it is measured reports no usage instead of zeros', {
  skip,
}, async () => {
  const { usage, end } = await run('exit 3');
  assert.equal(end.code, 3, end.message);
  assert.ok(usage === null || usage.cpu_ms > 0 || usage.memory_bytes > 0, JSON.stringify(usage));
});

test('counts memory shared by several processes once', {
  skip: skip || (!existsSync('/usr/bin/python3') && 'needs python3'),
}, async () => {
  const program = `import os, time
kept = bytearray(b"x" * (60 << 20))
for _ in range(6):
    if os.fork() == 0:
        time.sleep(1.2)
        os._exit(0)
for _ in range(6): os.wait()
print("shared")`;
  const { stdout, end } = await run('', { argv: ['/usr/bin/python3', '-c', program] });
  assert.equal(stdout, 'shared\n', end.message);
});

test('a box that stays at its limit of processes is ended, and one that leaves it is not', {
  skip: skip || (!existsSync('/usr/bin/python3') && 'needs python3'),
}, async () => {
  const program = `import os, signal, sys, time
pids = []
try:
    while True:
        pid = os.fork()
        if pid == 0: time.sleep(60)
        pids.append(pid)
except OSError: pass
if sys.argv[1] == "leave":
    for pid in pids: os.kill(pid, signal.SIGKILL)
    for pid in pids: os.waitpid(pid, 0)
    time.sleep(2.5)
elif sys.argv[1] == "stay": time.sleep(60)
print("left")`;
  const bomb = 'import os\nwhile True:\n  try: os.fork()\n  except OSError: pass';
  const limits = { ...SMALL_LIMITS, processes: 30 };
  const tried = (what: string) => run('', { argv: ['/usr/bin/python3', '-c', program, what], limits });
  const [stays, leaves] = await Promise.all([tried('stay'), tried('leave')]);
  const many = { ...SMALL_LIMITS, processes: Math.max(30, 8 * availableParallelism()) };
  const bombed = await run('', { argv: ['/usr/bin/python3', '-c', bomb], limits: many });
  assert.deepEqual(
    [stays.end.reason, stays.end.message],
    ['processes', 'The box was at its limit of 30 processes for 2 s.'],
  );
  assert.equal(leaves.stdout, 'left\n', leaves.end.message);
  assert.equal(bombed.end.reason, 'processes');
  assert.match(bombed.end.message, /^The box kept \d+ processes busy at once, with a limit of \d+\.$/);
});

test('a program that has started, and one that starves others, go after the service for the processor', {
  skip,
}, async () => {
  const cores = availableParallelism();
  const nice = 'cut -d" " -f19 /proc/self/stat';
  const script = `${nice}; read -r _; ${nice}; (${nice})
    for n in $(seq ${2 * cores + 12}); do while :; do :; done & done
    while [ "$(cut -d" " -f19 /proc/$!/stat)" != 19 ]; do sleep 0.05; done; echo 19; kill 0`;
  const box = await driver.start(order(script, { limits: { ...SMALL_LIMITS, processes: 8 * cores + 40 } }));
  const lines = createInterface({ input: box.stdout })[Symbol.asyncIterator]();
  const next = async () => Number((await lines.next()).value);
  const before = await next();
  assert.equal(before, getPriority(), 'a start is as fast as without boxes');
  box.settled();
  box.stdin.write('\n');
  assert.deepEqual([await next(), await next()], [Math.max(before, 10), Math.max(before, 10)]);
  assert.equal(await next(), 19);
  await box.gone;
});

test('refuses a box with network access when no gate is available', { skip }, async () => {
  for (const egress of [
    { mode: 'none', watch: true },
    { mode: 'allow', hosts: [] },
  ] as const)
    await assert.rejects(driver.start(order('true', { egress })), (error: unknown) => {
      assert.ok(isProblem(error, 'runs.unavailable', 'box_unavailable'));
      return true;
    });
});

test('a gate lets a box reach granted hosts, records others, and blocks the host itself', {
  skip: skip || noBoxes,
}, async () => {
  const server = createServer((_, response) => response.end('granted'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.closeAllConnections());
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const closed = join(dir, 'closed-gate');
  mkdirSync(join(closed, 'package'), { recursive: true });
  chmodSync(closed, 0o700);
  const gated = await openBwrapDriver({
    openGate: (egress) => openEgressGate(egress, { resolve: toLoopback, guard: { allow_loopback: true } }),
  });
  after(() => gated.close());
  const source = `
    for (const url of ['http://api.example.test:${port}', 'http://other.test:${port}', 'http://127.0.0.1:${port}'])
      console.log(await fetch(url).then((answer) => answer.text(), (error) => error.cause.code));
`;
  for (const mounts of [[], [{ from: join(closed, 'package'), to: '/package', writable: false }]]) {
    const argv = ['node', '-e', `(async () => {${source}})()`];
    const box = await gated.start(order('', { argv, mounts, egress: allow('api.example.test', port, true) }));
    const [stdout, stderr] = await Promise.all([read(box.stdout), read(box.stderr), box.gone]);
    assert.equal(stdout, 'granted\nENOTFOUND\nECONNRESET\n', stderr);
    const uses = box.hosts().map(({ host, outcome }) => `${outcome} ${host}`);
    assert.deepEqual(uses.slice(0, 2), ['reached api.example.test', 'refused other.test']);
  }
  const box = await gated.start(order('ls /proc/self/fd | wc -l', { egress: { mode: 'none', watch: true } }));
  const bare = await run('ls /proc/self/fd | wc -l');
  assert.equal(await read(box.stdout), bare.stdout, `no descriptor of the gate is open in the box`);
});

test('the self-test passes, reports the number of blocked attacks, and runs once per process', { skip }, async () => {
  const result = await driver.selfTest();
  assert.ok(result.ok, JSON.stringify(result));
  assert.match(result.text, /^\d+ of \d+ attacks were blocked \(bwrap/);
  assert.ok(result.attacks.filter(({ verdict }) => verdict === 'refused').length >= 10);
  const other = await openBwrapDriver();
  assert.equal(await other.selfTest(), result);
  await other.close();
});

test('close() kills every box and refuses new ones', { skip }, async () => {
  const other = await openBwrapDriver();
  const boxes = await Promise.all([1, 2, 3].map(() => other.start(order('sleep 60'))));
  await other.close();
  for (const box of boxes) assert.equal((await box.gone).reason, 'killed');
  await assert.rejects(other.start(order('true')), /shutting down/);
});

for (const [title, folderMode] of [
  ['', 0o755],
  [', with a package in a folder closed to others', 0o700],
] as const)
  test(`a box ends when its server is killed${title}`, { skip }, async () => {
    const mark = `mark-server-${folderMode}-${process.pid}`;
    const folder = join(dir, mark);
    mkdirSync(join(folder, 'package'), { recursive: true });
    chmodSync(folder, folderMode);
    const mounts = [{ from: join(folder, 'package'), to: '/package', writable: false }];
    const box = order(`setsid sh -c ': ${mark}; sleep 60' & sleep 60; : ${mark}`, { mounts });
    const program = `
      import { openBwrapDriver } from ${JSON.stringify(new URL('./bwrap-driver.ts', import.meta.url))};
      const driver = await openBwrapDriver();
      await driver.start(${JSON.stringify(box)});
      console.log('started');`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => server.stdout.once('data', resolve));
    await until('the program', () => isRunning(`: ${mark}; sleep`));
    server.kill('SIGKILL');
    await until('its end', () => !isRunning(mark));
  });

test('refuses to open the driver in a worker thread', async () => {
  const program = `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(new URL('./bwrap-driver.ts', import.meta.url).href)})
      .then(({ openBwrapDriver }) => openBwrapDriver())
      .then(() => parentPort.postMessage('opened'), (error) => parentPort.postMessage(error.message));`;
  const worker = new Worker(program, { eval: true });
  const said = await new Promise((resolve) => worker.once('message', resolve));
  await worker.terminate();
  assert.equal(said, 'Boxes are started from the first thread only.');
});
