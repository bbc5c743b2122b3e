import assert from 'node:assert/strict';
import { test } from 'node:test';
import { belowRoot, isSkillMd, pickSkill, takeFolder } from './pick-skill.ts';
import { requiredEnvironment, skillOfFiles } from './skill-of-files.ts';

const files = (texts: Record<string, string>) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
const md = (frontmatter: string, body = 'Do it.') => `---\n${frontmatter}\n---\n${body}`;
const LISTED = { name: 'Listed Name', description: 'listed', version: '', license: '' };

test('finds a skill by its directory, by its name, or as the only one', () => {
  const found = files({
    'skills/alpha/SKILL.md': md('name: alpha'),
    '.claude/skills/alpha/SKILL.md': md('name: alpha'),
    'other/dir/SKILL.md': md('name: Beta Two'),
  });
  const nameless = files({ 'odd/SKILL.md': md('name: { toString: 1 }'), 'x/SKILL.md': md('name: right') });
  assert.equal(pickSkill(nameless, { under: '', name: 'right' }), 'x');
  assert.equal(pickSkill(found, { under: '', name: 'alpha' }), 'skills/alpha', 'the shortest path of two copies');
  assert.equal(pickSkill(found, { under: '', name: 'beta-two' }), 'other/dir');
  assert.equal(pickSkill(found, { under: '.claude', name: 'alpha' }), '.claude/skills/alpha');
  assert.equal(pickSkill(found, { under: 'other', name: '' }), 'other/dir');
  assert.equal(pickSkill(files({ 'SKILL.md': 'x' }), { under: '', name: '' }), '');
  for (const [wish, said] of [
    [{ under: '', name: '' }, /contain 3 skills \("alpha", "alpha", "dir"\)/],
    [{ under: '', name: 'gamma' }, /no skill "gamma"/],
    [{ under: 'oth', name: '' }, /no SKILL\.md/],
  ] as const)
    assert.throws(() => pickSkill(found, wish), said);
});

const entry = (path: string, kind: 'file' | 'directory' | 'other' = 'file', size = 1) => ({ path, kind, size });

test('takes only plain files in the skill’s folder, and refuses links, large files and deep paths there', () => {
  const take = takeFolder('skills/a');
  assert.deepEqual(
    [
      'skills/a/SKILL.md',
      'skills/a/x/y z.txt',
      'skills/ab/SKILL.md',
      'skills/a/.git/config',
      'skills/a/node_modules/x/i.js',
    ].map((path) => take(entry(path))),
    [true, true, false, false, false],
  );
  assert.equal(take(entry('skills/a', 'directory')), false);
  assert.equal(take(entry('elsewhere', 'other')), false);
  assert.throws(() => take(entry('skills/a/link', 'other')), /is a link/);
  assert.throws(() => take(entry('skills/a/big', 'file', 2 ** 20 + 1)), /over 1048576 bytes/);
  assert.throws(() => take(entry(`skills/a/${'d/'.repeat(9)}x`)), /nested too deep/);
  const many = takeFolder('');
  assert.throws(() => Array.from({ length: 201 }, (_, n) => many(entry(`f${n}`))), /more than 200 files/);
  const large = takeFolder('');
  assert.throws(
    () => Array.from({ length: 9 }, (_, n) => large(entry(`f${n}`, 'file', 2 ** 20))),
    /over 8388608 bytes/,
  );
  assert.throws(() => belowRoot(files({ 'a/b': '', 'a/b/c': '' }), 'a'), /"b" is a file and a directory/);
  assert.deepEqual([...belowRoot(files({ 'a/b': '' }), 'a').keys()], ['b']);
  assert.ok(!isSkillMd(entry('a/SKILL.md', 'other')) && !isSkillMd(entry('a/NOTSKILL.md')));
});

test('a scripted skill runs its declared entry, its only script, or scripts/main', () => {
  const scripted = (more: Record<string, string>, frontmatter = 'name: a') => {
    const { execution_class, entry: start } = skillOfFiles(files({ 'SKILL.md': md(frontmatter), ...more }), LISTED);
    return [execution_class, start?.path ?? null];
  };
  assert.deepEqual(scripted({ 'scripts/go.py': '' }), ['scripted', 'scripts/go.py']);
  assert.deepEqual(scripted({ 'scripts/x.py': '', 'scripts/main.sh': '' }), ['scripted', 'scripts/main.sh']);
  assert.deepEqual(scripted({ 'scripts/x.py': '', 'scripts/y.sh': '' }), ['prompt', null]);
  assert.deepEqual(scripted({ 'scripts/x.rb': '' }), ['prompt', null]);
  assert.deepEqual(
    scripted({ 'tools/x.py': '', 'scripts/y.sh': '', 'scripts/z.sh': '' }, 'metadata:\n  capstan-entry: tools/x.py'),
    ['scripted', 'tools/x.py'],
  );
  assert.deepEqual(scripted({ 'scripts/x.py': '' }, 'metadata:\n  capstan-entry: ../../x.py'), ['prompt', null]);
  assert.deepEqual(scripted({ 'scripts/x.py': '' }, 'metadata:\n  capstan-execution-class: prompt'), [
    'prompt',
    'scripts/x.py',
  ]);
});

test('takes missing or invalid frontmatter from the listing, and refuses files without a valid SKILL.md', () => {
  const own = skillOfFiles(
    files({ 'SKILL.md': md('name: Own Name!\ndescription: own\nversion: 9\nmetadata: {version: 1.2.0}', 'Body') }),
    LISTED,
  );
  assert.deepEqual([own.name, own.description, own.version, own.body], ['own-name', 'own', '1.2.0', 'Body']);
  for (const text of ['# No frontmatter', md('name: [broken'), md('- a list'), '---\nname: x']) {
    const skill = skillOfFiles(files({ 'SKILL.md': text }), LISTED);
    assert.deepEqual([skill.name, skill.description, skill.body], ['listed-name', 'listed', text]);
    assert.match(skill.version, /^[0-9a-f]{12}$/);
    assert.ok(skill.digest.startsWith(`sha256:${skill.version}`));
  }
  assert.throws(() => skillOfFiles(new Map([['SKILL.md', Buffer.from([0xff, 0xfe])]]), LISTED), /not UTF-8/);
  assert.throws(() => skillOfFiles(files({ 'readme.md': '' }), LISTED), /no SKILL\.md/);
});

test('reads required environment variables from openclaw and clawdbot metadata', () => {
  const asked = (frontmatter: string) =>
    requiredEnvironment(skillOfFiles(files({ 'SKILL.md': md(frontmatter) }), LISTED));
  assert.deepEqual(asked('metadata: {openclaw: {requires: {env: [A_KEY, A_KEY, "b c", 3]}}}'), ['A_KEY']);
  assert.deepEqual(asked(`metadata: '{"clawdbot":{"requires":{"env":["TOKEN"]}}}'`), ['TOKEN']);
  assert.deepEqual(asked('metadata: {openclaw: {requires: {bins: [ffmpeg]}}}'), []);
});
