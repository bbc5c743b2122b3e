import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '#test/databases.ts';
import { HARNESS_FILE, harnessesStand } from '#test/harnesses-stand.ts';

const database = await openTestDatabase();
after(() => database.close());
const { ask, refusal, newUser, newHarness, deps } = harnessesStand(database);

test('404: every operation on another user’s harness, by id and by name', async () => {
  const [as, other] = [await newUser(), await newUser()];
  const { id } = await newHarness(other);
  const asked = [
    ['harnesses.get', {}],
    ['harnesses.update', { body: { delete: true } }],
    ['harnesses.update', { body: { files: [HARNESS_FILE] } }],
    ['memory.list', { query: { search: 'x' } }],
    ['memory.write', { body: { memories: [{ path: 'a', content: 'x' }] } }],
    ['memory.get', { path: 'a' }],
    ['memory.update', { path: 'a', body: { content: 'x' } }],
    ['context.get', {}],
    ['context.update', { body: { label: 'a', content: 'x' } }],
  ] as const;
  for (const [name, more] of asked)
    for (const ref of [id, 'release-notes'])
      assert.equal(await refusal(as, name, { id: ref, ...more }), '404 harnesses.not_found', name);
});

test('an export can be imported whole or in parts, with the same digest and without redacted text', async () => {
  const [as, other, third] = [await newUser(), await newUser(), await newUser()];
  const bytes = { path: 'references/logo.png', base64: Buffer.from([0x89, 0x50, 0, 255]).toString('base64') };
  const { id } = (await ask(as, 'harnesses.create', { body: { files: [HARNESS_FILE, bytes] } })).body;
  const contents = ['', '\n\n', '\ufeffmark\r\nends', '---\n---\n', 'Müßig 東京 👩‍🚀', 'x'.repeat(50_000)];
  const memories = contents.map((content, index) => ({ path: `Style/é ${index}.md`, content }));
  await ask(as, 'memory.write', { id, body: { memories } });
  await ask(as, 'memory.update', { id, path: 'gone', body: { content: 'a secret' } });
  await ask(as, 'memory.update', { id, path: 'gone', body: { redact: { version: 1, reason: 'a secret' } } });
  const description = 'Says: "who" — \u2028 #1';
  const blocks = [
    { label: 'audience', content: '---\nOperators\n', description, read_only: true },
    { label: 'empty', content: '', max_characters: 1 },
  ];
  for (const body of blocks) await ask(as, 'context.update', { id, body });

  const exported = (await ask(as, 'harnesses.get', { id, query: { export: true } })).body;
  assert.equal(exported.files.length, 2 + contents.length + 2);
  assert.ok(!JSON.stringify(exported).includes('secret'));
  const made = (await ask(other, 'harnesses.create', { body: exported })).body;
  const again = (await ask(other, 'harnesses.get', { id: made.id, query: { export: true } })).body;
  assert.deepEqual(again, exported);
  const context = async (user: typeof as, of: string) =>
    (await ask(user, 'context.get', { id: of })).body.items.map(
      ({ version: _, ...block }: object & { version: number }) => block,
    );
  assert.deepEqual(await context(other, made.id), await context(as, id));

  const isMemory = ({ path }: { path: string }) => path.startsWith('memory/');
  const files = exported.files.filter((file: { path: string }) => !isMemory(file));
  const part = (await ask(third, 'harnesses.create', { body: { files } })).body;
  const rest = exported.files
    .filter(isMemory)
    .map(({ path, content }: { path: string; content: string }) => ({ path: path.slice(7), content, if_sha256: null }));
  await ask(third, 'memory.write', { id: part.id, body: { memories: rest } });
  assert.equal(
    (await ask(third, 'harnesses.get', { id: part.id, query: { export: true } })).body.digest,
    exported.digest,
  );
});

test('200: an older version with its files; 404: a version that does not exist', async () => {
  const as = await newUser();
  const first = await newHarness(as);
  const content = `${HARNESS_FILE.content}3. Sign them.\n`;
  await ask(as, 'harnesses.update', { id: first.id, body: { files: [{ ...HARNESS_FILE, content }] } });
  const old = (await ask(as, 'harnesses.get', { id: 'release-notes', query: { version: 1 } })).body;
  assert.deepEqual([old.version, old.newest_version, old.digest], [1, 2, first.digest]);
  assert.equal(old.files[0].content, HARNESS_FILE.content);
  assert.equal((await ask(as, 'harnesses.get', { id: first.id })).body.files[0].content, content);
  const none = { id: first.id, query: { version: 3 } };
  assert.equal(await refusal(as, 'harnesses.get', none), '404 harnesses.not_found');
});

test('the account export includes harness files and memories, and deleting the account removes them', async () => {
  const as = await newUser();
  await newHarness(as);
  await ask(as, 'memory.update', { id: 'release-notes', path: 'a', body: { content: 'mine' } });
  const { harnessesHolding } = await import('./holding.ts');
  const account = { user_id: as.id, wallets: [], email: null };
  const held = JSON.stringify(await harnessesHolding.read(deps.db, account));
  assert.match(held, /"memory\/a","content":"mine"/);
  await deps.db.transaction().execute(async (trx) => harnessesHolding.release?.(trx, account));
  assert.deepEqual(await harnessesHolding.read(deps.db, account), []);
});
