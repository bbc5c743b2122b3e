import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openNamespaces } from '#runtime/egress/namespaces.ts';
import { openEgressGate } from '#runtime/egress/open-gate.ts';
import { noBoxes, tlsServer, toLoopback } from '#test/egress-fixture.ts';
import { ATTACKS } from './attacks.ts';
import type { Box, BoxOrder } from './box.ts';
import { SMALL_LIMITS } from './bwrap-driver.ts';
import { type ContainerEngine, hasEngine, openContainerDriver } from './container-driver.ts';
import { hostNode, ROOT_FILES, ROOT_FOLDERS } from './image-root.ts';
import { isOwnKernel } from './read-kernel.ts';

/** Boxes of podman and Docker with runc and with gVisor, where the engine is installed and can start containers. */

const server = await tlsServer();
after(() => server.close());

for (const [engine, ociRuntime, isolation] of [
  ['podman', 'runc', 'container'],
  ['podman', 'runsc', 'gvisor'],
  ['docker', 'runc', 'container'],
] as const) {
  const driver = hasEngine(engine) && hasEngine(ociRuntime) ? await open(engine, ociRuntime) : null;
  after(() => driver?.close());
  const skip =
    driver === null
      ? `${engine} or ${ociRuntime} is not installed`
      : driver.isolation === null && (await driver.selfTest()).text;
  const start = (order: BoxOrder): Promise<Box> => driver?.start(order) ?? assert.fail();

  test(`${engine} with ${ociRuntime}: passes input, variables and folder to a program, and reports its exit code`, {
    skip,
  }, async () => {
    const env = { API_KEY: 'two\nlines $HOME "quoted"' };
    const box = await start(orderOf(['sh', '-c', 'cat; printf "%s" "$API_KEY"; pwd; echo why >&2; exit 3'], { env }));
    const { stdout, stderr, end } = await said(box, 'in ');
    assert.deepEqual([stdout, stderr], [`in ${env.API_KEY}/tmp\n`, 'why\n']);
    assert.deepEqual([end.reason, end.code], ['exited', 3]);
    assert.equal(driver?.counts().running, 0);
  });

  test(`${engine} with ${ociRuntime}: runs this host's Node in a box whose root is an image without one`, {
    skip,
  }, async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-root-')));
    try {
      chmodSync(root, 0o755);
      for (const folder of ROOT_FOLDERS) mkdirSync(join(root, folder));
      for (const file of ROOT_FILES) writeFileSync(join(root, file), '');
      const source = `console.log(fs.readdirSync('/').includes('usr'), fs.readFileSync('/etc/hostname', 'utf8').trim())`;
      const box = await start(orderOf([...hostNode(), '--eval', source], { root }));
      const { stdout, stderr } = await said(box);
      assert.equal(stdout, 'false box\n', stderr);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  test(`${engine} with ${ociRuntime}: blocks the attacks of the self-test, and reports the isolation`, {
    skip,
  }, async () => {
    const { ok, text, attacks } = (await driver?.selfTest()) ?? assert.fail();
    assert.ok(ok, text);
    assert.equal(driver?.isolation, isolation);
    const refused = attacks.filter(({ verdict }) => verdict === 'refused');
    assert.equal(refused.length, ATTACKS.filter(({ self_test }) => self_test).length, text);
  });

  test(`${engine} with ${ociRuntime}: ends a canceled box, and one that exceeds its time limit`, { skip }, async () => {
    const cancel = new AbortController();
    const box = await start(orderOf(['sleep', '600'], { signal: cancel.signal }));
    cancel.abort();
    assert.equal((await box.gone).reason, 'killed');
    const limits = Object.assign({}, SMALL_LIMITS, { wall_ms: 3_000 });
    const late = await start(orderOf(['sleep', '600'], { limits }));
    assert.equal((await late.gone).reason, 'wall');
  });

  test(`${engine} with ${ociRuntime}: a program listens below port 1,024, with a gate and without`, {
    skip: skip || noBoxes,
  }, async () => {
    const source = "require('node:net').createServer().listen(80, () => process.exit(console.log('listens')))";
    for (const watch of [true, false]) {
      const box = await start(orderOf(['node', '-e', source], { egress: { mode: 'none', watch, listens: 80 } }));
      const { stdout, stderr } = await said(box);
      assert.equal(stdout, 'listens\n', stderr);
    }
  });

  test(`${engine} with ${ociRuntime}: reaches a granted host and refuses another one`, {
    skip: skip || noBoxes || (engine === 'docker' && 'Docker cannot join the network of a gate'),
  }, async () => {
    const source = `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      for (const host of ['api.example.test', 'other.test'])
        console.log(await fetch('https://' + host + ':${server.port}/x').then((r) => r.text(), (e) => e.cause?.code));`;
    const egress = {
      mode: 'allow',
      hosts: [{ host: 'api.example.test', ports: [server.port], plain: false }],
    } as const;
    const argv = ['node', '--input-type=module', '--eval', source];
    const box = await start(orderOf(argv, { egress }));
    const { stdout, stderr } = await said(box);
    assert.equal(stdout, 'hello api.example.test/x\nENOTFOUND\n', stderr);
    const hosts = box.hosts().map(({ host, outcome }) => `${outcome} ${host}`);
    assert.deepEqual(hosts.sort(), ['reached api.example.test', 'refused other.test']);
  });
}

test('reports gVisor only if the box’s kernel differs from the host’s and its log names gVisor', () => {
  const host = '6.1.0-18-amd64 #1 SMP Debian';
  assert.equal(isOwnKernel('4.4.0 #1 SMP Sun Jan 10\n[    0.000000] Starting gVisor...\n', host), true);
  assert.equal(isOwnKernel(`${host}\n`, host), false);
  assert.equal(isOwnKernel(`${host}\n[    0.000000] Starting gVisor...\n`, host), false);
  assert.equal(isOwnKernel('4.4.0 #1 SMP Sun Jan 10\n', host), false);
});

async function open(engine: ContainerEngine, oci_runtime: string) {
  const namespaces = openNamespaces();
  after(() => namespaces.close());
  const guard = { allow_loopback: true };
  return openContainerDriver({
    engine,
    oci_runtime,
    socket: engine === 'docker' ? (process.env.DOCKER_HOST?.replace('unix://', '') ?? null) : null,
    openGate: (egress) => openEgressGate(egress, { namespaces, resolve: toLoopback, guard }),
  });
}

function orderOf(argv: string[], more: Partial<BoxOrder> = {}): BoxOrder {
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

async function said(box: Box, input = '') {
  const texts = { stdout: '', stderr: '' };
  box.stdout.on('data', (chunk) => (texts.stdout += chunk));
  box.stderr.on('data', (chunk) => (texts.stderr += chunk));
  box.stdin.end(input);
  const end = await box.gone;
  return { end, ...texts };
}
