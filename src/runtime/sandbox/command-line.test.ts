import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { childCommand, OWN_FILES } from './command-line.ts';
import { locateEngine } from './engine.ts';

const engine = locateEngine();
const command = (bwrap: string | null) =>
  childCommand({
    node: '/opt/node',
    program: '/app/runner.ts',
    engine,
    timeout_ms: 30_000,
    heap_mb: 256,
    bwrap,
    run_as: { user: {}, prefix: [] },
  }).args;

test('the child process may read only the engine and its own files', () => {
  const allowed = command(null).filter((flag) => flag.startsWith('--allow-'));
  const readable = engine.readable.map((path) => `--allow-fs-read=${path}`);
  assert.deepEqual(allowed, [
    '--allow-worker',
    '--allow-fs-read=/app/runner.ts',
    ...OWN_FILES.map((path) => `--allow-fs-read=${path}`),
    ...readable,
  ]);
  assert.ok(command(null).includes('--permission'));
});

test('the engine consists of just-bash and its dependencies, as whole folders of node_modules', () => {
  const names = engine.readable.map((path) => JSON.parse(readFileSync(`${path}/package.json`, 'utf8')).name);
  assert.equal(names[0], 'just-bash');
  assert.ok(names.includes('quickjs-emscripten') && !names.includes('fastify') && !names.includes('pg'));
  for (const path of engine.readable) assert.match(path, /node_modules[\\/]/);
});

test('with bubblewrap, the same command runs without network and without other files', () => {
  const inside = command('/usr/bin/bwrap');
  const bare = command(null);
  assert.deepEqual(
    inside.slice(inside.indexOf('/opt/node', inside.indexOf('--'))),
    bare.slice(bare.indexOf('/opt/node')),
  );
  assert.ok(inside.includes('--unshare-all') && inside.includes('--die-with-parent') && inside.includes('--clearenv'));
  assert.ok(!inside.includes('--share-net') && !inside.includes('--bind'));
});
