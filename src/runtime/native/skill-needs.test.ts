import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Skill } from '#runtime/skills/skill.ts';
import { anyText } from '#test/any-text.ts';
import { isSelfContained, type SkillNeeds } from './needs.ts';
import { readRequirement } from './python-needs.ts';
import { needsOfSkill } from './skill-needs.ts';

function needs(files: Record<string, string>, metadata: Record<string, unknown> = {}): SkillNeeds {
  const contents = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  const path = Object.keys(files)[0] ?? '';
  const language = path.endsWith('.py') ? 'python' : path.endsWith('.js') ? 'javascript' : 'bash';
  return needsOfSkill({ entry: { path, language }, contents } as Pick<Skill, 'entry' | 'contents'>, metadata);
}
const packagesOf = (found: SkillNeeds) =>
  found.packages.map(({ ecosystem, name, wanted, from }) => `${ecosystem} ${name}${wanted} (${from})`);

test('a script that imports only its own files and the standard library needs nothing', () => {
  const found = needs({
    'scripts/run.py': 'import json, sys\nfrom lib.words import count\nimport words\n',
    'scripts/lib/words.py': 'import re\n',
  });
  assert.ok(isSelfContained(found), JSON.stringify(found));
});

test('inline metadata takes precedence over requirements.txt, and that over imports', () => {
  const metadata =
    '# /// script\n# requires-python = ">=3.9"\n# dependencies = [\n#   "requests[socks] >= 2.31",\n# ]\n# ///\n';
  const files = { 'scripts/run.py': `${metadata}import yaml\n`, 'requirements.txt': 'rich\n' };
  assert.deepEqual(packagesOf(needs(files)), ['pypi requests[socks]>=2.31 (script metadata)']);
  const without = { 'scripts/run.py': 'import yaml\n', 'requirements.txt': '# tools\nRich_Text==1.0  # pinned\n\n' };
  assert.deepEqual(packagesOf(needs(without)), ['pypi rich-text==1.0 (requirements.txt)']);
  assert.deepEqual(packagesOf(needs({ 'scripts/run.py': 'import yaml\n' })), ['pypi pyyaml (import)']);
});

test('a skill without a main script needs what any of its scripts needs', () => {
  const contents = new Map(
    Object.entries({
      'scripts/a.py': '# /// script\n# dependencies = ["rich>=13"]\n# ///\nimport rich\n',
      'scripts/b.py': 'import yaml\n',
      'scripts/c.mjs': "import { z } from 'zod'\n",
      'notes/d.py': 'print(1)\n',
    }).map(([path, text]) => [path, Buffer.from(text)]),
  );
  const found = packagesOf(needsOfSkill({ entry: null, contents }, {}));
  assert.deepEqual(found.toSorted(), ['npm zod (import)', 'pypi pyyaml (import)', 'pypi rich>=13 (script metadata)']);
});

test('never installs an import that is not on the reviewed list, and reports its file', () => {
  const found = needs({ 'scripts/run.py': 'import reqeusts\nfrom mystery.part import thing\n' });
  assert.deepEqual(found.packages, []);
  assert.deepEqual(found.unknown_imports, [
    { name: 'reqeusts', file: 'scripts/run.py' },
    { name: 'mystery', file: 'scripts/run.py' },
  ]);
});

test('ignores imports inside functions and try blocks', () => {
  assert.ok(
    isSelfContained(
      needs({ 'scripts/run.py': 'def f():\n    import numpy\ntry:\n    import rich\nexcept ImportError: pass\n' }),
    ),
  );
});

test('refuses options, URLs and file references in requirements.txt', () => {
  const text =
    '--index-url https://evil.example\n-r other.txt\ngit+https://example.com/x\nx @ https://evil.example/x.whl\n./local\nrich>=1\n';
  const found = needs({ 'run.py': '', 'requirements.txt': text });
  assert.deepEqual(packagesOf(found), ['pypi rich>=1 (requirements.txt)']);
  assert.equal(found.refused.length, 5);
  assert.match(found.refused[0] ?? '', /index-url.*option for pip/);
});

test('JavaScript: takes packages from package.json if they are in the registry, else reviewed imports', () => {
  const manifest = {
    dependencies: { axios: '^1.7.0', evil: 'git+https://example.com/x', local: 'file:../x', any: 'latest' },
  };
  const found = needs({ 'scripts/run.js': "import fs from 'node:fs';\n", 'package.json': JSON.stringify(manifest) });
  assert.deepEqual(packagesOf(found), ['npm axios^1.7.0 (package.json)', 'npm any (package.json)']);
  assert.equal(found.refused.length, 2);
  const source =
    "import { z } from 'zod';\nimport './local.js';\nconst x = require('left-pad');\nimport http from 'node:http';\nimport a from '@octokit/rest/x';\n";
  const bare = needs({ 'scripts/run.js': source });
  assert.deepEqual(packagesOf(bare), ['npm zod (import)', 'npm @octokit/rest (import)']);
  assert.deepEqual(bare.unknown_imports, [{ name: 'left-pad', file: 'scripts/run.js' }]);
  assert.deepEqual(bare.native_modules, ['http']);
});

test('reads programs, variables and packages from the metadata of a ClawHub skill', () => {
  const openclaw = {
    requires: { bins: ['jq', 'playwright-cli'], anyBins: ['magick', 'convert'], env: ['API_KEY', 'no good'] },
    install: [
      { kind: 'node', package: '@playwright/mcp@latest', bins: ['playwright-cli'] },
      { kind: 'uv', package: 'yt-dlp', bins: ['yt-dlp'] },
      { kind: 'brew', formula: 'jq', bins: ['jq'] },
      { kind: 'node', package: '../../evil' },
    ],
  };
  const found = needs({ 'scripts/run.sh': 'jq .\n' }, { openclaw });
  assert.deepEqual(packagesOf(found), ['npm @playwright/mcp (install)', 'pypi yt-dlp (install)']);
  assert.deepEqual(found.programs, [{ any_of: ['jq'] }, { any_of: ['magick', 'convert'] }]);
  assert.deepEqual(found.environment, ['API_KEY']);
  assert.equal(found.refused.length, 1);
});

test('standard modules that WebAssembly lacks require a native run', () => {
  assert.deepEqual(needs({ 'run.py': 'import subprocess\n' }).native_modules, ['subprocess']);
});

test('modules and programs that the engines of WebAssembly lack require a native run', () => {
  const files = {
    'run.js':
      "import { readFile } from 'node:fs/promises';\nimport fs from 'fs';\nimport { join } from 'node:path';\nimport { createHash } from 'crypto';\n",
  };
  assert.deepEqual(needs(files).native_modules, ['fs/promises', 'crypto']);
  const shell = '# git in a comment\nDIR=$(mktemp -d)\nif ! git status; then exit 1; fi\necho "node is not started"\n';
  assert.deepEqual(needs({ 'run.sh': shell }).native_modules, ['git', 'mktemp']);
  assert.deepEqual(needs({ 'run.sh': 'jq . | grep x\n' }).native_modules, []);
});

test('imports inside texts, and large modules of the skill itself, are not packages', () => {
  const template =
    'TEXT = """\nimport your_package\nfrom other import x\n"""\nimport yaml # it\'s """ here\nimport rich\n';
  const found = needs({ 'scripts/run.py': template, 'scripts/icons.py': `X = "${'a'.repeat(300_000)}"\n` });
  assert.deepEqual(found.unknown_imports, []);
  assert.deepEqual(packagesOf(found), ['pypi pyyaml (import)', 'pypi rich (import)']);
  assert.deepEqual(
    needs({ 'run.py': 'import icons\n', 'icons.py': `X = "${'a'.repeat(300_000)}"\n` }).unknown_imports,
    [],
  );
});

test('any text gives a list of needs within the limits', () => {
  const file = fc.record({
    text: anyText({ maxLength: 400 }),
    requirements: anyText({ maxLength: 400 }),
  });
  fc.assert(
    fc.property(file, ({ text, requirements }) => {
      const found = needs({ 'scripts/run.py': text, 'requirements.txt': requirements });
      for (const list of Object.values(found)) assert.ok(list.length <= 100);
      for (const { name } of found.packages) assert.match(name, /^[a-z0-9][a-z0-9-]*$/);
    }),
    { numRuns: 200 },
  );
});

test('drops the markers of a requirement and normalizes its name, extras and specifiers', () => {
  const read = readRequirement('Foo.Bar [ A, b ] (>=1, <2) ; python_version < "3.13"', 'requirements.txt');
  assert.deepEqual(read, { ecosystem: 'pypi', name: 'foo-bar', wanted: '[A,b]>=1,<2', from: 'requirements.txt' });
});
