import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countGuests, groupOf } from './container-use.ts';

test('finds the cgroup folders of a process with cgroup v1, v2 and both', () => {
  const v1 = [
    '30 29 0:26 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory',
    '31 29 0:27 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct',
    '32 29 0:28 / /sys/fs/cgroup/pids rw shared:9 - cgroup cgroup rw,pids',
  ].join('\n');
  const v2 = '29 28 0:25 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw';
  const groups = '8:pids:/box/1\n4:memory:/box/1\n2:cpu,cpuacct:/box/1\n0::/';
  assert.deepEqual(groupOf(groups, `${v2}\n${v1}`), {
    memory: '/sys/fs/cgroup/memory/box/1',
    cpu: '/sys/fs/cgroup/cpu,cpuacct/box/1',
    processes: '/sys/fs/cgroup/pids/box/1',
    unified: false,
  });
  const dir = '/sys/fs/cgroup/box/2';
  assert.deepEqual(groupOf('0::/box/2', v2), { memory: dir, cpu: dir, processes: dir, unified: true });
  assert.equal(groupOf('0::/box/2', v1), null);
});

test('returns null for the root cgroup, which the kernel reports for a process that has exited', () => {
  const v1 = ['memory', 'cpuacct', 'pids'].map(
    (name, index) => `${30 + index} 29 0:26 / /sys/fs/cgroup/${name} rw shared:9 - cgroup cgroup rw,${name}`,
  );
  const v2 = '29 28 0:25 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw';
  assert.equal(groupOf('8:pids:/\n4:memory:/\n2:cpuacct:/\n0::/', [v2, ...v1].join('\n')), null);
  assert.equal(groupOf('0::/', v2), null);
});

test('counts only the programs in a gVisor box, not the processes of gVisor', () => {
  // The file server 10, the sandbox 11, the process it starts, and two programs.
  const parents = new Map([
    [10, 1],
    [11, 1],
    [12, 11],
    [13, 12],
    [14, 12],
  ]);
  assert.equal(
    countGuests([...parents.keys()], 11, (pid) => parents.get(pid)),
    2,
  );
});
