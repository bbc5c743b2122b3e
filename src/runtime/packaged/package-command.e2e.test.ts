import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBwrapDriver } from '#runtime/boxes/bwrap-driver.ts';
import { openNamespaces } from '#runtime/egress/namespaces.ts';
import { openEgressGate } from '#runtime/egress/open-gate.ts';
import type { InstallDriver } from '#runtime/packages/install-box.ts';
import { stdioProgram } from '#test/fakes/stdio-server.ts';
import { hostDriver } from '#test/packages/host-driver.ts';
import { openNpmRegistry } from '#test/packages/npm-registry.ts';
import { npmCliHere, openTestPackages } from '#test/packages/store.ts';
import { packageCommand } from './package-command.ts';

/** `capstand package try` with a loopback registry and real boxes. */

const namespaces = openNamespaces();
const bwrap = await openBwrapDriver({ openGate: (egress) => openEgressGate(egress, { namespaces }) });
after(async () => {
  await bwrap.close();
  await namespaces.close();
});
const host = hostDriver();
// The loopback registry has no name that a grant could hold, so package managers run on the host.
const installs: InstallDriver = {
  start: (order) => (order.egress.mode === 'none' ? bwrap.start(order) : host.start(order)),
};
const limits = {
  memory_bytes: 512 * 1_048_576,
  processes: 128,
  open_files: 1_024,
  file_bytes: 16 * 1_048_576,
  cpu_ms: null,
  tmp_bytes: 16 * 1_048_576,
  shm_bytes: 4 * 1_048_576,
  wall_ms: null,
};
const skip =
  bwrap.isolation === null
    ? 'bubblewrap cannot start boxes here'
    : npmCliHere() === null && 'no npm CLI that is new enough is installed';

async function capstand(argv: string[], source = stdioProgram()) {
  const registry = await openNpmRegistry();
  const packages = openTestPackages({ npm_registry: registry.url }, { boxes: installs });
  registry.publish('clock', {
    version: '1.0.0',
    manifest: { bin: 'server.js' },
    files: [{ path: 'server.js', text: `#!/usr/bin/env node\n${source}` }],
  });
  const said = { out: '', err: '' };
  const io = {
    stdout: { write: (text: string) => (said.out += text) },
    stderr: { write: (text: string) => (said.err += text) },
  };
  const open = async () => ({ boxes: bwrap, packages: packages.store, limits, close: async () => {} });
  try {
    const code = await packageCommand(argv, io, { open, signal: new AbortController().signal });
    return Object.assign({ code }, said);
  } finally {
    await packages.close();
    await registry.close();
  }
}

test('a package is prepared, started without network, and its tools are listed with its digests', {
  skip,
}, async () => {
  const { code, out, err } = await capstand(['package', 'try', 'npm', 'clock', '1.0.0', '--json'].slice(1));
  assert.equal(code, 0, err);
  const { tools, server, isolation, tree_sha256, lock_sha256, wanted_hosts } = JSON.parse(out);
  assert.deepEqual([tools, server], [['now', 'sleep', 'die'], { name: 'clock', version: '1' }]);
  assert.equal(isolation, bwrap.isolation);
  for (const digest of [tree_sha256, lock_sha256]) assert.match(digest, /^[0-9a-f]{64}$/);
  assert.deepEqual(wanted_hosts, []);
  assert.match(err, /resolving\n[\s\S]*storing\n[\s\S]*starting\n$/);
});

test('a server that wants the network first is told with the host that it asked for', { skip }, async () => {
  const source = `fetch('https://api.example.com/v1').catch((error) => { console.error('no network'); process.exit(1); });`;
  const { code, err } = await capstand(['try', 'npm', 'clock', '1.0.0'], source);
  assert.equal(code, 1);
  assert.match(err, /no network[\s\S]*It asked for the network: api\.example\.com\./);
});

test('wrong arguments are 2 with the usage, and nothing is opened', async () => {
  for (const argv of [
    [],
    ['try'],
    ['try', 'npm', 'x'],
    ['try', 'nuget', 'x', '1.0.0'],
    ['try', 'npm', 'x', '1', '--env', 'A'],
  ]) {
    const said: string[] = [];
    const io = { stdout: { write: () => {} }, stderr: { write: (text: string) => said.push(text) } };
    const open = () => assert.fail('opened');
    assert.equal(await packageCommand(argv, io, { open, signal: new AbortController().signal }), 2);
    assert.match(said.join(''), /^usage: capstand package try/);
  }
});
