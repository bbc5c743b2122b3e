import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stdioProgram } from '#test/fakes/stdio-server.ts';
import { openNpmRegistry } from '#test/packages/npm-registry.ts';
import { noPackagesHere, runtimeFixture } from '#test/packages/runtime.ts';
import { openRuntime } from './open-runtime.ts';
import { packageCommand } from './package-command.ts';

/** `capstand package try` with a loopback registry and real boxes. */

const skip = await noPackagesHere();

async function capstand(argv: string[], source = stdioProgram()) {
  const registry = await openNpmRegistry();
  await using fixture = runtimeFixture({ CAPSTAN_NPM_REGISTRY: registry.url });
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
  const open = () => openRuntime(fixture.deps);
  try {
    const code = await packageCommand(argv, io, { open, signal: new AbortController().signal });
    return Object.assign({ code }, said);
  } finally {
    await registry.close();
  }
}

test('prepares and starts a package without network, and prints its tools and digests', {
  skip,
}, async () => {
  const { code, out, err } = await capstand(['package', 'try', 'npm', 'clock', '1.0.0', '--json'].slice(1));
  assert.equal(code, 0, err);
  const { tools, server, isolation, tree_sha256, lock_sha256, wanted_hosts } = JSON.parse(out);
  assert.deepEqual([tools, server], [['now', 'sleep', 'die'], { name: 'clock', version: '1' }]);
  assert.match(isolation, /^bwrap/);
  for (const digest of [tree_sha256, lock_sha256]) assert.match(digest, /^[0-9a-f]{64}$/);
  assert.deepEqual(wanted_hosts, []);
  assert.match(err, /resolving\n[\s\S]*storing\n[\s\S]*starting\n$/);
});

test('names the host that a server without network tried to reach', { skip }, async () => {
  const source = `fetch('https://api.example.com/v1').catch((error) => { console.error('no network'); process.exit(1); });`;
  const { code, err } = await capstand(['try', 'npm', 'clock', '1.0.0'], source);
  assert.equal(code, 1);
  assert.match(err, /no network[\s\S]*It tried to reach: api\.example\.com\./);
});

test('wrong arguments print the usage and exit with 2 without opening the runtime', async () => {
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
