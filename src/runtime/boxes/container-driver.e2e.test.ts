import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ATTACKS } from './attacks.ts';
import type { BoxOrder } from './box.ts';
import { SMALL_LIMITS } from './bwrap-driver.ts';
import { hasEngine, openContainerDriver } from './container-driver.ts';

/** Boxes of podman, where it is installed and can start containers. */

const driver = hasEngine('podman') ? await openContainerDriver({ engine: 'podman', oci_runtime: 'runc' }) : null;
after(() => driver?.close());
const works =
  driver !== null && driver.isolation !== null && (await said(await driver.start(order(['true'])))).end.code === 0;
const skip = !works && 'podman with runc cannot start containers here';

function order(argv: string[], more: Partial<BoxOrder> = {}): BoxOrder {
  return {
    argv,
    env: {},
    cwd: '/tmp',
    mounts: [],
    disk: null,
    limits: Object.assign({}, SMALL_LIMITS, { memory_bytes: 512 * 1_048_576, wall_ms: 60_000 }),
    egress: { mode: 'none', watch: false },
    ...more,
  };
}

async function said(box: Awaited<ReturnType<NonNullable<typeof driver>['start']>>, input = '') {
  const texts = { stdout: '', stderr: '' };
  box.stdout.on('data', (chunk) => (texts.stdout += chunk));
  box.stderr.on('data', (chunk) => (texts.stderr += chunk));
  box.stdin.end(input);
  const end = await box.gone;
  return { end, ...texts };
}

test('a program gets its input, variables and folder, and its exit code is told', { skip }, async () => {
  const env = { API_KEY: 'two\nlines $HOME "quoted"' };
  const box = await driver?.start(
    order(['sh', '-c', 'cat; printf "%s" "$API_KEY"; pwd; echo why >&2; exit 3'], { env }),
  );
  assert.ok(box !== undefined);
  const { stdout, stderr, end } = await said(box, 'in ');
  assert.deepEqual([stdout, stderr], [`in ${env.API_KEY}/tmp\n`, 'why\n']);
  assert.deepEqual([end.reason, end.code], ['exited', 3]);
  assert.equal(driver?.counts().running, 0);
});

test('the attacks of the self-test are refused', { skip }, async () => {
  const { ok, text, attacks } = (await driver?.selfTest()) ?? assert.fail();
  assert.ok(ok, text);
  assert.equal(attacks.length, ATTACKS.filter(({ self_test }) => self_test).length);
});

test('a cancelled box and one over its time are ended', { skip }, async () => {
  const cancel = new AbortController();
  const box = await driver?.start(order(['sleep', '600'], { signal: cancel.signal }));
  cancel.abort();
  assert.equal((await box?.gone)?.reason, 'killed');
  const limits = Object.assign({}, SMALL_LIMITS, { wall_ms: 3_000 });
  const late = await driver?.start(order(['sleep', '600'], { limits }));
  assert.equal((await late?.gone)?.reason, 'wall');
});
