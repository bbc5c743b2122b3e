import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openBwrapDriver, SMALL_LIMITS } from './bwrap-driver.ts';
import { openGroups } from './cgroup.ts';

const made: string[] = [];
after(() => {
  for (const dir of made) rmSync(dir, { recursive: true });
});

/** A plain folder with the files of a delegated group, without the kernel's behavior. */
function folder(changed: Record<string, string> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-cgroup-'));
  made.push(dir);
  const files = {
    'cgroup.controllers': 'cpuset cpu io memory pids\n',
    'cgroup.subtree_control': '\n',
    'cgroup.procs': `${process.pid}\n`,
    ...changed,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

const text = (...path: string[]): string => readFileSync(join(...path), 'utf8');

test('moves the service into a child group, so that boxes can get groups with limits', () => {
  const dir = folder();
  assert.ok(openGroups(dir).groups !== null);
  assert.equal(text(dir, 'capstan-server', 'cgroup.procs'), `${process.pid}`);
  assert.equal(text(dir, 'cgroup.subtree_control'), '+memory +pids +cpu');
});

test('a restarted service in the child group uses the parent, and removes leftover groups', () => {
  const dir = folder({ 'cgroup.subtree_control': 'memory pids cpu\n', 'cgroup.procs': '' });
  mkdirSync(join(dir, 'capstan-server'));
  const [left, used] = [`capstan-box-${2 ** 22 + 1}-a`, `capstan-box-${process.pid}-b`];
  for (const name of [left, used]) mkdirSync(join(dir, name));
  assert.ok(openGroups(join(dir, 'capstan-server')).groups !== null);
  assert.equal(text(dir, 'cgroup.subtree_control'), 'memory pids cpu\n');
  assert.ok(!existsSync(join(dir, left)), 'an empty group of a killed service is taken away');
  assert.ok(existsSync(join(dir, used)), 'that of a running one stays');
});

for (const [title, changed, reason] of [
  ['other programs are in the group', { 'cgroup.procs': '1\n999999\n' }, /other processes/],
  ['memory is not delegated', { 'cgroup.controllers': 'cpu pids\n' }, /memory/],
  ['there are no controllers', { 'cgroup.controllers': 'hugetlb\n' }, /memory, pids/],
] as const)
  test(`changes nothing and gives the reason when ${title}`, () => {
    const dir = folder(changed);
    const found = openGroups(dir);
    assert.equal(found.groups, null);
    assert.match(found.reason, reason);
    assert.ok(!existsSync(join(dir, 'capstan-server')));
    assert.equal(text(dir, 'cgroup.subtree_control'), '\n');
  });

test('gives the reason when cgroup v2 is not mounted or not delegated', () => {
  assert.match(openGroups(null).reason, /not mounted/);
  assert.match(openGroups(join(tmpdir(), 'capstan-missing')).reason, /not delegated/);
});

test('writes a box’s limits to its group, and reads usage and out-of-memory events from it', async () => {
  const dir = folder();
  const group = openGroups(dir).groups?.create('one', SMALL_LIMITS);
  const box = join(dir, `capstan-box-${process.pid}-one`);
  assert.equal(text(box, 'memory.max'), `${SMALL_LIMITS.memory_bytes}`);
  assert.equal(text(box, 'memory.swap.max'), '0');
  assert.equal(text(box, 'memory.oom.group'), '1');
  assert.ok(Number(text(box, 'pids.max')) >= SMALL_LIMITS.processes);
  group?.add(4_242);
  assert.equal(text(box, 'cgroup.procs'), '4242');
  writeFileSync(join(box, 'memory.current'), '1000\n');
  writeFileSync(join(box, 'cpu.stat'), 'usage_usec 2500\nuser_usec 2000\n');
  assert.deepEqual(group?.usage(), { memory_bytes: 1000, cpu_ms: 2.5 });
  assert.equal(group?.ranOutOfMemory(), false);
  writeFileSync(join(box, 'memory.events'), 'oom 1\noom_kill 1\noom_group_kill 1\n');
  assert.equal(group?.ranOutOfMemory(), true);
  group?.kill();
  assert.equal(text(box, 'cgroup.kill'), '1');
  rmSync(box, { recursive: true });
  await group?.remove();
});

const driver = await openBwrapDriver();
after(() => driver.close());

test('a real cgroup ends a box that exceeds its memory limit', {
  skip: driver.isolation !== 'bwrap+seccomp+cgroup' && 'no cgroup is delegated to this process',
}, async () => {
  const memory_bytes = 64 * 1_048_576;
  const box = await driver.start({
    argv: ['node', '-e', 'const kept = []; for (;;) kept.push(Buffer.alloc(4e6, 1))'],
    env: {},
    cwd: '/tmp',
    mounts: [],
    disk: null,
    limits: { ...SMALL_LIMITS, memory_bytes },
    egress: { mode: 'none', watch: false },
  });
  assert.equal((await box.gone).reason, 'out_of_memory');
});
