import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { compile } from '#core/json-schema/compile.ts';
import { CHART, TEMPLATES, VALUES, VALUES_SCHEMA } from '../helm-chart.ts';
import { read } from '../house/tree.ts';

/**
 * `npm run soak -- helm` renders deploy/helm/capstan with Helm's template language (Go's text/template and sprig, from Debian's packages
 * golang-go, golang-github-masterminds-sprig-dev and golang-github-ghodss-yaml-dev) for many values, and compares the objects with
 * deploy/kubernetes.
 */

// biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes as they were rendered.
type Manifest = any;
type Values = Record<string, unknown>;

/** Kubernetes and Helm read YAML 1.1, where 0440 is octal and `off` is false. */
const KUBERNETES = { version: '1.1' } as const;
const GO_PATH = process.env.CAPSTAN_TEST_GOPATH ?? '/usr/share/gocode';
const dir = mkdtempSync(join(tmpdir(), 'capstan-helm-'));
const renderer = join(dir, 'render');
const SHA = `sha256:${'a'.repeat(64)}`;
const BASE = { publicUrl: 'https://capstan.example' };

if (spawnSync('go', ['version']).status !== 0) {
  console.log('skipped: Go is not installed');
  process.exit(0);
}
const env = Object.assign({}, process.env, { GO111MODULE: 'off', GOPATH: GO_PATH, GOFLAGS: '' });
execFileSync('go', ['build', '-o', renderer, 'test/soak/helm/render.go'], { env, stdio: 'inherit' });

function render(values: Values): { objects: Manifest[]; refused: string } {
  const merged = merge(VALUES, values);
  const { check, errors } = compile(VALUES_SCHEMA);
  assert.ok(check(merged), JSON.stringify(errors(merged)));
  const order = {
    chart: { Name: 'capstan', Version: CHART.version, AppVersion: CHART.appVersion },
    release: { Name: 'capstan', Namespace: 'capstan', Service: 'Helm' },
    values: merged,
    files: Object.fromEntries(TEMPLATES),
  };
  const { status, stdout, stderr } = spawnSync(renderer, { input: JSON.stringify(order), encoding: 'utf8' });
  if (status !== 0) return { objects: [], refused: stderr.trim() };
  const files = Object.entries(JSON.parse(stdout) as Record<string, string>).filter(([name]) => name.endsWith('.yaml'));
  const objects = files.flatMap(([name, text]) =>
    parseAllDocuments(text, KUBERNETES).flatMap((document) => {
      assert.deepEqual(document.errors, [], `${name}:\n${text}`);
      const object = document.toJS() as Manifest;
      return object === null ? [] : [object];
    }),
  );
  return { objects, refused: '' };
}

/** As Helm merges values: objects member by member. */
function merge(base: Values, more: Values): Values {
  const isObject = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = Object.assign({}, base);
  for (const [name, value] of Object.entries(more)) {
    const old = merged[name];
    merged[name] = isObject(old) && isObject(value) ? merge(old, value) : value;
  }
  return merged;
}

const kinds = ({ objects }: { objects: Manifest[] }) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
const deploymentOf = ({ objects }: { objects: Manifest[] }): Manifest =>
  objects.find(({ kind }) => kind === 'Deployment') ?? assert.fail('no Deployment');
const envOf = (deployment: Manifest): Map<string, string> =>
  new Map(
    deployment.spec.template.spec.containers[0].env.map((one: Manifest) => [one.name, one.value ?? one.valueFrom]),
  );

const checks: [title: string, check: () => void][] = [
  [
    'the defaults are the manifests of deploy/kubernetes',
    () => {
      const rendered = render(BASE);
      const files = ['rbac', 'network-policies', 'volume', 'deployment'].map(
        (name) => `deploy/kubernetes/${name}.yaml`,
      );
      const written: Manifest[] = files.flatMap((path) =>
        parseAllDocuments(read(path), KUBERNETES).map((one) => one.toJS()),
      );
      assert.deepEqual(kinds(rendered), written.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort());
      for (const object of written) {
        const ours = rendered.objects.find(
          ({ kind, metadata }) => kind === object.kind && metadata.name === object.metadata.name,
        );
        assert.deepEqual(plain(ours), plain(object));
      }
    },
  ],
  [
    'embedded: a local seccomp profile, an unmasked /proc in a user namespace, no rights and no policies',
    () => {
      const rendered = render({
        ...BASE,
        runtime: { mode: 'embedded', embedded: { appArmorProfile: 'capstan' } },
      });
      assert.deepEqual(kinds(rendered), ['Deployment capstan', 'Service capstan', 'ServiceAccount capstan']);
      const deployment = deploymentOf(rendered);
      const { spec } = deployment.spec.template;
      assert.deepEqual(
        [spec.hostUsers, spec.automountServiceAccountToken, spec.containers[0].securityContext.procMount],
        [false, false, 'Unmasked'],
      );
      assert.deepEqual(spec.securityContext.seccompProfile, { type: 'Localhost', localhostProfile: 'capstan.json' });
      assert.deepEqual(spec.securityContext.appArmorProfile, { type: 'Localhost', localhostProfile: 'capstan' });
      const settings = envOf(deployment);
      assert.deepEqual(
        [settings.get('CAPSTAN_RUNTIME'), settings.get('CAPSTAN_RUNTIME_MIN')],
        ['bwrap', 'bwrap+seccomp'],
      );
      assert.ok(![...settings.keys()].some((name) => /KUBERNETES|POD/.test(name)));
    },
  ],
  [
    'off: the service alone',
    () => {
      const rendered = render({ ...BASE, runtime: { mode: 'off' } });
      assert.equal(envOf(deploymentOf(rendered)).get('CAPSTAN_RUNTIME'), 'off');
      assert.deepEqual(kinds(rendered), ['Deployment capstan', 'Service capstan', 'ServiceAccount capstan']);
    },
  ],
  [
    'every value that can be given',
    () => {
      const rendered = render({
        ...BASE,
        image: { repository: 'registry.example/capstan', digest: SHA, pullPolicy: 'Always' },
        imagePullSecrets: [{ name: 'pull' }],
        replicas: 1,
        settings: { CAPSTAN_TRUSTED_PROXIES: '10.0.0.0/8', CAPSTAN_RUNTIME_MEMORY_MB: '1024' },
        secretSettings: { CAPSTAN_SMTP_URL: { secret: 'mail', key: 'url' } },
        database: { engine: 'sqlite' },
        runtime: { minimum: 'gvisor', kubernetes: { image: `boxes@${SHA}`, runtimeClass: 'gvisor', gatePort: 9_500 } },
        persistence: {
          data: { enabled: true, storageClass: 'fast', size: '20Gi' },
          boxes: { existingClaim: 'shared' },
        },
        serviceAccount: { name: 'runner', annotations: { 'example.com/role': 'x' } },
        service: { type: 'NodePort', port: 8_080, annotations: { a: 'b' } },
        ingress: {
          enabled: true,
          className: 'nginx',
          annotations: { a: 'true' },
          hosts: [{ host: 'capstan.example' }, { host: 'b.example', path: '/x' }],
          tls: [{ secretName: 'tls', hosts: ['capstan.example'] }],
        },
        resources: { limits: { cpu: '2' } },
        probes: { readiness: { initialDelaySeconds: 3 } },
        podAnnotations: { note: 'yes' },
        nodeSelector: { disk: 'fast' },
        tolerations: [{ key: 'a', operator: 'Exists' }],
        affinity: { nodeAffinity: {} },
      });
      assert.deepEqual(kinds(rendered), [
        'Deployment capstan',
        'Ingress capstan',
        'NetworkPolicy capstan',
        'NetworkPolicy capstan-boxes',
        'NetworkPolicy capstan-boxes-gate',
        'PersistentVolumeClaim capstan-data',
        'Role capstan',
        'RoleBinding capstan',
        'Service capstan',
        'ServiceAccount runner',
      ]);
      const deployment = deploymentOf(rendered);
      const { spec, metadata } = deployment.spec.template;
      const [container] = spec.containers;
      assert.deepEqual(
        [container.image, spec.serviceAccountName, deployment.spec.strategy],
        [`registry.example/capstan@${SHA}`, 'runner', { type: 'Recreate' }],
      );
      assert.deepEqual([metadata.annotations, spec.nodeSelector], [{ note: 'yes' }, { disk: 'fast' }]);
      const settings = envOf(deployment);
      assert.deepEqual(
        ['DATABASE_URL_FILE', 'CAPSTAN_SMTP_URL_FILE', 'CAPSTAN_RUNTIME_MIN', 'CAPSTAN_KUBERNETES_CLAIM'].map((name) =>
          settings.get(name),
        ),
        [undefined, '/run/secrets/capstan/settings/CAPSTAN_SMTP_URL', 'gvisor', 'shared'],
      );
      assert.deepEqual(
        ['CAPSTAN_KUBERNETES_RUNTIME_CLASS', 'CAPSTAN_KUBERNETES_GATE_PORT', 'CAPSTAN_RUNTIME_MEMORY_MB'].map((name) =>
          settings.get(name),
        ),
        ['gvisor', '9500', '1024'],
      );
      const ports = rendered.objects
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .flatMap(({ spec: { egress, ingress } }) => [...(egress ?? []), ...(ingress ?? [])]);
      assert.equal(ports.filter((rule: Manifest) => rule.ports[0].port === 9_500).length, 2);
      assert.deepEqual(container.resources, {
        requests: { cpu: '250m', memory: '512Mi' },
        limits: { cpu: '2', memory: '2Gi' },
      });
      assert.equal(container.readinessProbe.initialDelaySeconds, 3);
      const binding = rendered.objects.find(({ kind }) => kind === 'RoleBinding');
      assert.deepEqual(binding.subjects, [{ kind: 'ServiceAccount', name: 'runner', namespace: 'capstan' }]);
    },
  ],
  [
    'what would fail later is refused with a sentence',
    () => {
      const sqlite = { engine: 'sqlite' };
      for (const [values, why] of [
        [{}, /publicUrl is required/],
        [{ ...BASE, database: sqlite }, /one replica/],
        [{ ...BASE, database: sqlite, replicas: 1 }, /persistence\.data\.enabled=true/],
        [{ ...BASE, persistence: { data: { enabled: true } } }, /belongs to one replica/],
      ] as const)
        assert.match(render(values).refused, why);
    },
  ],
];

/** Without what the manifests and the chart name differently on purpose. */
function plain(object: Manifest): Manifest {
  const copy = structuredClone(object);
  delete copy.metadata.labels;
  for (const subject of copy.subjects ?? []) delete subject.namespace;
  const text = JSON.stringify(copy, (key, value) => (key === 'app.kubernetes.io/instance' ? undefined : value));
  const same = JSON.parse(text) as Manifest;
  if (same.spec?.type === 'ClusterIP') delete same.spec.type;
  const pod = same.spec?.template?.spec;
  if (pod === undefined) return same;
  const [container] = pod.containers;
  container.env = Object.fromEntries(container.env.map((one: Manifest) => [one.name, one.value ?? one.valueFrom]));
  // The defaults of Kubernetes and of the setting, which the chart writes down.
  delete container.imagePullPolicy;
  delete container.env.CAPSTAN_KUBERNETES_GATE_PORT;
  for (const probe of [container.readinessProbe, container.livenessProbe])
    if (probe.failureThreshold === 3) delete probe.failureThreshold;
  // One Secret, or several with chosen keys.
  const secrets = pod.volumes.find(({ name }: Manifest) => name === 'secrets');
  const modes = [secrets.secret?.defaultMode, secrets.projected?.defaultMode];
  assert.ok(modes.includes(0o440), JSON.stringify(modes));
  pod.volumes = pod.volumes.filter(({ name }: Manifest) => name !== 'secrets');
  return same;
}

for (const [title, check] of checks) {
  check();
  console.log(`ok  ${title}`);
}
rmSync(dir, { recursive: true });
