import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeUser, createUser, lockUser } from '#accounts/users/users.ts';
import { Problem } from '#core/problem/problem.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { storageOf } from '#test/storage.ts';
import { storageGate, storageLimits } from './storage.ts';

const TIME = '2027-01-01T00:00:00.000Z';

async function addTask(db: TestDatabase['db'], user_id: string, bytes: number): Promise<string> {
  const id = crypto.randomUUID();
  await db
    .insertInto('tasks')
    .values({
      id,
      user_id,
      title: '',
      capability_kind: 'skill',
      capability_ref: '',
      capability_version: '1',
      capability_digest: '',
      execution_class: 'scripted',
      input: 'x'.repeat(bytes),
      input_files: '',
      status: 'submitted',
      attempt: 0,
      created_at: TIME,
    })
    .execute();
  return id;
}

eachDatabase('storage of an account', (open) => {
  test('429 at the limit, naming what to delete; deleting makes room again', async () => {
    const { db } = await open();
    const { id } = await createUser(db, 'Ada', TIME);
    const refused: string[] = [];
    const gate = storageGate({ free: 100_000, casual: 1, pro: 1 }, (kind) => void refused.push(kind));
    const task = await addTask(db, id, 60_000);
    await gate.require(db, id, 'tasks', 10_000);
    const over = await gate.require(db, id, 'tasks', 20_000).then(
      () => assert.fail(),
      (error: Problem) => error,
    );
    assert.ok(over instanceof Problem);
    assert.deepEqual([over.status, over.code, over.reason], [429, 'users.quota_exceeded', 'storage_full']);
    assert.equal(over.message, 'Your tasks use 61 kB of 75 kB. Delete tasks that you no longer need.');
    const whole = await gate.require(db, id, 'memory', 50_000).then(
      () => assert.fail(),
      (error: Problem) => error,
    );
    assert.equal(
      whole.message,
      'Your account uses 61 kB of 100 kB, mostly for tasks (61 kB). Delete tasks that you no longer need.',
    );
    assert.deepEqual(refused, ['tasks', 'memory']);
    await db.deleteFrom('tasks').where('id', '=', task).execute();
    await gate.require(db, id, 'memory', 50_000);
    assert.equal((await gate.read(db, { user_id: id, tier: 'free' })).used_bytes, 0);
  });

  test('receipts are stored when the account is full, and do not count', async () => {
    const { db } = await open();
    const { id } = await createUser(db, 'Ada', TIME);
    const gate = storageOf(100_000);
    const receipt = { key_id: 'k', created_at: TIME, user_id: id };
    for (let n = 0; n < 3; n++)
      await db
        .insertInto('receipts')
        .values({ id: `${id}${n}`, run_id: `${id}${n}`, envelope: 'x'.repeat(50_000), ...receipt })
        .execute();
    await gate.require(db, id, 'receipts');
    await gate.require(db, id, 'tasks', 70_000);
    const { used_bytes, kinds } = await gate.read(db, { user_id: id, tier: 'free' });
    const receipts = kinds.find(({ kind }) => kind === 'receipts');
    assert.deepEqual([used_bytes, receipts?.limit_bytes], [0, null]);
    assert.ok((receipts?.used_bytes ?? 0) > 150_000);
  });

  test('the limit of the current tier applies', async () => {
    const { db } = await open();
    const { id } = await createUser(db, 'Ada', TIME);
    const gate = storageGate(storageLimits({ free: 1, casual: 2, pro: 3 }));
    await addTask(db, id, 700_000);
    await assert.rejects(gate.require(db, id, 'tasks', 100_000), {
      code: 'users.quota_exceeded',
      reason: 'storage_full',
    });
    await changeUser(db, id, { tier: 'casual' }, TIME);
    await gate.require(db, id, 'tasks', 100_000);
    assert.equal((await gate.read(db, { user_id: id, tier: 'pro' })).limit_bytes, 3_000_000);
  });

  test('40 concurrent writers cannot exceed the limit together', async () => {
    const { db } = await open();
    const { id } = await createUser(db, 'Ada', TIME);
    const gate = storageOf(200_000);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, () =>
        db.transaction().execute(async (trx) => {
          await lockUser(trx, id);
          await gate.require(trx, id, 'tasks', 20_000);
          await addTask(trx, id, 20_000);
        }),
      ),
    );
    const fulfilled = outcomes.filter(({ status }) => status === 'fulfilled').length;
    assert.equal(fulfilled, 7, 'tasks may use 150,000 bytes');
  });
});
