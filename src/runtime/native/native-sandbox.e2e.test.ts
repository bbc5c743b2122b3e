import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openBwrapDriver, SMALL_LIMITS } from '#runtime/boxes/bwrap-driver.ts';
import { findPython } from '#runtime/packages/python.ts';
import { hostDriver } from '#test/packages/host-driver.ts';
import { openNpmRegistry } from '#test/packages/npm-registry.ts';
import { npmCliHere, openTestPackages } from '#test/packages/store.ts';
import { type NativeRequest, runNative } from './native-sandbox.ts';

/** Scripts of each language in real boxes. */

const boxes = await openBwrapDriver();
const dir = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-native-')));
after(async () => {
  await boxes.close();
  await rm(dir, { recursive: true, force: true });
});
const skip = boxes.isolation === null && 'bubblewrap cannot start boxes here';
const python = await findPython(null).catch(() => null);
const noPython = python === null && 'python3 with pip is not installed';

function run(entry: string, source: string, more: Partial<NativeRequest> = {}) {
  const language = entry.endsWith('.py') ? 'python' : entry.endsWith('.js') ? 'javascript' : 'bash';
  const request: NativeRequest = {
    language,
    files: new Map([[entry, Buffer.from(source)]]),
    entry,
    stdin: '{"text":"hello"}',
    limits: { timeout_ms: 30_000, memory_mb: 512, output_bytes: 65_536 },
    packages: { npm: null, pypi: null },
    python: { path: python?.path ?? '/usr/bin/python3', mounts: python?.mounts ?? [] },
    env: {},
    secrets: [],
    egress: { mode: 'none', watch: false },
    ...more,
  };
  return runNative({ boxes, dir, limits: SMALL_LIMITS }, request);
}

test('a Python script uses subprocesses and files, and leaves no files on the host', {
  skip: skip || noPython,
}, async () => {
  const source = `
import json, os, subprocess, sys
text = json.load(sys.stdin)['text']
same = json.load(open('/workspace/input/input.json'))['text']
os.makedirs('/workspace/output/deep')
open('/workspace/output/deep/out.txt', 'w').write(text + same)
os.symlink('/etc/passwd', '/workspace/output/link')
print(subprocess.run(['sh', '-c', 'echo sub'], capture_output=True, text=True).stdout.strip(), os.getcwd())
try: open('/workspace/skill/new', 'w')
except OSError as error: print(type(error).__name__)
sys.exit(3)`;
  const { status, exit_code, stdout, output_files, files_left_out, isolation } = await run('scripts/run.py', source);
  assert.equal(stdout, 'sub /workspace/skill\nOSError\n');
  assert.deepEqual([status, exit_code, files_left_out], ['failed', 3, 1]);
  assert.deepEqual(
    [...output_files].map(([path, bytes]) => [path, `${bytes}`]),
    [['deep/out.txt', 'hellohello']],
  );
  assert.equal(isolation, `native+${boxes.isolation}`);
  assert.deepEqual(readdirSync(dir), []);
});

test('a shell script runs programs of this machine', { skip }, async () => {
  const { status, stdout } = await run(
    'run.sh',
    'read -r line; printf "%s" "$line" | sed s/hello/bye/; echo; node --version',
  );
  assert.equal(status, 'completed');
  assert.equal(stdout, `{"text":"bye"}\n${process.version}\n`);
});

test('a script imports the packages prepared for it and runs their programs', {
  skip: skip || (npmCliHere() === null && 'no npm CLI that is new enough is installed'),
}, async () => {
  const registry = await openNpmRegistry();
  // npm runs on the host, because the loopback registry has no host name to grant.
  const packages = openTestPackages({ npm_registry: registry.url }, { boxes: hostDriver() });
  registry.publish('colour', {
    version: '1.0.0',
    manifest: { bin: { paint: 'paint.js' } },
    files: [
      { path: 'index.js', text: 'module.exports = "blue";' },
      { path: 'paint.js', text: '#!/usr/bin/env node\nconsole.log("painted")', mode: 0o755 },
    ],
  });
  try {
    const set = await packages.store.prepareSet({
      ecosystem: 'npm',
      packages: [{ name: 'colour', wanted: '' }],
      lock: null,
    });
    const source = `console.log(require('colour'), require('child_process').execFileSync('paint').toString().trim());`;
    const { stdout, stderr } = await run('scripts/run.js', source, { packages: { npm: set, pypi: null } });
    assert.equal(stdout, 'blue painted\n', stderr);
  } finally {
    await packages.close();
    await registry.close();
  }
});

test('redacts secrets in output, output files and live output', { skip }, async () => {
  const secret = 'very-secret-value';
  const live: string[] = [];
  const source = `
for (const part of ['key: ', ...process.env.API_KEY]) process.stdout.write(part);
console.error(process.env.API_KEY.length, encodeURIComponent(process.env.API_KEY));
require('fs').writeFileSync('/workspace/output/a.txt', 'x' + process.env.API_KEY);
require('fs').writeFileSync('/workspace/output/b.bin', Buffer.concat([Buffer.from([255]), Buffer.from(process.env.API_KEY)]));`;
  const { stdout, stderr, output_files } = await run('run.js', source, {
    env: { API_KEY: secret },
    secrets: [secret],
    on_output: (_stream, chunk) => live.push(Buffer.from(chunk).toString()),
  });
  assert.equal(stdout, 'key: [redacted]');
  assert.equal(stderr, '17 [redacted]\n');
  const files = [...output_files.values()].map((bytes) => Buffer.from(bytes).toString('latin1'));
  assert.deepEqual(files, ['x[redacted]', 'ÿ[redacted]']);
  assert.doesNotMatch(live.join(''), /very-secret/);
  assert.match(live.join(''), /key: /);
});

const ENDS: [string, string, Partial<NativeRequest>, string][] = [
  ['prints endlessly', 'yes', {}, 'output_exceeded'],
  ['fills its output folder', 'head -c 60000000 /dev/zero > /workspace/output/a; sleep 60', {}, 'output_exceeded'],
  [
    'exceeds its time limit',
    'sleep 60',
    { limits: { timeout_ms: 500, memory_mb: 256, output_bytes: 1_000 } },
    'timed_out',
  ],
  [
    'exceeds its memory limit',
    'x=$(head -c 400000000 /dev/zero | tr "\\\\0" a); sleep 60',
    { limits: { timeout_ms: 30_000, memory_mb: 64, output_bytes: 1_000 } },
    'memory_exceeded',
  ],
  ['is canceled', 'sleep 60', { signal: AbortSignal.abort() }, 'cancelled'],
];
for (const [title, source, more, status] of ENDS)
  test(`a script that ${title} ends as ${status} with all its processes`, { skip }, async () => {
    const result = await run('run.sh', source, more);
    assert.equal(result.status, status, result.stderr);
    assert.equal(boxes.counts().running, 0);
    assert.deepEqual(readdirSync(dir), []);
  });

test('a script without network grants cannot connect', { skip }, async () => {
  const source = `fetch('https://api.example.com').then(() => console.log('reached'), ({ cause }) => console.log(cause.code));`;
  const { stdout } = await run('run.js', source);
  assert.match(stdout, /^(EAI_AGAIN|ENOTFOUND|ECONNREFUSED)\n$/);
});
