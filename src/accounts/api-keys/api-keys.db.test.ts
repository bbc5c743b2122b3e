import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser } from '#accounts/users/users.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { newApiKeyText } from './api-key.ts';
import { createApiKey, deleteApiKey, deleteApiKeys, findApiKey, listApiKeys } from './api-keys.ts';

const NOW = '2026-03-01T00:00:00.000Z';

async function newKey({ db }: TestDatabase, expires_at: string | null = null) {
  const user = await createUser(db, 'Ada', NOW);
  return { user, created: await createApiKey(db, { user_id: user.id, name: 'k', scopes: ['read'], expires_at }, NOW) };
}
const lastUse = async ({ db }: TestDatabase, userId: string) => (await listApiKeys(db, userId))[0]?.last_used_at;

eachDatabase('API keys', (open) => {
  test('an API key is found only by its text, which is not stored', async () => {
    const database = await open();
    const { user, created } = await newKey(database);
    assert.deepEqual(await findApiKey(database.db, created.key, NOW), {
      id: created.id,
      user_id: user.id,
      scopes: ['read'],
      expires_at: null,
      tier: user.tier,
      is_operator: 0,
      unproven_network: null,
      suspended_at: null,
      suspended_reason: '',
    });
    assert.equal(await findApiKey(database.db, newApiKeyText(), NOW), undefined);
    const rows = JSON.stringify(await database.db.selectFrom('api_keys').selectAll().execute());
    assert.ok(!rows.includes(created.key.slice(8)));
  });

  test('a text with an invalid checksum is rejected without a database query', async () => {
    const database = await open();
    const { created } = await newKey(database);
    await database.close();
    const wrong = `${created.key.slice(0, -1)}${created.key.endsWith('a') ? 'b' : 'a'}`;
    assert.equal(await findApiKey(database.db, wrong, NOW), undefined);
    await assert.rejects(findApiKey(database.db, created.key, NOW));
  });

  test('an API key stops working when it expires', async () => {
    const database = await open();
    const { created } = await newKey(database, '2026-03-02T00:00:00.000Z');
    assert.ok(await findApiKey(database.db, created.key, '2026-03-01T23:59:59.999Z'));
    assert.equal(await findApiKey(database.db, created.key, '2026-03-02T00:00:00.000Z'), undefined);
  });

  test('the last use of a key is recorded at most once a minute', async () => {
    const database = await open();
    const { user, created } = await newKey(database);
    assert.equal(await lastUse(database, user.id), null);
    const uses = ['00:00.000', '00:59.999', '01:00.000'].map((text) => `2026-03-01T00:${text}Z`);
    const written: unknown[] = [];
    for (const use of uses) {
      await findApiKey(database.db, created.key, use);
      written.push(await lastUse(database, user.id));
    }
    assert.deepEqual(written, [uses[0], uses[0], uses[2]]);
  });

  test('lists have no hashes, and only the owner can delete one or all keys', async () => {
    const database = await open();
    const { db } = database;
    const { user, created } = await newKey(database);
    const other = await newKey(database);
    const [shown] = await listApiKeys(db, user.id);
    const { key: _key, ...rest } = created;
    assert.deepEqual(shown, rest);
    assert.equal(await deleteApiKey(db, other.user.id, created.id), false);
    assert.equal(await deleteApiKey(db, user.id, created.id), true);
    assert.equal(await findApiKey(db, created.key, NOW), undefined);
    assert.equal(await deleteApiKeys(db, other.user.id), 1);
    assert.deepEqual(await listApiKeys(db, other.user.id), []);
  });
});
