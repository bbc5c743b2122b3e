import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findGoogleAccount, linkEmail } from '#accounts/users/identities.ts';
import { createUser } from '#accounts/users/users.ts';
import { Problem } from '#core/problem/problem.ts';
import { eachDatabase } from '#test/databases.ts';
import { linkTo, userOf } from './account.ts';

const NOW = '2026-01-02T03:04:05.000Z';
const ada = { subject: 'ada', email: 'ada@example.org', name: ' Ada\u202E Lovelace ' };
const refusedAs = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

eachDatabase('accounts of Google identities', (open) => {
  test('an unknown Google account creates a user, and signs in to the same user the next time', async () => {
    const { db } = await open();
    const user = await userOf(db, ada, NOW);
    assert.deepEqual([user.display_name, user.tier, user.is_operator], ['Ada Lovelace', 'free', 0]);
    const again = await userOf(db, { ...ada, name: 'Somebody Else', email: 'new@example.org' }, NOW);
    assert.deepEqual([again.id, again.display_name], [user.id, 'Ada Lovelace']);
  });

  test('20 concurrent first sign-ins create one user', async () => {
    const { db } = await open();
    const users = await Promise.all(Array.from({ length: 20 }, () => userOf(db, ada, NOW)));
    assert.equal(new Set(users.map((user) => user.id)).size, 1);
    assert.equal((await db.selectFrom('users').selectAll().execute()).length, 1);
  });

  test('a Google account with the email address of another account is refused', async () => {
    const { db } = await open();
    const { id: user_id } = await createUser(db, 'Ada', NOW);
    const email = { email: ada.email, user_id, password_hash: 'h', linked_at: NOW, password_changed_at: NOW };
    await linkEmail(db, email);
    for (const address of [ada.email, 'ADA@Example.ORG'])
      await assert.rejects(userOf(db, { ...ada, email: address }, NOW), refusedAs('auth.identity_conflict'));
    assert.equal((await db.selectFrom('users').selectAll().execute()).length, 1);
    assert.equal((await userOf(db, { ...ada, email: '' }, NOW)).display_name, 'Ada Lovelace');
  });

  test('a Google account belongs to one user, and a user has at most one', async () => {
    const { db } = await open();
    const [mine, other] = [await createUser(db, 'Ada', NOW), await createUser(db, 'Bob', NOW)];
    assert.equal((await linkTo(db, { actor: mine.id }, ada, NOW)).email, ada.email);
    assert.equal((await linkTo(db, { actor: mine.id }, ada, '2027-01-01T00:00:00.000Z')).linked_at, NOW);
    await assert.rejects(linkTo(db, { actor: other.id }, ada, NOW), refusedAs('auth.identity_conflict'));
    await assert.rejects(
      linkTo(db, { actor: mine.id }, { ...ada, subject: 'b' }, NOW),
      refusedAs('auth.identity_conflict'),
    );
    assert.equal((await findGoogleAccount(db, 'ada'))?.user_id, mine.id);
    await assert.rejects(linkTo(db, { actor: 'gone' }, { ...ada, subject: 'c' }, NOW), refusedAs('users.not_found'));
  });

  test('of three users who link one Google account concurrently, one succeeds', async () => {
    const { db } = await open();
    const users = await Promise.all(['Ada', 'Bob', 'Cid'].map((name) => createUser(db, name, NOW)));
    const outcomes = await Promise.allSettled(users.map(({ id }) => linkTo(db, { actor: id }, ada, NOW)));
    assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        assert.deepEqual([outcome.reason.code, outcome.reason.reason], ['auth.identity_conflict', 'google_taken']);
  });
});
