import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Box, BoxOrder } from '#runtime/boxes/box.ts';
import { openBwrapDriver, SMALL_LIMITS } from '#runtime/boxes/bwrap-driver.ts';
import { type KubernetesApi, openKubernetesApi } from '#runtime/kubernetes/api.ts';
import { type KubernetesOptions, openKubernetesDriver } from '#runtime/kubernetes/kubernetes-driver.ts';
import { podOf } from '#runtime/kubernetes/pod.ts';
import { watchPods } from '#runtime/kubernetes/pod-watch.ts';
import { read } from '../house/tree.ts';
import { until } from '../until.ts';
import { type Manifest, openCluster } from './kubernetes/cluster.ts';
import { openKubelet } from './kubernetes/kubelet.ts';

/**
 * `npm run soak -- kubernetes` runs the driver of Pods against a real kube-apiserver with RBAC, as the service account of
 * deploy/kubernetes and with its token. The node is ours: what an exec starts runs in bubblewrap boxes.
 *
 * CAPSTAN_TEST_KUBE_APISERVER and CAPSTAN_TEST_ETCD name the programs, CAPSTAN_TEST_KUBE_CONTROLLER_MANAGER optionally the one that
 * removes Pods with their owners. `test/soak/kubernetes/build.sh` makes them from Debian's sources.
 */

const { CAPSTAN_TEST_KUBE_APISERVER: apiserver, CAPSTAN_TEST_ETCD: etcd } = process.env;
const controller_manager = process.env.CAPSTAN_TEST_KUBE_CONTROLLER_MANAGER ?? null;
if (apiserver === undefined || etcd === undefined) {
  console.log('skipped: set CAPSTAN_TEST_KUBE_APISERVER and CAPSTAN_TEST_ETCD to the programs');
  process.exit(0);
}
const boxes = await openBwrapDriver();
if (boxes.isolation === null) {
  console.log(`skipped: ${(await boxes.selfTest()).text}`);
  process.exit(0);
}

const NAMESPACE = 'capstan';
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const ACCOUNTS = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;
const dir = mkdtempSync(join(tmpdir(), 'capstan-kubernetes-'));
const volume_dir = join(dir, 'volume');
const account_dir = join(dir, 'account');
const admin_dir = join(dir, 'admin');
for (const path of [volume_dir, account_dir, admin_dir]) mkdirSync(path, { mode: 0o755 });
console.log(`Kubernetes ${spawnSync(apiserver, ['--version'], { encoding: 'utf8' }).stdout.trim()}; logs in ${dir}`);
const cluster = await openCluster(join(dir, 'cluster'), { apiserver, etcd, controller_manager });
const { admin } = cluster;
let checks = 0;
async function check(title: string, run: () => Promise<void>): Promise<void> {
  const beganMs = performance.now();
  await run();
  checks++;
  console.log(`ok  ${title} (${((performance.now() - beganMs) / 1_000).toFixed(1)} s)`);
}

/** Kubernetes reads YAML 1.1, where 0440 is octal. */
const manifests: Manifest[] = ['namespace', 'rbac', 'network-policies', 'volume', 'deployment'].flatMap((name) =>
  parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`), { version: '1.1' }).map((one) => one.toJS() as Manifest),
);

/** Paths of members that were sent and are not in what was stored. Quantities and lists are compared by their text. */
function dropped(sent: unknown, stored: unknown, path = ''): string[] {
  if (typeof sent !== 'object' || sent === null)
    return `${sent}` === `${stored}` ? [] : [`${path}: ${sent}, ${stored}`];
  return Object.entries(sent).flatMap(([name, value]) =>
    dropped(value, (stored as Record<string, unknown> | undefined)?.[name], `${path}.${name}`),
  );
}

function collectionOf({ apiVersion, kind, metadata }: Manifest): string {
  const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const plural = kind === 'NetworkPolicy' ? 'networkpolicies' : `${kind.toLowerCase()}s`;
  return kind === 'Namespace'
    ? `${group}/namespaces`
    : `${group}/namespaces/${metadata.namespace ?? NAMESPACE}/${plural}`;
}

await check('each manifest is accepted, and none of its fields is unknown', async () => {
  for (const manifest of manifests) {
    const stored = await admin.call('POST', collectionOf(manifest), manifest);
    assert.deepEqual(dropped(manifest, stored), [], `${manifest.kind} ${manifest.metadata.name}`);
  }
  await admin.call('POST', ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
});

/** What the API server of that release enforces instead of Pod Security labels; the rules of `restricted` as far as it has them. */
await admin.call('POST', '/apis/policy/v1beta1/podsecuritypolicies', {
  apiVersion: 'policy/v1beta1',
  kind: 'PodSecurityPolicy',
  metadata: {
    name: 'restricted',
    annotations: { 'seccomp.security.alpha.kubernetes.io/allowedProfileNames': 'runtime/default' },
  },
  spec: {
    privileged: false,
    allowPrivilegeEscalation: false,
    requiredDropCapabilities: ['ALL'],
    readOnlyRootFilesystem: true,
    runAsUser: { rule: 'MustRunAsNonRoot' },
    seLinux: { rule: 'RunAsAny' },
    supplementalGroups: { rule: 'MustRunAs', ranges: [{ min: 1, max: 65_535 }] },
    fsGroup: { rule: 'MustRunAs', ranges: [{ min: 1, max: 65_535 }] },
    volumes: ['emptyDir', 'persistentVolumeClaim', 'secret'],
  },
});
const usePolicy = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'use-policy' } };
const rule = {
  apiGroups: ['policy'],
  resources: ['podsecuritypolicies'],
  resourceNames: ['restricted'],
  verbs: ['use'],
};
await admin.call('POST', collectionOf({ ...usePolicy, kind: 'Role' }), { ...usePolicy, kind: 'Role', rules: [rule] });
await admin.call('POST', collectionOf({ ...usePolicy, kind: 'RoleBinding' }), {
  ...usePolicy,
  kind: 'RoleBinding',
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'use-policy' },
  subjects: [{ kind: 'ServiceAccount', name: 'capstan', namespace: NAMESPACE }],
});

/** A Pod that plays the service: tokens are bound to it, and it owns its boxes. */
const servicePod = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    serviceAccountName: 'capstan',
    automountServiceAccountToken: false,
    securityContext: { runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [{ name: 'capstan', image: 'capstan' }],
  },
});
async function tokenFor(pod: Manifest): Promise<string> {
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: pod.metadata.name, uid: pod.metadata.uid };
  const answer = await admin.call('POST', `${ACCOUNTS}/capstan/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3_600, boundObjectRef },
  });
  return answer.status.token as string;
}
const owner = await admin.call('POST', PODS, servicePod('capstan-0'));
const token = await tokenFor(owner);
writeFileSync(join(account_dir, 'token'), token);
writeFileSync(join(account_dir, 'ca.crt'), cluster.ca);
writeFileSync(join(admin_dir, 'token'), 'token-of-the-administrator');
writeFileSync(join(admin_dir, 'ca.crt'), cluster.ca);
const kubelet = await openKubelet({ cluster, boxes, claims: { 'capstan-boxes': volume_dir }, account_dir: admin_dir });

const apiOfAccount = (): KubernetesApi => openKubernetesApi({ url: cluster.url, account_dir });
const open = (more: Partial<KubernetesOptions> = {}) =>
  openKubernetesDriver({
    api: apiOfAccount(),
    namespace: NAMESPACE,
    image: 'registry.test/capstan:1',
    empty_image: null,
    claim: 'capstan-boxes',
    volume_dir,
    runtime_class: null,
    service: 'capstan-0',
    owner: { name: 'capstan-0', uid: owner.metadata.uid },
    address: null,
    gate: null,
    ...more,
  });
const orderOf = (argv: string[], more: Partial<BoxOrder> = {}): BoxOrder => ({
  argv,
  env: {},
  cwd: '/tmp',
  mounts: [],
  disk: null,
  limits: Object.assign({}, SMALL_LIMITS, { memory_bytes: 512 * 1_048_576, wall_ms: 60_000 }),
  egress: { mode: 'none', watch: false },
  ...more,
});
async function said(box: Box, input = '') {
  let stdout = '';
  let stderr = '';
  box.stdout.on('data', (chunk) => (stdout += chunk));
  box.stderr.on('data', (chunk) => (stderr += chunk));
  box.stdin.end(input);
  return { end: await box.gone, stdout, stderr };
}
const boxPods = async (): Promise<Manifest[]> =>
  (await admin.call('GET', `${PODS}?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dcapstan`)).items;

const driver = await open();
assert.notEqual(driver.isolation, null, (await driver.selfTest()).text);

await check(
  'a program gets input, arguments and variables through the API server, and its exit code comes back',
  async () => {
    const argv = ['sh', '-c', 'cat; printf "%s|%s" "$1" "$KEY"; echo why >&2; exit 3', 'sh', 'secret-argument'];
    const { end, stdout, stderr } = await said(
      await driver.start(orderOf(argv, { env: { KEY: 'secret-variable' } })),
      'in ',
    );
    assert.deepEqual([stdout, stderr, end.code], ['in secret-argument|secret-variable', 'why\n', 3]);
    assert.equal((await boxPods()).length, 0);
  },
);

await check('8 MB of output arrive whole', async () => {
  const box = await driver.start(orderOf(['head', '-c', '8388608', '/dev/zero']));
  assert.equal((await said(box)).stdout.length, 8_388_608);
});

await check('the attacks of the self-test are refused', async () => {
  const { ok, text } = await driver.selfTest();
  assert.ok(ok, text);
});

await check('the stored Pod has the owner, the deadline and every other field that was sent', async () => {
  const box = await driver.start(
    orderOf(['sleep', '600'], { mounts: [{ from: join(volume_dir, 'box-files'), to: '/files', writable: false }] }),
  );
  const [pod] = await boxPods();
  const sent = podOf({
    name: pod.metadata.name,
    order: orderOf([]),
    image: 'registry.test/capstan:1',
    claim: 'capstan-boxes',
    mounts: [{ sub_path: 'box-files', to: '/files', writable: false }],
    user: { uid: pod.spec.securityContext.runAsUser, gid: pod.spec.securityContext.runAsGroup },
    runtime_class: null,
    service: 'capstan-0',
    instance: pod.metadata.labels['capstan.dev/instance'],
    egress: 'none',
    owner: { name: 'capstan-0', uid: owner.metadata.uid },
  });
  // Members of a list have no kind.
  assert.deepEqual(dropped(sent, Object.assign({ apiVersion: 'v1', kind: 'Pod' }, pod)), []);
  assert.equal(pod.metadata.annotations['kubernetes.io/psp'], 'restricted');
  box.kill();
  await box.gone;
});

await check('the account may do nothing else', async () => {
  const tries: [string, string, object?][] = [
    ['GET', `/api/v1/namespaces/${NAMESPACE}/secrets`],
    ['GET', '/api/v1/namespaces/default/pods'],
    ['GET', '/api/v1/nodes'],
    ['GET', `${PODS}/capstan-0/log`],
    ['PATCH', `${PODS}/capstan-0`, {}],
    ['DELETE', PODS],
    ['POST', `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`, manifests.find(({ kind }) => kind === 'Deployment')],
    ['POST', `${ACCOUNTS}/capstan/token`, {}],
  ];
  for (const [method, path, body] of tries)
    assert.equal((await admin.status(method, path, body, token)).status, 403, `${method} ${path}`);
});

await check('a privileged Pod of the account is refused, and that of the Deployment is not', async () => {
  const attempt = (spec: object) =>
    admin.status(
      'POST',
      `${PODS}?dryRun=All`,
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'other' }, spec },
      token,
    );
  const privileged = [{ name: 'a', image: 'a', securityContext: { privileged: true } }];
  assert.equal((await attempt({ automountServiceAccountToken: false, containers: privileged })).status, 403);
  const { spec } = manifests.find(({ kind }) => kind === 'Deployment').spec.template;
  // This cluster makes no token for the volume.
  const answer = await attempt({ ...spec, automountServiceAccountToken: false });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
});

await check('a name that is taken is refused, and a Pod that is gone can be deleted again', async () => {
  const api = apiOfAccount();
  await assert.rejects(api.call('POST', PODS, servicePod('capstan-0')), { status: 409, message: /already exists/ });
  await assert.rejects(api.call('DELETE', `${PODS}/gone`), { status: 404 });
  api.close();
});

await check('a limit of the namespace is the reason that a box does not start', async () => {
  const ranges = `/api/v1/namespaces/${NAMESPACE}/limitranges`;
  const limits = [{ type: 'Container', max: { memory: '64Mi' } }];
  await admin.call('POST', ranges, {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'low' },
    spec: { limits },
  });
  let end = await (await driver.start(orderOf(['true']))).gone;
  // The API server sees a new limit after a moment.
  await until('the limit', async () => {
    if (end.reason === 'failed_to_start') return true;
    end = await (await driver.start(orderOf(['true']))).gone;
    return false;
  });
  assert.match(end.message, /maximum memory usage per Container is 64Mi/);
  await admin.call('DELETE', `${ranges}/low`);
  await until('the old limit', async () => (await (await driver.start(orderOf(['true']))).gone).code === 0);
});

await check('a Pod that someone deletes ends its box', async () => {
  const box = await driver.start(orderOf(['sleep', '600']));
  const [pod] = await boxPods();
  await admin.call('DELETE', `${PODS}/${pod.metadata.name}`, { gracePeriodSeconds: 1 });
  assert.notEqual((await box.gone).reason, 'exited');
  assert.equal(driver.counts().running, 0);
});

await check('Pods of an ended run are removed at the next start', async () => {
  const first = await open({ service: 'capstan-1' });
  const box = await first.start(orderOf(['sleep', '600']));
  const next = await open({ service: 'capstan-1' });
  assert.notEqual((await box.gone).reason, 'exited');
  await until('no Pod', async () => (await boxPods()).length === 0);
  await Promise.all([first.close(), next.close()]);
});

await check('a token that expired is replaced, also where the API refuses the old one first', async () => {
  const second = await admin.call('POST', PODS, servicePod('capstan-2'));
  const bound = await tokenFor(second);
  writeFileSync(join(account_dir, 'token'), bound);
  const other = await open({ service: 'capstan-2' });
  assert.equal((await said(await other.start(orderOf(['echo', 'before'])))).stdout, 'before\n');
  await admin.call('DELETE', `${PODS}/capstan-2`, { gracePeriodSeconds: 0 });
  await until('the refusal', async () => (await admin.status('GET', PODS, undefined, bound)).status === 401);
  const refused = await (await other.start(orderOf(['true']))).gone;
  assert.deepEqual([refused.reason, /Unauthorized/.test(refused.message)], ['failed_to_start', true]);
  writeFileSync(join(account_dir, 'token'), token);
  assert.equal((await said(await other.start(orderOf(['echo', 'after'])))).stdout, 'after\n');
  await other.close();
});

await check('after a restart of the API server its boxes are gone, and the next one starts', async () => {
  const box = await driver.start(orderOf(['sleep', '600']));
  await cluster.restart();
  assert.equal((await box.gone).reason, 'killed');
  assert.equal((await said(await driver.start(orderOf(['echo', 'again'])))).stdout, 'again\n');
  await until('no Pod', async () => (await boxPods()).length === 0);
});

// The API server has forgotten the versions from before its restart.
await check('a watch from a version that is too old is answered with 410, and a new list finds the Pod', async () => {
  const real = apiOfAccount();
  const refusals: Manifest[] = [];
  let watches = 0;
  const old: KubernetesApi = {
    ...real,
    async *watch(path, signal) {
      const first = watches++ === 0;
      for await (const event of real.watch(
        first ? path.replace(/resourceVersion=\d+/, 'resourceVersion=1') : path,
        signal,
      )) {
        if ((event as Manifest).type === 'ERROR') refusals.push((event as Manifest).object);
        yield event;
      }
    },
  };
  const watch = watchPods(old, PODS, 'app.kubernetes.io/managed-by=capstan');
  const seen: (string | null)[] = [];
  const box = await driver.start(orderOf(['sleep', '600']));
  const [pod] = await boxPods();
  watch.follow(pod.metadata.name, (state) => seen.push(state?.status?.phase ?? null));
  await until('a second watch', () => watches > 1);
  box.kill();
  await box.gone;
  await until('the removal', () => seen.at(-1) === null && seen.length > 0);
  assert.deepEqual(
    refusals.map(({ code, reason }) => [code, reason]),
    [[410, 'Expired']],
  );
  watch.close();
  real.close();
});

if (controller_manager === null)
  console.log('--  not tried: removal with the owner (CAPSTAN_TEST_KUBE_CONTROLLER_MANAGER)');
else
  await check('Kubernetes removes boxes with the Pod of their service', async () => {
    const third = await admin.call('POST', PODS, servicePod('capstan-3'));
    const other = await open({ service: 'capstan-3', owner: { name: 'capstan-3', uid: third.metadata.uid } });
    const box = await other.start(orderOf(['sleep', '600']));
    await admin.call('DELETE', `${PODS}/capstan-3`, { gracePeriodSeconds: 0 });
    assert.notEqual((await box.gone).reason, 'exited');
    await until('no Pod', async () => (await boxPods()).length === 0);
    await other.close();
  });

await driver.close();

await check('the audit log: the role is enough, nothing in it is unused, and it has no secret', async () => {
  const text = readFileSync(cluster.audit_path, 'utf8');
  assert.ok(!/secret-argument|secret-variable/.test(text));
  const ours = text
    .split('\n')
    .filter((line) => line.includes('system:serviceaccount:capstan:capstan'))
    .map((line) => JSON.parse(line) as Manifest);
  const used = new Set(
    ours
      .filter(({ annotations }) => annotations?.['authorization.k8s.io/decision'] === 'allow')
      .map(({ verb, objectRef }) => `${verb} ${[objectRef.resource, objectRef.subresource].filter(Boolean).join('/')}`),
  );
  const granted = manifests
    .find(({ kind }) => kind === 'Role')
    .rules.flatMap(({ resources, verbs }: Manifest) => verbs.map((verb: string) => `${verb} ${resources[0]}`));
  // Releases since 1.35 ask for it where a WebSocket is opened.
  assert.deepEqual([...used].sort(), granted.filter((right: string) => right !== 'create pods/exec').sort());
  console.log(`    ${ours.length} requests of the account: ${[...used].sort().join(', ')}`);
});

await kubelet.close();
await boxes.close();
await cluster.close();
rmSync(dir, { recursive: true, force: true });
console.log(`${checks} passed, 0 failed`);
process.exit(0);
