import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { linkEmail, linkWallet } from '#accounts/users/identities.ts';
import type { User } from '#accounts/users/users.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { until } from '#test/until.ts';
import { STAND_TIME, usersStand } from '#test/users-stand.ts';
import { authHoldings } from './holdings.ts';

const LATER = '2026-03-02T00:00:00.000Z';
/** Columns of an OAuth client's session. */
const CLIENT = { client_id: 'C', client_name: 'Editor', resource: 'https://capstan.example', scope: 'read' };
const times = { created_at: STAND_TIME, expires_at: LATER, used_at: null };

/** Creates a session, a wallet with a challenge, an email account with a link to it, and a link to another address. */
async function fill({ db }: TestDatabase, { id: user_id }: User, name: string): Promise<void> {
  const email = `${name}@example.com`;
  await linkWallet(db, { wallet_type: 'solana', address: name, user_id, linked_at: STAND_TIME });
  const linked_at = STAND_TIME;
  await linkEmail(db, { email, user_id, password_hash: 'HASH', linked_at, password_changed_at: linked_at });
  await db
    .insertInto('challenges')
    .values({ id: `c-${name}`, wallet_type: 'solana', address: name, message: 'm', ...times })
    .execute();
  const token = { password_hash: 'HASH', display_name: null, ...times };
  const mailed = { token_hash: `1-${name}`, purpose: 'register', email, user_id: null };
  const pending = { token_hash: `2-${name}`, purpose: 'link', email: `new-${email}`, user_id };
  await db
    .insertInto('email_tokens')
    .values([
      { ...token, ...mailed },
      { ...token, ...pending },
    ])
    .execute();
  const signedIn = { signed_in_at: STAND_TIME, refreshed_at: STAND_TIME, expires_at: LATER, revoked_at: STAND_TIME };
  const jtis = { current_jti: 'JTI', previous_jti: null, previous_until: null };
  await db
    .insertInto('sign_ins')
    .values({
      id: `s-${name}`,
      user_id,
      method: 'wallet',
      wallet: null,
      user_agent: 'curl',
      ...signedIn,
      ...jtis,
      ...CLIENT,
      refresh_family_hash: `HASH-${name}`,
      refresh_hash: 'HASH',
      refresh_salt: 'HASH',
    })
    .execute();
  await db
    .insertInto('authorization_codes')
    .values({
      ...CLIENT,
      ...times,
      code_hash: `HASH-${name}`,
      user_id,
      page_sign_in_id: 's',
      redirect_uri: 'r',
      code_challenge: 'c',
    })
    .execute();
}

async function isAnyWaiting({ db }: TestDatabase): Promise<boolean> {
  const { rows } = await sql<{ waiting: number }>`SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  return (rows[0]?.waiting ?? 0) > 0;
}

async function countsOf({ db }: TestDatabase): Promise<number[]> {
  const tables = ['sign_ins', 'challenges', 'email_tokens', 'authorization_codes'] as const;
  return Promise.all(tables.map(async (table) => (await db.selectFrom(table).selectAll().execute()).length));
}

eachDatabase('personal data of authentication', (open) => {
  test('is exported without secrets and deleted only with its account', async () => {
    const database = await open();
    const { ask, newUser } = usersStand(database, { holdings: authHoldings });
    const [as, other] = [await newUser(), await newUser()];
    await fill(database, as, 'ada');
    await fill(database, other, 'bob');
    const { body } = await ask('GET', `/api/users/${as.id}/export`, { as });
    assert.deepEqual(body.sign_ins, [
      {
        id: 's-ada',
        method: 'wallet',
        wallet: null,
        user_agent: 'curl',
        signed_in_at: STAND_TIME,
        refreshed_at: STAND_TIME,
        expires_at: LATER,
        revoked_at: STAND_TIME,
        ...CLIENT,
      },
    ]);
    for (const secret of ['JTI', 'HASH', '1-ada']) assert.ok(!JSON.stringify(body).includes(secret));
    assert.deepEqual(await countsOf(database), [2, 2, 4, 2]);
    assert.equal((await ask('DELETE', `/api/users/${as.id}`, { as })).status, 200);
    assert.deepEqual(await countsOf(database), [1, 1, 2, 1]);
    // Not 'ada' alone, because ids are random hexadecimal digits.
    const left = JSON.stringify(await database.db.selectFrom('email_tokens').selectAll().execute());
    for (const trace of ['ada@', '-ada"']) assert.ok(!left.includes(trace));
  });

  test('confirming an emailed link while the account is deleted does not deadlock', async () => {
    const database = await open();
    const { ask, newUser } = usersStand(database, { holdings: authHoldings });
    const as = await newUser();
    await fill(database, as, 'ada');
    // Like opening a link: locks the links of the address first, then the account.
    const opening = database.db.transaction().execute(async (trx) => {
      await trx.updateTable('email_tokens').set({ used_at: LATER }).where('user_id', '=', as.id).execute();
      if (database.engine === 'postgres') await until('the deletion waits for a row', () => isAnyWaiting(database));
      await trx.updateTable('users').set({ display_name: 'B' }).where('id', '=', as.id).execute();
    });
    const [deleted] = await Promise.all([ask('DELETE', `/api/users/${as.id}`, { as }), opening]);
    assert.equal(deleted.status, 200);
    assert.deepEqual(await countsOf(database), [0, 0, 0, 0]);
  });
});
