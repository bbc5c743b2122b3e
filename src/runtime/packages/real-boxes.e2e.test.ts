import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBwrapDriver, SMALL_LIMITS } from '#runtime/boxes/bwrap-driver.ts';
import { hostDriver } from '#test/packages/host-driver.ts';
import { openNpmRegistry } from '#test/packages/npm-registry.ts';
import { openPypiIndex } from '#test/packages/pypi-index.ts';
import { npmCliHere, openTestPackages, ref } from '#test/packages/store.ts';
import type { InstallDriver } from './install-box.ts';
import type { Prepared } from './package.ts';
import { findPython } from './python.ts';

/** Steps without network run in real boxes; those that reach the loopback registry run on the host. */
const bwrap = await openBwrapDriver();
after(() => bwrap.close());
const host = hostDriver();
const boxes: InstallDriver = {
  start: (order) => (order.egress.mode === 'none' ? bwrap.start(order) : host.start(order)),
};
const noBoxes = bwrap.isolation === null ? 'bubblewrap cannot start boxes here' : false;
const noNpm = npmCliHere() === null ? 'no npm CLI that is new enough is installed' : false;
const noPython = await findPython(null).then(
  () => false,
  (error: Error) => error.message,
);

async function runInBox({ entry, mounts }: Prepared): Promise<string> {
  const { argv, env, cwd } = entry;
  const limits = Object.assign({}, SMALL_LIMITS, { memory_bytes: 512 * 1_048_576 });
  const box = await bwrap.start({ argv, env, cwd, mounts, disk: null, limits, egress: { mode: 'none', watch: false } });
  let text = '';
  for (const stream of [box.stdout, box.stderr]) stream.on('data', (chunk) => (text += chunk));
  box.stdin.end();
  const { message } = await box.gone;
  return text === '' ? message : text;
}

test('an npm package runs in a box: read-only, with its dependencies’ programs and its compile cache', {
  skip: noBoxes || noNpm,
}, async () => {
  const registry = await openNpmRegistry();
  const packages = openTestPackages({ npm_registry: registry.url }, { boxes });
  const source = `
    const attempt = (path) => { try { require('fs').writeFileSync(path, 'x'); return 'written'; } catch ({ code }) { return code; } };
    const { execFileSync } = require('child_process');
    console.log([__filename, attempt(__filename), attempt('/package/new'), attempt('/package-cache/new')].join());
    console.log(require('module').getCompileCacheDir().split('/')[1], String(execFileSync('tool')).trim());`;
  registry.publish('tool', {
    version: '1.0.0',
    manifest: { bin: 'tool.js' },
    files: [{ path: 'tool.js', text: '#!/usr/bin/env node\nconsole.log("tool ran")' }],
  });
  registry.publish('boxed', {
    version: '1.0.0',
    manifest: { bin: 'a.js', dependencies: { tool: '1.0.0' } },
    files: [{ path: 'a.js', text: source }],
  });
  try {
    const prepared = await packages.store.prepare(ref('npm', 'boxed', '1.0.0'));
    assert.equal(
      await runInBox(prepared),
      '/package/node_modules/boxed/a.js,EROFS,EROFS,EROFS\npackage-cache tool ran\n',
    );
    await packages.store.verify(prepared);
  } finally {
    await packages.close();
    await registry.close();
  }
});

test('pip installs in a box without network, and the package loads its compiled files', {
  skip: noBoxes || noPython,
}, async () => {
  const index = await openPypiIndex();
  const packages = openTestPackages({ pypi_index: index.url }, { boxes });
  index.publish('boxed', {
    version: '1.0.0',
    scripts: { boxed: 'boxed:main' },
    files: [{ path: 'boxed.py', bytes: 'import os\ndef main(): print(__file__, os.path.exists(__cached__))\n' }],
  });
  try {
    const prepared = await packages.store.prepare(ref('pypi', 'boxed', '1.0.0'));
    assert.equal(await runInBox(prepared), '/package/site/boxed.py True\n');
    await packages.store.verify(prepared);
  } finally {
    await packages.close();
    await index.close();
  }
});
