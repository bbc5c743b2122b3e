import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BoxOrder } from './box.ts';
import { stage } from './box-user.ts';
import { boxCommand, encodeArgs } from './command-line.ts';
import type { BoxHost } from './host.ts';
import { launcherScript } from './launcher.ts';

const SECRET = 'sk-secret-0123456789';

const host: BoxHost = {
  bwrap: '/usr/bin/bwrap',
  shared: ['/usr', '/etc/ssl/certs'],
  links: [{ path: '/bin', target: 'usr/bin' }],
  node: '/opt/service/node',
  masked: ['/proc/keys'],
};

const order: BoxOrder = {
  argv: ['node', 'server.js', '--port', '1'],
  env: { API_KEY: SECRET, PATH: '/package/bin:/usr/bin' },
  cwd: '/package',
  mounts: [{ from: '/data/packages/a', to: '/package', writable: false }],
  disk: null,
  limits: {
    memory_bytes: 64 * 1_048_576,
    processes: 30,
    open_files: 128,
    file_bytes: 1_048_576,
    cpu_ms: 1_500,
    tmp_bytes: 2_000,
    shm_bytes: 3_000,
    wall_ms: null,
  },
  egress: { mode: 'none', watch: false },
};

function command({ seccomp = true, gated = false } = {}) {
  const gate_mounts = gated ? [{ from: '/service/resolv.conf', to: '/etc/resolv.conf', writable: false }] : [];
  return boxCommand({ host, order, gate_mounts, gated, seccomp });
}

const has = (args: readonly string[], ...part: string[]) =>
  args.some((_, index) => part.every((text, offset) => args[index + offset] === text));

test('passes the environment to bubblewrap on a file descriptor, not on the command line', () => {
  const { argv, args } = command();
  assert.ok(!argv.join('\0').includes(SECRET));
  assert.ok(has(args, '--setenv', 'API_KEY', SECRET));
  assert.ok(args.indexOf('--clearenv') < args.indexOf('--setenv'));
  assert.deepEqual(argv.slice(0, 4), ['/usr/bin/bwrap', '--args', '3', '--']);
  assert.equal(encodeArgs(['a', 'b c']).toString(), 'a\0b c\0');
});

test('a variable of the order replaces the default of the same name', () => {
  const { args } = command();
  assert.ok(has(args, '--setenv', 'PATH', '/package/bin:/usr/bin'));
  assert.equal(args.filter((arg) => arg === 'PATH').length, 1);
});

test('unshares every namespace, drops all capabilities, and ends the box with the service', () => {
  const { args } = command();
  for (const name of ['user', 'pid', 'ipc', 'uts', 'cgroup', 'net']) assert.ok(args.includes(`--unshare-${name}`));
  for (const flag of ['--die-with-parent', '--new-session', '--clearenv']) assert.ok(args.includes(flag));
  assert.ok(has(args, '--cap-drop', 'ALL') && !args.includes('--cap-add') && !args.includes('--share-net'));
  assert.ok(has(args, '--seccomp', '4') && !args.includes('--disable-userns'));
});

test('without a seccomp filter, bubblewrap disables new user namespaces', () => {
  const { args } = command({ seccomp: false });
  assert.ok(args.includes('--disable-userns') && !args.includes('--seccomp'));
});

test('limits the size of tmpfs mounts, and remounts the root read-only as the last mount', () => {
  const { args } = command();
  assert.ok(has(args, '--size', '2000', '--tmpfs', '/tmp') && has(args, '--size', '3000', '--tmpfs', '/dev/shm'));
  const root = args.lastIndexOf('--remount-ro');
  assert.equal(args[root + 1], '/');
  assert.ok(has(args, '--remount-ro', '/dev'));
  assert.ok(!args.slice(root + 2).some((arg) => /bind|tmpfs|file|dir$/.test(arg) && arg !== '--chdir'));
});

test('mounts the host read-only, and only the listed paths', () => {
  const { args } = command();
  assert.ok(!args.includes('--bind') && !args.includes('--dev-bind'));
  const shown = args.flatMap((arg, index) => (arg === '--ro-bind' ? [args[index + 1]] : []));
  assert.deepEqual(shown, ['/usr', '/etc/ssl/certs', '/opt/service/node', '/dev/null', '/data/packages/a']);
  assert.ok(has(args, '--ro-bind', '/dev/null', '/proc/keys'));
});

test('with a gate, the box keeps the gate’s network namespace and mounts, and nothing else changes', () => {
  const { args } = command({ gated: true });
  assert.ok(!args.includes('--unshare-net') && has(args, '--ro-bind', '/service/resolv.conf', '/etc/resolv.conf'));
  const more = new Set(['--unshare-net', '/service/resolv.conf', '/etc/resolv.conf', '--ro-bind', '--file']);
  const rest = (list: readonly string[]) => list.filter((arg) => !more.has(arg) && !/^\d+$/.test(arg));
  assert.deepEqual(rest(args), rest(command().args));
});

test('the launcher sets the limits with ulimit inside the box', () => {
  const script = launcherScript(order.limits);
  for (const line of ['ulimit -u 32 || ulimit -p 32', 'ulimit -n 128', 'ulimit -f 2048', 'ulimit -c 0', 'ulimit -St 3'])
    assert.ok(script.includes(line), line);
  assert.ok(!launcherScript({ ...order.limits, cpu_ms: null }).includes('ulimit -St'));
});

test('as root, mounts closed folders elsewhere and switches to another user; otherwise does neither', () => {
  const open = { ...host, node: process.execPath };
  const mounts = [
    { from: '/closed/package', to: '/package', writable: false },
    { from: '/usr', to: '/open', writable: false },
  ];
  const staged = stage({ uid: 65_534, gid: 65_534 }, open, mounts);
  const place = staged.mounts[0]?.from.replace(/\/\d+$/, '') ?? '';
  assert.ok(has(staged.prefix, place) && staged.prefix.includes('/closed/package'));
  assert.ok(has(staged.prefix, '--reuid', '65534') && staged.prefix.includes('--bounding-set=-all'));
  assert.ok(staged.mounts[1]?.from === '/usr' && !staged.prefix.includes('/usr'));
  assert.deepEqual(stage(null, open, mounts), { prefix: [], host: open, mounts });
});
