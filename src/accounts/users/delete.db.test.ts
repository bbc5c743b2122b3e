import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { takeRequest } from '#accounts/quotas/quota.ts';
import { listAudit } from '#core/audit/audit.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { STAND_TIME, usersStand } from '#test/users-stand.ts';
import type { Account } from './holding.ts';
import { linkEmail, linkWallet } from './identities.ts';
import { findUser, type User } from './users.ts';

const linked_at = STAND_TIME;

async function fill({ db }: TestDatabase, { id: user_id }: User, address: string): Promise<void> {
  await linkWallet(db, { wallet_type: 'ethereum', address, user_id, linked_at });
  const email = `${address}@example.com`;
  await linkEmail(db, { email, user_id, password_hash: 'HASH', linked_at, password_changed_at: linked_at });
  await createApiKey(db, { user_id, name: 'k', scopes: ['read'], expires_at: null }, STAND_TIME);
  await takeRequest(db, { user_id, tier: 'free' }, Date.parse(STAND_TIME));
}

/** Every row of the database that contains the text, as JSON. */
async function rowsWith({ db }: TestDatabase, text: string): Promise<string[]> {
  const tables = ['users', 'wallets', 'emails', 'api_keys', 'quota_days', 'sign_ins', 'audit_log'] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  return rows
    .flat()
    .map((row) => JSON.stringify(row))
    .filter((row) => row.includes(text));
}

eachDatabase("deleting one's own account", (open) => {
  test('200: deletes everything of the account and nothing of others, and the audit log keeps its id', async () => {
    const database = await open();
    const erased: Account[] = [];
    const holding = {
      name: 'x',
      read: async () => [],
      erase: async (_trx: unknown, account: Account) => void erased.push(account),
    };
    const { ask, newUser } = usersStand(database, { holdings: [holding] });
    const [as, other] = [await newUser('Ada'), await newUser('Bob')];
    await fill(database, as, '0xaa');
    await fill(database, other, '0xbb');
    const before = (await rowsWith(database, other.id)).length;
    const gone = await ask('DELETE', `/api/users/${as.id}`, { as });
    assert.deepEqual([gone.status, gone.body], [200, { status: 'deleted' }]);
    assert.equal(erased[0]?.email, '0xaa@example.com');
    assert.equal(erased[0]?.wallets[0]?.address, '0xaa');
    assert.deepEqual([await rowsWith(database, 'Ada'), await rowsWith(database, '0xaa')], [[], []]);
    assert.equal((await rowsWith(database, other.id)).length, before);
    const [entry, ...more] = await Array.fromAsync(listAudit(database.db));
    assert.deepEqual([entry?.actor, entry?.action, entry?.target, entry?.detail], [as.id, 'users.delete', as.id, {}]);
    assert.equal((await rowsWith(database, as.id)).length, 1 + more.length);
    assert.equal((await ask('GET', `/api/users/${as.id}`, { as })).status, 401);
    assert.equal((await ask('GET', `/api/users/${as.id}`, { as: other })).status, 404);
  });

  test('403: path of another account', async () => {
    const database = await open();
    const { ask, newUser } = usersStand(database);
    const [as, other] = [await newUser(), await newUser()];
    const refused = await ask('DELETE', `/api/users/${other.id}`, { as });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [403, 'http.forbidden', 'other_account'],
    );
    assert.ok(await findUser(database.db, other.id));
  });

  test('500: if any data cannot be erased, the account is not deleted', async () => {
    const database = await open();
    const erase = async () => {
      throw new Error('stuck');
    };
    const { ask, newUser } = usersStand(database, { holdings: [{ name: 'x', read: async () => [], erase }] });
    const as = await newUser();
    await fill(database, as, '0xaa');
    assert.equal((await ask('DELETE', `/api/users/${as.id}`, { as })).status, 500);
    assert.equal((await rowsWith(database, '0xaa')).length, 2);
    assert.deepEqual(await Array.fromAsync(listAudit(database.db)), []);
  });

  test('concurrent requests succeed or report that the account was deleted', async () => {
    const database = await open();
    const { ask, newUser } = usersStand(database);
    const as = await newUser();
    const path = `/api/users/${as.id}`;
    const requests = () => [
      ask('GET', path, { as }),
      ask('PATCH', path, { as, body: { display_name: 'B' } }),
      ask('POST', `${path}/api-keys`, { as, body: { name: 'k', scopes: ['read'] } }),
      ask('GET', `${path}/export`, { as }),
      ask('DELETE', `${path}/api-keys/${as.id}`, { as }),
    ];
    const running = [
      ...requests(),
      ask('DELETE', path, { as }),
      ...requests(),
      ask('DELETE', path, { as }),
      ...requests(),
    ];
    const statuses = (await Promise.all(running)).map((request) => request.status);
    assert.deepEqual(
      statuses.filter((status) => ![200, 201, 401, 404, 429].includes(status)),
      [],
    );
    assert.deepEqual(
      (await Promise.all(requests())).map((request) => request.status),
      [401, 401, 401, 401, 401],
    );
    const rows = (await rowsWith(database, as.id)).map((row) => JSON.parse(row).action as string | undefined);
    assert.ok(
      rows.includes('users.delete') && rows.every((row) => row?.startsWith('users.')),
      'entries of the audit log alone',
    );
  });
});
