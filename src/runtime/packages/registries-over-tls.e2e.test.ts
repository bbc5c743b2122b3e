import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import type { Problem } from '#core/problem/problem.ts';
import { openBwrapDriver } from '#runtime/boxes/bwrap-driver.ts';
import { openEgressGate } from '#runtime/egress/open-gate.ts';
import { toLoopback } from '#test/egress-fixture.ts';
import { TEST_AUTHORITY } from '#test/fakes/test-authority.ts';
import { listenAt } from '#test/packages/listen-at.ts';
import { type NpmRegistry, openNpmRegistry } from '#test/packages/npm-registry.ts';
import { openPypiIndex, type PypiIndex } from '#test/packages/pypi-index.ts';
import { npmCliHere, openTestPackages, ref } from '#test/packages/store.ts';
import { authoritiesWith } from './authorities.ts';
import type { PackagesConfig } from './open-packages.ts';
import { findPython } from './python.ts';

/**
 * Private registries by name over TLS, with an authority that the operator's setting names. npm and pip run in real install boxes,
 * whose gate leads to this machine.
 */

const TOKEN = 'npm_0123456789secretsecret';
/** With characters that an address has to escape. */
const PASSWORD = 'p%40:/@#$secret';

const driver = await openBwrapDriver({
  openGate: (egress) => openEgressGate(egress, { resolve: toLoopback, guard: { allow_loopback: true } }),
});
after(() => driver.close());
const noBoxes = driver.isolation === null ? 'bubblewrap cannot start boxes here' : false;
const noNpm = npmCliHere() === null ? 'no npm CLI that is new enough is installed' : false;
const noPython = await findPython(null).then(
  () => false,
  (error: Error) => error.message,
);

let npm: NpmRegistry;
let pypi: PypiIndex;
let dir = '';
/** Another host that has the same files, and what it was sent. */
let files: { origin: string; close(): Promise<void> };
const received: { path: string; authorization: string | undefined }[] = [];
before(async () => {
  [npm, pypi, dir] = await Promise.all([
    openNpmRegistry({ name: 'npm.example.test' }),
    openPypiIndex({ name: 'pypi.example.test' }),
    mkdtemp(join(tmpdir(), 'capstan-tls-')),
  ]);
  files = await listenAt({ name: 'files.other.test' }, (request, response) => {
    const { url = '/', headers } = request;
    received.push({ path: url, authorization: headers.authorization });
    const bytes = npm.bytesAt(decodeURIComponent(url).slice(1)) ?? pypi.bytesAt(url.split('/').at(-1) ?? '');
    if (bytes === null) response.writeHead(404).end();
    else response.end(bytes);
  });
  npm.publish('@ana/server', {
    version: '1.0.0',
    manifest: { bin: 'a.js' },
    files: [{ path: 'a.js', text: 'console.log(1)' }],
  });
  pypi.publish('part', { version: '1.0', files: [{ path: 'part.py', bytes: '' }] });
  pypi.publish('server', {
    version: '1.0.0',
    requires: ['part'],
    scripts: { server: 'a:main' },
    files: [{ path: 'a.py', bytes: '' }],
  });
  npm.protect(`Bearer ${TOKEN}`);
  pypi.protect(`Basic ${btoa(`ana:${PASSWORD}`)}`);
  await writeFile(join(dir, 'ca.pem'), TEST_AUTHORITY);
  await writeFile(join(dir, 'npmrc'), `@ana:registry=${npm.url}\n//${new URL(npm.url).host}/:_authToken=${TOKEN}\n`);
  await writeFile(join(dir, 'netrc'), `machine pypi.example.test login ana password ${PASSWORD}\n`);
});
after(async () => {
  await Promise.all([npm.close(), pypi.close(), files.close()]);
  await rm(dir, { recursive: true });
});
beforeEach(() => {
  received.length = 0;
});
afterEach(() => {
  npm.redirectTarballs(null);
  pypi.redirectFiles(null);
});

async function prepare(ecosystem: 'npm' | 'pypi', config: Partial<PackagesConfig> = {}) {
  const settings = {
    npmrc: join(dir, 'npmrc'),
    pypi_index: pypi.url,
    pypi_netrc: join(dir, 'netrc'),
    registry_ca: join(dir, 'ca.pem'),
    ...config,
  };
  const operator = openOperatorFetch({ ca: authoritiesWith(settings.registry_ca), resolve: toLoopback });
  const packages = openTestPackages(settings, { boxes: driver, registry_fetch: operator.fetch });
  try {
    return await packages.store.prepare(ref(ecosystem, ecosystem === 'npm' ? '@ana/server' : 'server', '1.0.0'));
  } finally {
    await packages.close();
    await operator.close();
  }
}

for (const { ecosystem, skip } of [
  { ecosystem: 'npm', skip: noBoxes || noNpm },
  { ecosystem: 'pypi', skip: noBoxes || noPython },
] as const) {
  test(`installs from a private ${ecosystem} registry over TLS, and refuses it without its authority`, {
    skip,
  }, async () => {
    assert.ok((await prepare(ecosystem)).files > 0);
    await assert.rejects(
      prepare(ecosystem, { registry_ca: null }),
      ({ code, reason }: Problem) => code === 'packages.failed' && reason === 'registry_unavailable',
    );
  });

  test(`follows redirects of ${ecosystem} files only to hosts of CAPSTAN_PACKAGE_FILE_HOSTS, without credentials`, {
    skip,
  }, async () => {
    npm.redirectTarballs(files.origin);
    pypi.redirectFiles(files.origin);
    const { host, hostname, port } = new URL(files.origin);
    await assert.rejects(prepare(ecosystem), (error: Problem) => {
      assert.equal(error.reason, 'file_host_forbidden', error.message);
      assert.ok(error.message.includes(`at ${hostname}, `), error.message);
      return error.message.includes('CAPSTAN_PACKAGE_FILE_HOSTS');
    });
    assert.deepEqual(received, []);
    // Another port of the registry's own host is another server, too.
    const near = `${new URL(ecosystem === 'npm' ? npm.url : pypi.url).hostname}:${port}`;
    npm.redirectTarballs(`https://${near}`);
    pypi.redirectFiles(`https://${near}`);
    const nearby = prepare(ecosystem, { package_file_hosts: `${near}, ${host}` });
    // npm would send the token there.
    if (ecosystem === 'npm') await assert.rejects(nearby, ({ reason }: Problem) => reason === 'file_host_forbidden');
    else assert.ok((await nearby).files > 0);
    npm.redirectTarballs(files.origin);
    pypi.redirectFiles(files.origin);
    if (ecosystem === 'npm') assert.ok((await prepare(ecosystem, { package_file_hosts: host })).files > 0);
    assert.ok(received.length > 0);
    assert.ok(
      received.every(({ authorization }) => authorization === undefined),
      JSON.stringify(received),
    );
  });
}
