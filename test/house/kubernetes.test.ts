import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '#app/settings.ts';
import { flatten } from '#core/config/config.ts';
import { SMALL_LIMITS } from '#runtime/boxes/bwrap-driver.ts';
import type { Egress } from '#runtime/egress/egress.ts';
import { podOf } from '#runtime/kubernetes/pod.ts';
import { COPIES } from '#runtime/kubernetes/volume.ts';
import { FILES, read } from './tree.ts';

/** deploy/kubernetes, held to what the service does with it. */

// biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes as they are written.
type Manifest = any;

const FOLDER = 'deploy/kubernetes/';
const names = FILES.filter((path) => path.startsWith(FOLDER)).map((path) => path.slice(FOLDER.length));
const manifests: Manifest[] = names
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) =>
    parseAllDocuments(read(`${FOLDER}${name}`)).map((document) => {
      assert.deepEqual(document.errors, [], name);
      return document.toJS();
    }),
  );
const find = (kind: string, name: string): Manifest =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name) ?? assert.fail(`no ${kind} ${name}`);
const deployment = find('Deployment', 'capstan').spec.template;
const [container] = deployment.spec.containers;

const boxOf = (egress: Egress): Manifest =>
  podOf({
    name: 'capstan-box-1',
    order: { limits: SMALL_LIMITS, egress },
    image: 'capstan:0.1.0',
    claim: 'capstan-boxes',
    mounts: [{ sub_path: 'packages/trees/1', to: '/package', writable: false }],
    user: { uid: 10_001, gid: 10_001 },
    runtime_class: null,
    service: 'capstan-0',
    instance: '1',
    egress: 'gate',
    owner: { name: 'capstan-0', uid: '1' },
  });
const box = boxOf({ mode: 'none', watch: false });

test('a box whose server listens below port 1,024 has the one sysctl that restricted allows for it', () => {
  const low = boxOf({ mode: 'none', watch: false, listens: 80 });
  assert.deepEqual(low.spec.securityContext.sysctls, [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '80' }]);
  assert.equal(box.spec.securityContext.sysctls, undefined);
});

const selects = (selector: Manifest, labels: Record<string, string>): boolean =>
  Object.entries(selector.matchLabels).every(([name, value]) => labels[name] === value);

test('kustomization.yaml applies every manifest', () => {
  const { resources } = parse(read(`${FOLDER}kustomization.yaml`)) as Manifest;
  assert.deepEqual([...resources, 'kustomization.yaml'].sort(), [...names].sort());
});

test('the Role grants only the rights on Pods that boxes need, in one namespace', () => {
  assert.ok(!manifests.some(({ kind }) => kind.startsWith('Cluster')));
  assert.deepEqual(
    find('Role', 'capstan').rules.map(({ resources, verbs }: Manifest) => [resources, verbs]),
    [
      [['pods'], ['create', 'get', 'list', 'watch', 'delete']],
      [['pods/exec'], ['create', 'get']],
    ],
  );
  assert.equal(find('RoleBinding', 'capstan').subjects[0].name, deployment.spec.serviceAccountName);
});

test('network policies let boxes reach only the egress gate, and only boxes with granted hosts', () => {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  const over = (labels: Record<string, string>) => policies.filter(({ spec }) => selects(spec.podSelector, labels));
  const gated = box.metadata.labels;
  const closed = { ...gated, 'capstan.dev/egress': 'none' };
  for (const labels of [gated, closed])
    assert.ok(over(labels).some(({ spec }) => ['Ingress', 'Egress'].every((type) => spec.policyTypes.includes(type))));
  assert.deepEqual(
    over(closed).flatMap(({ spec }) => [...(spec.egress ?? []), ...(spec.ingress ?? [])]),
    [],
  );
  const [way, ...others] = over(gated).flatMap(({ spec }) => spec.egress ?? []);
  assert.deepEqual(others, []);
  assert.ok(selects(way.to[0].podSelector, deployment.metadata.labels));
  const settings = flatten(SETTINGS);
  const port = Number(settings.find(({ name }) => name === 'CAPSTAN_KUBERNETES_GATE_PORT')?.default);
  assert.deepEqual(way.ports, [{ protocol: 'TCP', port }]);
  assert.ok(container.ports.some(({ containerPort }: Manifest) => containerPort === port));
});

test('Pods of the service and of boxes satisfy the restricted Pod Security Standard of their namespace', () => {
  assert.equal(find('Namespace', 'capstan').metadata.labels['pod-security.kubernetes.io/enforce'], 'restricted');
  for (const spec of [deployment.spec, box.spec]) {
    assert.equal(spec.securityContext.runAsNonRoot, true);
    assert.equal(spec.securityContext.runAsUser, 10_001);
    assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault');
    for (const { securityContext } of spec.containers)
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    for (const volume of spec.volumes)
      assert.ok(['emptyDir', 'persistentVolumeClaim', 'secret'].some((kind) => volume[kind] !== undefined));
  }
  assert.equal(box.spec.automountServiceAccountToken, false);
});

test('the Deployment sets the Kubernetes settings, and mounts the volume of boxes at the configured paths', () => {
  const known = flatten(SETTINGS).map(({ name }) => name);
  const env = new Map<string, Manifest>(container.env.map((one: Manifest) => [one.name, one]));
  for (const name of env.keys()) assert.ok(known.includes(name.replace(/_FILE$/, '')), name);
  assert.equal(env.get('CAPSTAN_RUNTIME').value, 'kubernetes');
  assert.equal(env.get('CAPSTAN_KUBERNETES_IMAGE').value, container.image);
  const claim = find('PersistentVolumeClaim', env.get('CAPSTAN_KUBERNETES_CLAIM').value).metadata.name;
  const boxes = deployment.spec.volumes.find(({ name }: Manifest) => name === 'boxes');
  assert.equal(boxes.persistentVolumeClaim.claimName, claim);
  const shared = container.volumeMounts.filter(({ name }: Manifest) => name === 'boxes');
  // The path below DATA_DIR is the path on the volume, from which boxes mount it.
  assert.deepEqual(
    shared.map(({ mountPath, subPath }: Manifest) => [mountPath, subPath]),
    ['packages', 'native', COPIES].map((folder) => [`/data/${folder}`, folder]),
  );
  assert.ok(read('Dockerfile').includes('DATA_DIR=/data'));
  assert.equal(env.get('CAPSTAN_POD_UID').valueFrom.fieldRef.fieldPath, 'metadata.uid');
});
