import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkEmail } from '#accounts/users/identities.ts';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

const EMAIL = 'ada@example.org';

eachDatabase('a shared run', (open) => {
  test('200: what its owner chose, without account ids, addresses and secrets; 404: a wrong or expired link', async () => {
    const database = await open();
    const { db } = database;
    await using stand = await tasksStand(database);
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const at = '2026-03-01T00:00:00.000Z';
    const times = { linked_at: at, password_changed_at: at };
    await linkEmail(db, { email: EMAIL, user_id: as.id, password_hash: 'x', ...times });
    const text = `for ${EMAIL} of ${as.id}, password=hunter2secret, see https://a.example/x`;
    const id = await stand.start(as, 'echo', { text });
    await stand.until(as, id, ['completed']);
    const share = async (body: object) => {
      const made = await stand.ask(as, 'POST', `/api/agents/tasks/${id}/shares`, body);
      return `/api/shared-runs/${made.body.token}`;
    };
    const path = await share({});
    const shown = await stand.ask(other, 'GET', path);
    assert.deepEqual(
      [shown.status, shown.headers.get('cache-control'), shown.headers.get('x-robots-tag')],
      [200, 'private, no-store', 'noindex'],
    );
    assert.deepEqual(shown.body.output, {
      text: 'for [redacted] of [redacted], password=[redacted], see https://a.example/x',
    });
    const { title, input, steps, receipt_key, concealed } = shown.body;
    assert.deepEqual([title, input, steps, receipt_key, concealed], [null, null, null, null, 1]);
    for (const hidden of [as.id, EMAIL, 'hunter2secret', id]) assert.ok(!shown.text.includes(hidden), hidden);
    const more = await stand.ask(other, 'GET', await share({ input: true, trace: true, names: true }));
    assert.equal(more.body.title, 'echo');
    assert.deepEqual(more.body.input, shown.body.output);
    assert.deepEqual(
      (more.body.steps as { name: string }[]).map(({ name }) => name),
      ['execute_tool'],
    );
    assert.doesNotMatch(more.text, /attributes|user_id|hunter2secret/);
    const repeated = { input: '{"password":"orange-boat"}', output: '["the orange-boat"]' };
    await db.updateTable('tasks').set(repeated).where('id', '=', id).execute();
    assert.deepEqual((await stand.ask(other, 'GET', path)).body.output, ['the [redacted]']);
    // A receipt of a connection names it, and anyone can read receipts.
    const own = { capability_kind: 'connection', capability_ref: 'mine/words', receipt_id: 'receipt-1' } as const;
    await db.updateTable('tasks').set(own).where('id', '=', id).execute();
    const receiptOf = async (body: object) => (await stand.ask(other, 'GET', await share(body))).body.receipt_id;
    assert.deepEqual([await receiptOf({}), await receiptOf({ names: true })], [null, 'receipt-1']);
    await db.updateTable('task_shares').set({ expires_at: at }).execute();
    const refused = [path, '/api/shared-runs/x', `/api/shared-runs/${'A'.repeat(43)}`];
    for (const wrong of refused) {
      const { status, body } = await stand.ask(other, 'GET', wrong);
      assert.deepEqual([status, body.code], [404, 'shares.not_found']);
    }
  });
});
