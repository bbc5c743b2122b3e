import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '#test/databases.ts';
import { HARNESS_FILE, harnessesStand } from '#test/harnesses-stand.ts';
import { DIRECTORY_EXAMPLE } from './examples.ts';
import { readUsage } from './usage.ts';

const database = await openTestDatabase();
after(() => database.close());
const { ask, refusal, newUser, deps } = harnessesStand(database, { per_user: 2, bytes_per_user: 600 });

const YAML = 'version: "1"\nkind: harness\nmetadata: { name: from-yaml, description: By its manifest alone. }\n';

test('201: creates a harness with memory from HARNESS.md, or from harness.yaml alone', async () => {
  const as = await newUser();
  const { status, body } = await ask(as, 'harnesses.create', { body: { files: DIRECTORY_EXAMPLE.files } });
  assert.deepEqual([status, body.name, body.version, body.is_new], [201, 'release-notes', 1, true]);
  const memory = await ask(as, 'memory.get', { id: body.id, path: 'style/tense.md' });
  assert.equal(memory.body.content, 'Write in the present tense.\n');
  const yaml = await ask(as, 'harnesses.create', { body: { files: [{ path: 'harness.yaml', content: YAML }] } });
  assert.deepEqual([yaml.body.name, yaml.body.description], ['from-yaml', 'By its manifest alone.']);
});

test('422, 400, 413 or 409: invalid files with the field at fault; stores nothing', async () => {
  const as = await newUser();
  const bad: [files: object[], code: string][] = [
    [[{ path: 'notes.md', content: 'x' }], '422 harnesses.invalid /files'],
    [[{ path: 'harness.yaml', content: 'version: "1"\nkind: harness\n' }], '422 harnesses.invalid /files'],
    [[HARNESS_FILE, { path: 'harness.yaml', content: `${YAML}surprise: 1\n` }], '422 harnesses.invalid /files/1'],
    [
      [
        { path: 'memory/a', content: 'x' },
        { ...HARNESS_FILE, content: `${HARNESS_FILE.content}\n@HARNESS.md\n` },
      ],
      '422 harnesses.invalid /files/1',
    ],
    [[HARNESS_FILE, { path: 'Memory/a', content: 'x' }], '422 harnesses.invalid /files/1/path'],
    [
      [HARNESS_FILE, { path: 'memory/a', content: 'x' }, { path: 'memory/a', content: 'y' }],
      '422 harnesses.invalid /files/2/path',
    ],
    [[HARNESS_FILE, { path: 'memory/../a', content: 'x' }], '400 http.invalid /files/1/path'],
    [[HARNESS_FILE, { path: 'memory/a', base64: '/wA=' }], '422 harnesses.invalid /files/1'],
    [[HARNESS_FILE, { path: 'memory/a', content: 'x'.repeat(102_401) }], '413 harnesses.too_large /files/1/content'],
    [[HARNESS_FILE, { path: 'context/A b.md', content: '---\n---\n' }], '422 harnesses.invalid /files/1'],
    [
      [HARNESS_FILE, { path: 'context/a.md', content: '---\nmax_characters: 1\n---\nab' }],
      '422 harnesses.invalid /files/1/content',
    ],
    [[HARNESS_FILE, { path: 'x', base64: '*' }], '400 http.invalid /files/1'],
    [[HARNESS_FILE, { path: 'memory/a', content: 'x'.repeat(601) }], '409 users.limit_exceeded'],
  ];
  for (const [files, code] of bad) assert.equal(await refusal(as, 'harnesses.create', { body: { files } }), code);
  const wrong = { files: [HARNESS_FILE], digest: `sha256:${'0'.repeat(64)}` };
  assert.equal(await refusal(as, 'harnesses.create', { body: wrong }), '422 harnesses.invalid /digest');
  assert.deepEqual(await readUsage(deps.db, as.id), { harnesses: 0, memories: 0, bytes: 0 });
});

test('409: a name that the account already uses, and more harnesses than the limit', async () => {
  const as = await newUser();
  const named = (name: string) => ({ ...HARNESS_FILE, content: HARNESS_FILE.content.replace('release-notes', name) });
  await ask(as, 'harnesses.create', { body: { files: [HARNESS_FILE] } });
  const again = { body: { files: [HARNESS_FILE] } };
  assert.equal(await refusal(as, 'harnesses.create', again), '409 harnesses.conflict');
  await ask(as, 'harnesses.create', { body: { files: [named('second')] } });
  const third = { body: { files: [named('third')] } };
  assert.equal(await refusal(as, 'harnesses.create', third), '409 users.limit_exceeded');
});
