import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { loadSkills, readSkillFiles, SKILL_LIMITS } from './load-skills.ts';

const META = 'metadata:\n  version: "1.2.3"\n  capstan-execution-class: scripted\n  capstan-entry: scripts/run.py\n';
const SKILL_MD = `---\nname: demo\ndescription: Shows.\nlicense: MIT\n${META}---\n# Demo\n`;
const DEMO: Record<string, string> = {
  'SKILL.md': SKILL_MD,
  'scripts/run.py': 'print(1)\n',
  'assets/example.json': '{"a":1}',
};

/** Writes `files` as the skill `name` and loads the directory. */
async function load(files: Record<string, string>, name = 'demo', change?: (dir: string) => Promise<void>) {
  const dir = await mkdtemp(join(tmpdir(), 'capstan-skills-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(dir, name, path)), { recursive: true });
      await writeFile(join(dir, name, path), text);
    }
    await change?.(join(dir, name));
    return await loadSkills(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}
const refuses = (loading: Promise<unknown>, detail: RegExp) =>
  assert.rejects(loading, { name: 'Problem', code: 'skills.invalid', message: detail });

test('loads a whole skill into memory, independent of its folder and of returned copies', async () => {
  const store = await load({ ...DEMO, '.hidden': 'x' });
  const skill = store.get('demo');
  assert.ok(skill);
  assert.deepEqual(store.skills, [skill]);
  assert.deepEqual(
    skill.files.map((file) => file.path),
    ['SKILL.md', 'assets/example.json', 'scripts/run.py'],
  );
  assert.deepEqual(
    {
      version: skill.version,
      license: skill.license,
      execution_class: skill.execution_class,
      entry: skill.entry,
      example: skill.example,
      body: skill.body,
    },
    {
      version: '1.2.3',
      license: 'MIT',
      execution_class: 'scripted',
      entry: { path: 'scripts/run.py', language: 'python' },
      example: { input: { a: 1 } },
      body: '# Demo\n',
    },
  );
  const files = await readSkillFiles(skill);
  assert.equal(Buffer.from(files.get('scripts/run.py') ?? []).toString(), 'print(1)\n');
  files.get('scripts/run.py')?.fill(0);
  assert.equal(skill.contents.get('scripts/run.py')?.[0], 'p'.charCodeAt(0));
});

test('changing or adding a file changes the digest', async () => {
  const digests = await Promise.all(
    [DEMO, { ...DEMO, 'scripts/run.py': 'print(2)\n' }, { ...DEMO, 'assets/x.txt': '' }, DEMO].map(
      async (files) => (await load(files)).get('demo')?.digest,
    ),
  );
  assert.equal(new Set(digests).size, 3);
  assert.equal(digests[0], digests[3]);
});

test('refuses an invalid skill and names the file', async () => {
  const md = (from: string, to: string) => ({ ...DEMO, 'SKILL.md': SKILL_MD.replace(from, to) });
  await refuses(load({ 'scripts/run.py': '' }), /demo\/SKILL\.md is missing/);
  await refuses(load(DEMO, 'other'), /other\/SKILL\.md \/name must equal/);
  await refuses(load(DEMO, 'Not_a_name'), /Not_a_name is not a skill name/);
  await refuses(load(md('"1.2.3"', '"one"')), /SKILL\.md \/metadata\/version/);
  await refuses(load(md('scripted', 'magic')), /capstan-execution-class must be one of/);
  await refuses(load(md('scripts/run.py', 'scripts/none.py')), /capstan-entry names scripts\/none\.py/);
  await refuses(load(md('scripts/run.py', 'scripts/../SKILL.md')), /capstan-entry names/);
  await refuses(load({ ...md('run.py', 'run.rb'), 'scripts/run.rb': '' }), /must end in/);
  await refuses(load(md('  capstan-entry: scripts/run.py\n', '')), /capstan-entry is missing/);
  await refuses(load({ ...DEMO, 'assets/example.json': '{' }), /example\.json is not JSON/);
  await refuses(load({ ...DEMO, 'a b.txt': '' }), /a b\.txt has a name/);
  await refuses(load({ ...DEMO, 'big.txt': 'x'.repeat(SKILL_LIMITS.file_bytes + 1) }), /big\.txt is over/);
  await refuses(loadSkills('/nonexistent/skills'), /cannot be read/);
});

test('refuses symlinks wherever they point', async () => {
  await refuses(
    load(DEMO, 'demo', (dir) => symlink('/etc/hostname', join(dir, 'assets/link.txt'))),
    /link\.txt is a symbolic link/,
  );
  await refuses(
    load(DEMO, 'demo', (dir) => symlink('scripts', join(dir, 'more'))),
    /more is a symbolic link/,
  );
  await refuses(
    load(DEMO, 'demo', (dir) => symlink('demo', join(dir, '..', 'twin'))),
    /twin is not a directory/,
  );
});
