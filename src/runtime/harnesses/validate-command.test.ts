import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { validateCommand } from './validate-command.ts';

const root = await mkdtemp(join(tmpdir(), 'capstan-validate-'));
after(() => rm(root, { recursive: true }));

async function directory(name: string, files: Record<string, string>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name, path)), { recursive: true });
    await writeFile(join(root, name, path), text);
  }
  return join(root, name);
}

async function validate(...argv: string[]) {
  const said: unknown[] = [];
  const exit = await validateCommand(argv, {
    stdout: { write: (text) => said.push(text) },
    stderr: { write: (text) => said.push(text) },
  });
  return { exit, lines: said.join('').replaceAll(root, '').trim().split('\n') };
}

const SKILL = '---\nname: demo\ndescription: Shows.\n---\n# Demo\n';

test('exit 0: a skill without errors; prints warnings unless --quiet is given', async () => {
  const dir = await directory('demo', {
    'SKILL.md': `${SKILL}rm -rf /\n`,
    '.git/config': 'x',
    'scripts/a.sh': 'echo\n',
  });
  const { exit, lines } = await validate(dir);
  assert.equal(exit, 0);
  assert.match(lines[0] ?? '', /^\/demo\/SKILL\.md:6:1: warning destructive-command: .* Remove it/);
  assert.match(lines[1] ?? '', /^\/demo\/SKILL\.md:6:1: warning dangerous-command: .* Remove it/);
  assert.equal(lines[2], 'skill valid: 0 errors, 2 warnings');
  assert.deepEqual((await validate(dir, '--quiet')).lines, ['skill valid: 0 errors, 2 warnings']);
});

test('exit 1: prints errors with path, line and column, including symlinks', async () => {
  const dir = await directory('other', { 'SKILL.md': SKILL, 'references/a.md': 'a' });
  await symlink('/etc/hostname', join(dir, 'references/b.md'));
  const { exit, lines } = await validate(dir);
  assert.equal(exit, 1);
  assert.deepEqual(
    lines.map((line) => line.split(': ').slice(0, 2).join(': ')),
    [
      '/other/references/b.md:1:1: error link-in-tree',
      '/other/SKILL.md:2:1: error name-directory',
      'skill not valid: 2 errors, 0 warnings',
    ],
  );
});

test('detects a harness by its files, and --json prints all violations', async () => {
  const dir = await directory('rig', {
    'HARNESS.md': SKILL.replace('demo', 'rig'),
    'harness.yaml': 'version: "2"\nkind: harness\n',
  });
  const { exit, lines } = await validate(dir, '--json');
  const said = JSON.parse(lines.join('')) as {
    kind: string;
    errors: number;
    violations: { rule: string; line: number }[];
  };
  assert.deepEqual(
    [exit, said.kind, said.errors, said.violations[0]?.rule, said.violations[0]?.line],
    [1, 'harness', 1, 'manifest-version', 1],
  );
});

test('throws command.invalid for a path that is not a directory', async () => {
  await assert.rejects(validate(join(root, 'nowhere')), { code: 'command.invalid', reason: 'directory' });
});

test('exit 2: no path, or more than one', async () => {
  for (const argv of [[], ['a', 'b']]) assert.equal((await validate(...argv)).exit, 2);
});
