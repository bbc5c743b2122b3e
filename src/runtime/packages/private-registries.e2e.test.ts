import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readConfig } from '#core/config/config.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { BoxOrder } from '#runtime/boxes/box.ts';
import { type NpmRegistry, openNpmRegistry } from '#test/packages/npm-registry.ts';
import { openPypiIndex, type PypiIndex } from '#test/packages/pypi-index.ts';
import { npmCliHere, openTestPackages, ref, type TestPackages } from '#test/packages/store.ts';
import { findPython } from './python.ts';
import { PACKAGES_SETTINGS } from './settings.ts';

/** Registries that refuse requests without the operator's credentials. */

const TOKEN = 'npm_0123456789secretsecret';
const PASSWORD = 'pypi-0123456789secretsecret';
const BASIC = `Basic ${btoa(`ana:${PASSWORD}`)}`;
const noNpm = npmCliHere() === null ? 'no npm CLI that is new enough is installed' : false;
const noPython = await findPython(null).then(
  () => false,
  (error: Error) => error.message,
);

let npm: NpmRegistry;
let pypi: PypiIndex;
let other: Server;
/** Another host than 127.0.0.1, and what it was sent. */
let elsewhere = '';
const received: (string | undefined)[] = [];
let dir = '';
before(async () => {
  [npm, pypi, dir] = await Promise.all([
    openNpmRegistry(),
    openPypiIndex(),
    mkdtemp(join(tmpdir(), 'capstan-private-')),
  ]);
  npm.publish('@ana/server', {
    version: '1.0.0',
    manifest: { bin: 'a.js' },
    files: [{ path: 'a.js', text: 'console.log(1)' }],
  });
  pypi.publish('server', { version: '1.0.0', scripts: { server: 'a:main' }, files: [{ path: 'a.py', bytes: '' }] });
  npm.protect(`Bearer ${TOKEN}`);
  pypi.protect(BASIC);
  other = createServer((request, response) => {
    received.push(request.headers.authorization);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => other.listen(0, 'localhost', resolve));
  elsewhere = `http://localhost:${(other.address() as AddressInfo).port}`;
  await writeFile(join(dir, 'npmrc'), `@ana:registry=${npm.url}\n//${new URL(npm.url).host}/:_authToken=${TOKEN}\n`);
  await writeFile(join(dir, 'netrc'), `machine ${new URL(pypi.url).hostname} login ana password ${PASSWORD}\n`);
});
after(async () => {
  await Promise.all([npm.close(), pypi.close(), new Promise((resolve) => other.close(resolve))]);
  await rm(dir, { recursive: true });
});

/** Everything that stays: files of the store with their names, and what the boxes were ordered with. */
async function traces({ dir: store, boxes }: TestPackages): Promise<string> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')));
  const plain = ({ argv, env, mounts, egress }: BoxOrder) => ({ argv, env, mounts, egress });
  return [...files, ...texts, JSON.stringify(boxes.orders.map(plain))].join('\n');
}

const CASES = [
  { ecosystem: 'npm', name: '@ana/server', skip: noNpm, secret: TOKEN, setting: /CAPSTAN_NPMRC/ },
  { ecosystem: 'pypi', name: 'server', skip: noPython, secret: PASSWORD, setting: /CAPSTAN_PYPI_NETRC/ },
] as const;

const open = (isAllowed: boolean) =>
  openTestPackages({
    npm_registry: isAllowed ? null : npm.url,
    npmrc: isAllowed ? join(dir, 'npmrc') : null,
    pypi_index: pypi.url,
    pypi_netrc: isAllowed ? join(dir, 'netrc') : null,
  });

for (const { ecosystem, name, skip, secret, setting } of CASES) {
  test(`installs a private ${ecosystem} package with the operator's credentials, and keeps them nowhere`, {
    skip,
  }, async () => {
    const packages = open(true);
    try {
      const prepared = await packages.store.prepare(ref(ecosystem, name, '1.0.0'));
      assert.ok(prepared.files > 0);
      const kept = await traces(packages);
      assert.ok(!kept.includes(secret) && !kept.includes(btoa(`ana:${secret}`)));
    } finally {
      await packages.close();
    }
  });

  test(`refuses a private ${ecosystem} package without credentials, and names the setting`, { skip }, async () => {
    const packages = open(false);
    try {
      await assert.rejects(packages.store.prepare(ref(ecosystem, name, '1.0.0')), (error: Problem) => {
        assert.equal(error.reason, 'access_denied', error.message);
        return setting.test(error.message);
      });
      assert.deepEqual(packages.boxes.orders, []);
    } finally {
      await packages.close();
    }
  });

  test(`sends no ${ecosystem} credentials to a host that the registry redirects to, and shows them in no error`, {
    skip,
  }, async () => {
    const packages = open(true);
    npm.redirectTarballs(elsewhere);
    pypi.redirectFiles(elsewhere);
    received.length = 0;
    try {
      await assert.rejects(packages.store.prepare(ref(ecosystem, name, '1.0.0')), (error: Problem) => {
        assert.match(error.code, /^packages\./);
        return !JSON.stringify([error.message, `${error.cause}`, error.extensions]).includes(secret);
      });
      assert.ok(received.length > 0, 'the redirect was followed');
      assert.ok(received.every((header) => header === undefined));
      assert.ok(
        !existsSync(join(packages.dir, 'staging')) || (await readdir(join(packages.dir, 'staging'))).length === 0,
      );
      assert.ok(!(await traces(packages)).includes(secret));
    } finally {
      npm.redirectTarballs(null);
      pypi.redirectFiles(null);
      await packages.close();
    }
  });
}

test('a listing may name the registry of a scope for packages of that scope only', { skip: noNpm }, async () => {
  const packages = open(true);
  try {
    const named = { ...ref('npm', '@ana/server', '1.0.0'), registry: npm.url };
    assert.ok((await packages.store.prepare(named)).files > 0);
    for (const refused of [
      { ...named, registry: 'https://npm.example' },
      { ...ref('npm', 'server', '1.0.0'), registry: npm.url },
    ])
      await assert.rejects(packages.store.prepare(refused), (error: Problem) =>
        ['registry_forbidden', 'registry_required'].includes(error.reason ?? ''),
      );
  } finally {
    await packages.close();
  }
});

test('an address with a password is refused by the settings that would show it', () => {
  for (const [name, file] of [
    ['CAPSTAN_NPM_REGISTRY', /CAPSTAN_NPMRC/],
    ['CAPSTAN_PYPI_INDEX', /CAPSTAN_PYPI_NETRC/],
  ] as const)
    assert.throws(
      () => readConfig({ packages: PACKAGES_SETTINGS }, { [name]: `https://ana:${PASSWORD}@packages.example/simple` }),
      (error: Error) => file.test(JSON.stringify([error.message, error])) && !error.message.includes(PASSWORD),
    );
});
