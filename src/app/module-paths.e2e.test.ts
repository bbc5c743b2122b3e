import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Modules in a directory of their own, imported by Node alone and by Node with `module-paths.mjs`. */

const run = promisify(execFile);
const HOOK = new URL('module-paths.mjs', import.meta.url).href;
const dir = await mkdtemp(join(tmpdir(), 'capstan-modules-'));
after(() => rm(dir, { recursive: true, force: true }));

const REPORT = 'export default import.meta.url;\n';
const FILES = {
  'package.json': '{"type":"module"}',
  'src/one.ts': REPORT,
  'src/two.ts': `import type { Absent } from './absent.ts';\n${REPORT}`,
  'src/three.js': REPORT,
  'src/data.json': '{"default":1}',
  'src/old/package.json': '{"type":"commonjs"}',
  'src/old/one.js': 'module.exports = require("./two").name;\n',
  'src/old/two.js': 'exports.name = __filename;\n',
  'src/old/three.mjs': REPORT,
  'src/old/four.mjs': REPORT,
  'node_modules/pkg/package.json':
    '{"name":"pkg","type":"module","exports":"./index.js","imports":{"#own/one.js":"./other.js"}}',
  'node_modules/pkg/index.js':
    'import own from "#own/one.js";\nimport { two } from "./lib/two.js";\nexport default [own, two];\n',
  'node_modules/pkg/other.js': REPORT,
  'node_modules/pkg/lib/two.js':
    'export { default as three } from "./three.js";\nexport const two = import.meta.url;\n',
  'node_modules/pkg/lib/three.js': REPORT,
  'main.ts': `
const found = [];
const names = ['one.ts', 'two.ts', 'two.ts?again', 'three.js', 'old/one.js', 'old/two.js', 'old/three.mjs', 'old/four.mjs'];
for (const name of names) found.push((await import('./src/' + name)).default);
for (const name of ['one.ts', 'three.ts']) found.push(await import('./linked/' + name).then((m) => m.default, () => null));
found.push((await import('./src/data.json', { with: { type: 'json' } })).default, (await import('pkg')).default);
found.push(await import('./src/absent.ts').catch(() => 'absent'), await import('./src/absent.js').catch(() => 'absent'));
console.log(JSON.stringify(found));
`,
};

test('imports resolve to the same modules as without the hook, and a missing file is refused', async () => {
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  await symlink(join(dir, 'src'), join(dir, 'linked'));
  const [alone, hooked] = await Promise.all(
    [[], ['--import', HOOK]].map(async (flags) => {
      const { stdout } = await run(process.execPath, [...flags, join(dir, 'main.ts')]);
      return JSON.parse(stdout) as unknown[];
    }),
  );
  assert.deepEqual(hooked, alone);
  assert.ok(alone?.includes(pathToFileURL(join(dir, 'src/two.ts')).href), 'modules were loaded');
  assert.deepEqual(alone?.slice(-2), ['absent', 'absent']);
});
