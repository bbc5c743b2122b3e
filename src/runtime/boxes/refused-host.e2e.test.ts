import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Box } from './box.ts';
import { openBwrapDriver, SMALL_LIMITS } from './bwrap-driver.ts';

/** Simulates hosts that cannot start boxes: inside a container's filter, and without user namespaces. */

const driver = await openBwrapDriver();
after(() => driver.close());
const skip = driver.isolation === null ? (await driver.selfTest()).text : false;

const SOURCE = realpathSync(fileURLToPath(new URL('../..', import.meta.url)));
const PACKAGE = fileURLToPath(new URL('../../../package.json', import.meta.url));

const asks = (source: string) => `
  import { openBwrapDriver } from '${source}/runtime/boxes/bwrap-driver.ts';
  const driver = await openBwrapDriver();
  const { ok, text, fix } = await driver.selfTest();
  const { code, reason } = await driver.start({ argv: ['true'], env: {}, cwd: '/tmp', mounts: [], disk: null,
    limits: ${JSON.stringify(SMALL_LIMITS)}, egress: { mode: 'none', watch: false } }).catch((error) => error);
  console.log(JSON.stringify({ isolation: driver.isolation, ok, text, fix, code, reason }));`;

test('names the seccomp filter and a fix when a container refuses user namespaces', { skip }, async () => {
  const box = await driver.start({
    argv: ['node', '--no-warnings', '--input-type=module', '-e', asks('/app/src')],
    env: {},
    cwd: '/tmp',
    mounts: [
      { from: SOURCE, to: '/app/src', writable: false },
      { from: realpathSync(PACKAGE), to: '/app/package.json', writable: false },
    ],
    disk: null,
    limits: { ...SMALL_LIMITS, memory_bytes: 512 * 1_048_576 },
    egress: { mode: 'none', watch: false },
  });
  const [stdout, stderr] = await Promise.all([read(box.stdout), read(box.stderr)]);
  const answer = parsed(stdout, stderr);
  assert.deepEqual(
    [answer.isolation, answer.ok, answer.code, answer.reason],
    [null, false, 'runs.unavailable', 'box_unavailable'],
  );
  assert.match(answer.text, /seccomp filter/);
  assert.match(answer.fix, /--security-opt/);
});

const UNSHARE = '/usr/bin/unshare';

test('names the kernel setting when user namespaces are disabled', {
  skip: skip || (!existsSync(UNSHARE) && 'needs unshare (util-linux)'),
}, async () => {
  const script = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"';
  const args = ['--user', '--map-root-user', '/bin/sh', '-c', script, 'sh', process.execPath];
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const node = [...args, '--no-warnings', '--input-type=module', '-e', asks(SOURCE)];
    execFile(UNSHARE, node, (_, out, err) => resolve({ stdout: out, stderr: err }));
  });
  const answer = parsed(stdout, stderr);
  assert.deepEqual([answer.isolation, answer.code, answer.reason], [null, 'runs.unavailable', 'box_unavailable']);
  assert.match(answer.text, /user\.max_user_namespaces is 0/);
});

interface Answer {
  isolation: string | null;
  ok: boolean;
  text: string;
  fix: string;
  code: string;
  reason?: string;
}

function parsed(stdout: string, stderr: string): Answer {
  assert.ok(stdout.startsWith('{'), stderr);
  return JSON.parse(stdout);
}

async function read(stream: Box['stdout']): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
