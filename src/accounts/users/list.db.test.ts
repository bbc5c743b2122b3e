import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAudit } from '#core/audit/audit.ts';
import { oneDatabase } from '#test/databases.ts';
import { usersStand } from '#test/users-stand.ts';
import { addWallet, linkEmail } from './identities.ts';
import { changeUser } from './users.ts';

oneDatabase('GET /api/operator/users', (open) => {
  test('200: found by a part of the name, or a whole id or address; 404: for other users', async () => {
    const database = await open();
    const { db } = database;
    const { ask, newUser } = usersStand(database);
    const now = '2026-03-01T00:00:00.000Z';
    const [olga, ada, bob] = [await newUser('Olga'), await newUser('Ada_100%'), await newUser('Bob')];
    await changeUser(db, olga.id, { is_operator: 1 }, now);
    await changeUser(db, bob.id, { suspended_at: now, suspended_reason: 'Spam.' }, now);
    await linkEmail(db, {
      email: 'ada@example.org',
      user_id: ada.id,
      password_hash: '',
      linked_at: now,
      password_changed_at: now,
    });
    await addWallet(db, { wallet_type: 'ethereum', address: '0xAbC', user_id: bob.id, linked_at: now });
    const find = async (query: Record<string, string>) => {
      const { body } = await ask<{ items: { display_name: string }[] }>(
        'GET',
        `/api/operator/users?${new URLSearchParams(query)}`,
        { as: olga },
      );
      return body.items.map(({ display_name }) => display_name);
    };
    assert.deepEqual(await find({}), ['Bob', 'Ada_100%', 'Olga']);
    for (const search of ['ADA', '_100', '0%', ada.id, ada.id.toUpperCase(), 'Ada@Example.org', ' ada '])
      assert.deepEqual(await find({ search }), ['Ada_100%'], search);
    for (const search of ['%', '_', '\\', 'example.org', "' OR 1=1"]) {
      const expected = search === '%' || search === '_' ? ['Ada_100%'] : [];
      assert.deepEqual(await find({ search }), expected, search);
    }
    assert.deepEqual(await find({ search: '0xabc' }), ['Bob']);
    assert.deepEqual(await find({ status: 'suspended' }), ['Bob']);
    assert.deepEqual(await find({ status: 'operator' }), ['Olga']);
    assert.deepEqual(await find({ limit: '1', offset: '1' }), ['Ada_100%']);
    const entries = await Array.fromAsync(listAudit(db, { actions: ['users.list'] }));
    assert.equal(entries[0]?.actor, olga.id);

    const refused = await ask('GET', '/api/operator/users?limit=0', { as: ada });
    assert.deepEqual([refused.status, refused.body.code], [404, 'http.not_found']);
    const bad = await ask<{ errors: { pointer: string }[] }>('GET', '/api/operator/users?search=%00', { as: olga });
    assert.deepEqual([bad.status, bad.body.errors[0]?.pointer], [400, '/search']);
  });
});
