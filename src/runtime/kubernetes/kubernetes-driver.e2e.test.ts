import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { openStdioSession } from '#core/mcp/stdio-session.ts';
import type { Box, BoxOrder } from '#runtime/boxes/box.ts';
import { openBwrapDriver, SMALL_LIMITS } from '#runtime/boxes/bwrap-driver.ts';
import { ROOT_FILES, ROOT_FOLDERS } from '#runtime/boxes/image-root.ts';
import { openEgressGate } from '#runtime/egress/open-gate.ts';
import { openProxyGate } from '#runtime/egress/proxy-gate.ts';
import { startPackagedServer } from '#runtime/packaged/start-server.ts';
import type { Prepared } from '#runtime/packages/package.ts';
import { tlsServer, toLoopback } from '#test/egress-fixture.ts';
import { openFakeKubernetes } from '#test/fakes/kubernetes-api.ts';
import { boxOrder, EMPTY_IMAGE } from '#test/fakes/pod-node.ts';
import { WEB_CONFIG, WEB_PORT, webImage } from '#test/packages/web-image.ts';
import { until } from '#test/until.ts';
import { KubernetesError, openKubernetesApi } from './api.ts';
import { type KubernetesOptions, openKubernetesDriver } from './kubernetes-driver.ts';

/** Boxes as Pods, with a fake API server on loopback that runs Pods in bubblewrap. */

const guard = { allow_loopback: true };
const boxes = await openBwrapDriver({
  openGate: (egress) => openEgressGate(egress, { resolve: toLoopback, guard }),
});
const skip = boxes.isolation === null && (await boxes.selfTest()).text;
const volume_dir = mkdtempSync(join(tmpdir(), 'capstan-volume-'));
const gate = await openProxyGate('127.0.0.1', 0, { resolve: toLoopback, guard });
const kubernetes = await openFakeKubernetes({
  boxes,
  claims: { data: volume_dir },
  missing_images: ['registry.test/missing:1'],
  gate_host: { host: 'gate.test', port: () => gate.port },
});
const open = (more: Partial<KubernetesOptions> = {}) =>
  openKubernetesDriver({
    api: openKubernetesApi({ url: kubernetes.url, account_dir: null }),
    namespace: kubernetes.namespace,
    image: 'registry.test/capstan:1',
    empty_image: EMPTY_IMAGE,
    claim: 'data',
    volume_dir,
    runtime_class: null,
    service: 'capstan-0',
    owner: { name: 'capstan-0', uid: '11111111-2222-3333-4444-555555555555' },
    address: null,
    gate,
    gate_host: 'gate.test',
    ...more,
  });
const driver = skip === false ? await open() : null;
after(async () => {
  await driver?.close();
  await kubernetes.close();
  await boxes.close();
  rmSync(volume_dir, { recursive: true, force: true });
});
const start = (order: BoxOrder): Promise<Box> => driver?.start(order) ?? assert.fail();
const pods = () => kubernetes.pods().length;

test('passes input, arguments, variables and folder to a program in a Pod, and returns its exit code', {
  skip,
}, async () => {
  const env = { API_KEY: 'two\nlines $HOME "quoted" \\0101 %s é\n', EMPTY: '' };
  const script =
    'cat; printf "%s|%s|%s|" "$1" "$API_KEY" "$EMPTY"; pwd; env | sed -n "s/^\\([A-Z_]*\\)=.*/\\1/p" | sort | tr "\\n" " "; echo why >&2; exit 3';
  const argument = "it's\n'*' \\n";
  const box = await start(orderOf(['sh', '-c', script, 'sh', argument], { env }));
  const { stdout, stderr, end } = await said(box, 'in ');
  assert.equal(stdout.split('/tmp\n').at(-1), 'API_KEY EMPTY HOME LANG PATH PWD TMPDIR USER ');
  assert.equal(stdout.split('|').slice(0, 3).join('|'), `in ${argument}|${env.API_KEY}|`);
  assert.equal(stderr, 'why\n');
  assert.deepEqual([end.reason, end.code], ['exited', 3]);
  assert.deepEqual([driver?.counts().running, pods()], [0, 0]);
});

test('puts no arguments or variables into the Pod spec or request URLs', { skip }, async () => {
  const order = orderOf(['sh', '-c', 'echo done', 'secret-argument'], { env: { API_KEY: 'secret-variable' } });
  assert.equal((await said(await start(order))).stdout, 'done\n');
  const seen = JSON.stringify([kubernetes.created, kubernetes.requests]);
  assert.ok(!seen.includes('secret-argument') && !seen.includes('secret-variable'));
});

test('creates Pods with an owner, labels for NetworkPolicies, a deadline and no API token', { skip }, async () => {
  await said(await start(orderOf(['true'])));
  const { metadata, spec } = kubernetes.created.at(-1) ?? assert.fail();
  assert.deepEqual(metadata.ownerReferences, [
    { apiVersion: 'v1', kind: 'Pod', name: 'capstan-0', uid: '11111111-2222-3333-4444-555555555555' },
  ]);
  assert.equal(metadata.labels['capstan.dev/egress'], 'none');
  assert.equal(metadata.labels['app.kubernetes.io/managed-by'], 'capstan');
  assert.deepEqual([spec.activeDeadlineSeconds, spec.automountServiceAccountToken], [120, false]);
  assert.deepEqual(spec.dnsConfig, { nameservers: ['127.0.0.1'] });
});

test('blocks the attacks of the self-test, and reports the isolation "kubernetes"', { skip }, async () => {
  const { ok, text } = (await driver?.selfTest()) ?? assert.fail();
  assert.ok(ok, text);
  assert.equal(driver?.isolation, 'kubernetes');
  await until('every Pod is gone', () => pods() === 0);
});

test('mounts folders of the volume, and copies other folders to the volume', { skip }, async () => {
  const dir = join(volume_dir, 'work');
  mkdirSync(dir, { mode: 0o755 });
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  chmodSync(outside, 0o755);
  writeFileSync(join(outside, 'tool'), 'tool of the service', { mode: 0o644 });
  const order = orderOf(['sh', '-c', 'cat /tools/tool; echo made >/disk/file; touch /tools/x 2>/dev/null || echo no'], {
    mounts: [
      { from: dir, to: '/disk', writable: true },
      { from: outside, to: '/tools', writable: false },
    ],
    disk: { dir, bytes: 1_048_576 },
  });
  const { stdout, stderr } = await said(await start(order));
  assert.equal(stdout, 'tool of the serviceno\n', stderr);
  assert.equal(readFileSync(join(dir, 'file'), 'utf8'), 'made\n');
  rmSync(outside, { recursive: true });
});

test('delivers 8 MB of output completely to a slow reader', { skip }, async () => {
  const box = await start(orderOf(['sh', '-c', 'head -c 8388608 /dev/zero; cat']));
  let bytes = 0;
  box.stdin.write(Buffer.alloc(200_000, 1));
  box.stdin.end();
  for await (const chunk of box.stdout) {
    bytes += chunk.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(bytes, 8_388_608 + 200_000);
  assert.equal((await box.gone).code, 0);
});

test('ends a Pod that is canceled, over its time or over its memory, with the reason for each', {
  skip,
}, async () => {
  const cancel = new AbortController();
  const box = await start(orderOf(['sleep', '600'], { signal: cancel.signal }));
  cancel.abort();
  assert.equal((await box.gone).reason, 'killed');
  const late = await start(orderOf(['sleep', '600'], { limits: Object.assign({}, SMALL_LIMITS, { wall_ms: 3_000 }) }));
  assert.equal((await late.gone).reason, 'wall');
  // What it has is kept until it is seen: on a busy machine an allocation may fail first.
  const hungry = await start(
    orderOf(['node', '-e', 'const kept = []; for (;;) try { kept.push(Buffer.alloc(4194304, 1)); } catch {}'], {
      limits: Object.assign({}, SMALL_LIMITS, { memory_bytes: 128 * 1_048_576, wall_ms: 60_000 }),
    }),
  );
  assert.equal((await hungry.gone).reason, 'out_of_memory');
  assert.equal(pods(), 0);
});

test('reaches granted hosts through the gate, refuses others, and lists both', { skip }, async () => {
  const server = await tlsServer();
  const source = `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    for (const host of ['api.example.test', 'other.test'])
      console.log(await fetch('https://' + host + ':${server.port}/x').then((r) => r.text(), () => 'refused'));`;
  const hosts = [{ host: 'api.example.test', ports: [server.port], plain: false }];
  const box = await start(
    orderOf(['node', '--input-type=module', '--eval', source], { egress: { mode: 'allow', hosts } }),
  );
  const { stdout, stderr } = await said(box);
  assert.equal(stdout, 'hello api.example.test/x\nrefused\n', stderr);
  assert.deepEqual(
    box
      .hosts()
      .map(({ host, outcome }) => `${outcome} ${host}`)
      .sort(),
    ['reached api.example.test', 'refused other.test'],
  );
  assert.equal(kubernetes.created.at(-1)?.metadata.labels['capstan.dev/egress'], 'gate');
  await server.close();
});

test('resumes an interrupted watch, and ends the box when its connection is lost', { skip }, async () => {
  kubernetes.dropWatches();
  const { stdout } = await said(await start(orderOf(['echo', 'still here'])));
  assert.equal(stdout, 'still here\n');
  const box = await start(orderOf(['cat']));
  kubernetes.dropExecs();
  const { reason, message } = await box.gone;
  assert.deepEqual([reason, message], ['killed', 'The box was killed from outside the service.']);
  assert.equal(pods(), 0);
});

test('a program listens below port 1,024, with the sysctl of its Pod', { skip }, async () => {
  const source = "require('node:net').createServer().listen(80, () => process.exit(console.log('listens')))";
  const listens = (port?: number) =>
    start(orderOf(['node', '-e', source], { egress: { mode: 'none', watch: false, listens: port } }));
  assert.equal((await said(await listens(80))).stdout, 'listens\n');
  assert.match((await said(await listens())).stderr, /EACCES/);
});

const layer = webImage();
test('a container image is an empty Pod with its files; a server in it that listens at a port is called', {
  skip: skip || (layer === null && 'Perl is not installed'),
}, async () => {
  const root = join(volume_dir, 'packages/web');
  for (const folder of ROOT_FOLDERS) mkdirSync(join(root, folder), { recursive: true, mode: 0o755 });
  for (const file of ROOT_FILES) writeFileSync(join(root, file), '');
  for (const { path, text = '', mode = 0o644 } of layer ?? []) {
    mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o755 });
    writeFileSync(join(root, path), text, { mode });
  }
  const endpoint = { transport: 'streamable-http', port: WEB_PORT, path: '/mcp', headers: {} } as const;
  const argv = [...WEB_CONFIG.Entrypoint, ...WEB_CONFIG.Cmd];
  const prepared = { entry: { argv, env: {}, cwd: '/' }, mounts: [], root } as unknown as Prepared;
  const { limits, egress } = orderOf([]);
  const order = { prepared, args: [], env: { MODE: 'quiet' }, secrets: [], limits, egress, endpoint };
  const opened = await openStdioSession(
    {
      start: (signal) => startPackagedServer(driver ?? assert.fail(), order, signal),
      limits: { timeout_ms: 60_000, max_bytes: 1_000_000 },
      on_tools_changed: () => {},
    },
    null,
  );
  assert.ok(opened.ok, JSON.stringify(opened));
  const answer = await opened.value.work({ timeout_ms: 30_000, max_bytes: 1_000_000 }, null, async (session) => {
    const [tool] = (await session.listTools()).tools;
    return session.callTool({ tool: tool ?? assert.fail(), arguments: {} });
  });
  assert.ok(answer.ok, JSON.stringify(answer));
  const [block] = answer.value.content;
  const { env, node } = JSON.parse(block?.type === 'text' ? block.text : '');
  assert.deepEqual([node, env.includes('MODE')], [false, true], 'of the service, the server sees nothing');
  const pod = kubernetes.created.at(-1) ?? assert.fail();
  assert.equal(pod.spec.containers[0].image, EMPTY_IMAGE);
  assert.ok(
    pod.spec.containers[0].volumeMounts.every(
      ({ mountPath, readOnly }: { mountPath: string; readOnly?: boolean }) =>
        ['/tmp', '/dev/shm'].includes(mountPath) || readOnly === true,
    ),
  );
  // What the Pod waits with, once around.
  const { command } = pod.spec.containers[0];
  const once = command.at(-1).replace('3600 & wait $!', '0 && echo slept; exit');
  const waited = await boxes.start(boxOrder(pod, [...command.slice(0, -1), once], { claims: { data: volume_dir } }));
  assert.deepEqual((({ stdout, stderr }) => [stdout, stderr])(await said(waited)), ['slept\n', '']);
  await opened.value.close();
  await until('its Pod is gone', () => pods() === 0);
  const closed = await open({ empty_image: null, service: 'capstan-3' });
  await assert.rejects(closed.start(orderOf(['/usr/bin/perl'], { root })), /CAPSTAN_KUBERNETES_EMPTY_IMAGE/);
  await closed.close();
});

test('reports ImagePullBackOff when the image cannot be pulled', { skip }, async () => {
  const other = await open({ image: 'registry.test/missing:1' });
  assert.equal(other.isolation, null);
  assert.match((await other.selfTest()).text, /ImagePullBackOff/);
});

test('a restarted service removes the Pods of its previous run, but not those of other services', {
  skip,
}, async () => {
  const first = await open({ service: 'capstan-1' });
  const box = await first.start(orderOf(['sleep', '600']));
  const [left] = kubernetes.pods().map(({ metadata }) => metadata.name);
  const next = await open({ service: 'capstan-1' });
  await until('the Pod is gone', () => !kubernetes.pods().some(({ metadata }) => metadata.name === left));
  assert.notEqual((await box.gone).reason, 'exited');
  const mine = await start(orderOf(['sleep', '600']));
  const third = await open({ service: 'capstan-1' });
  await until('the other Pods are gone', () => pods() === 1);
  mine.kill();
  await Promise.all([mine.gone, first.close(), next.close(), third.close()]);
});

test('a box ends also when the API no longer answers, and a refused Pod is not waited for', { skip }, async () => {
  const real = openKubernetesApi({ url: kubernetes.url, account_dir: null });
  let failing: 'POST' | 'DELETE' | null = null;
  const api: typeof real = {
    ...real,
    call: async (method, ...rest) => {
      if (method === failing) throw new KubernetesError(method === 'POST' ? 403 : 0, `${method} failed`);
      return real.call(method, ...rest);
    },
  };
  const cut = await open({ api, service: 'capstan-2', gone_ms: 300 });
  const box = await cut.start(orderOf(['sleep', '600']));
  failing = 'DELETE';
  box.kill();
  assert.equal((await box.gone).reason, 'killed');
  failing = 'POST';
  const before = kubernetes.requests.length;
  const { reason, message } = await (await cut.start(orderOf(['true']))).gone;
  assert.deepEqual([reason, /POST failed/.test(message)], ['failed_to_start', true]);
  assert.ok(!kubernetes.requests.slice(before).some((request) => request.startsWith('DELETE')));
  failing = null;
  await cut.close();
  await (await open({ service: 'capstan-2' })).close();
});

test('names the reason when the cluster is older than Kubernetes 1.30 or refuses the token', {
  skip,
}, async () => {
  const old = await openFakeKubernetes({ boxes, claims: { data: volume_dir }, protocols: ['v4.channel.k8s.io'] });
  const closed = await openFakeKubernetes({ boxes, claims: { data: volume_dir }, token: 'right' });
  const api = (url: string) => openKubernetesApi({ url, account_dir: null });
  const onOld = await open({ api: api(old.url) });
  assert.match((await onOld.selfTest()).text, /Kubernetes 1\.30 or later/);
  const onClosed = await open({ api: api(closed.url) });
  assert.match((await onClosed.selfTest()).text, /Unauthorized/);
  await Promise.all([old.close(), closed.close()]);
});

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
