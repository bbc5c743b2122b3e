import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { bump, PLACES, versionsIn } from '../../scripts/bump.ts';
import { nextVersion, parseChange, withSection } from '../../scripts/changesets.ts';
import { FILES, ROOT, read } from './tree.ts';

const change = (size: string, body: string) => parseChange('x.md', `---\n"capstan": ${size}\n---\n\n${body}`);

test('every file in .changeset is valid', () => {
  for (const path of FILES.filter((file) => /^\.changeset\/(?!README).*\.md$/.test(file)))
    parseChange(path, read(path));
});

test('the version is the same in every file that names it', () => {
  const versions = versionsIn(ROOT);
  assert.deepEqual(
    versions.filter(([, version]) => version !== versions[0]?.[1]),
    [],
  );
});

test('changelog entries are grouped by area, and the largest change decides the next version', () => {
  const changes = [
    change('patch', '### Fixes\n\n- One.\n  And more.\n'),
    change('minor', '### Pages\n\n- Two.\n\n### Fixes\n- Three.\n'),
  ];
  assert.equal(nextVersion('0.1.9', changes), '0.2.0');
  assert.equal(nextVersion('0.1.9', changes.slice(0, 1)), '0.1.10');
  assert.equal(nextVersion('0.1.9', [change('major', '### Pages\n- x\n')]), '1.0.0');
  assert.equal(
    withSection('# Changelog\n\nVersions.\n\n## 0.1.9\n- Old.\n', '0.2.0', changes),
    '# Changelog\n\nVersions.\n\n## 0.2.0\n\n### Pages\n\n- Two.\n\n### Fixes\n\n- One.\n  And more.\n- Three.\n\n## 0.1.9\n- Old.\n',
  );
});

test('an invalid change file is rejected with an error that names it', () => {
  for (const [text, why] of [
    ['### Fixes\n- One.', /x\.md: begin with/],
    ['---\n"capstan": huge\n---\n### Fixes\n- One.', /x\.md: begin with/],
    ['---\n"capstan": patch\n---\n- One.', /x\.md: write "###/],
    ['---\n"capstan": patch\n---\n### Elsewhere\n- One.', /x\.md: areas are Breaking/],
    ['---\n"capstan": patch\n---\n### Fixes\nOne.', /x\.md: not a heading or a list item: One\./],
    ['---\n"capstan": patch\n---\n### Fixes\n', /x\.md: describe the change/],
  ] as const)
    assert.throws(() => parseChange('x.md', text), { message: why });
});

test('npm run bump writes the new version everywhere and moves the changes into CHANGELOG.md', () => {
  const root = mkdtempSync(join(tmpdir(), 'capstan-bump-'));
  try {
    for (const file of new Set([...PLACES.map(([path]) => path), 'CHANGELOG.md'])) {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      cpSync(join(ROOT, file), join(root, file));
    }
    assert.throws(() => bump(root, '2026-12-01'), /no change/);
    mkdirSync(join(root, '.changeset'));
    writeFileSync(join(root, '.changeset/README.md'), 'not a change');
    writeFileSync(join(root, '.changeset/one.md'), '---\n"capstan": minor\n---\n\n### Fixes\n\n- One.\n');
    assert.deepEqual(bump(root, '2026-12-01', '7.8.9'), { version: '7.8.9', changes: 1 });
    assert.deepEqual([...new Set(versionsIn(root).map(([, version]) => version))], ['7.8.9']);
    assert.match(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), /^## 7\.8\.9, 2026-12-01\n\n### Fixes\n\n- One\.$/m);
    assert.throws(() => readFileSync(join(root, '.changeset/one.md')), { code: 'ENOENT' });
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  } finally {
    rmSync(root, { recursive: true });
  }
});
