import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { ROOMY } from '#test/storage.ts';
import { tasksStand } from '#test/tasks-stand.ts';

eachDatabase('sharing a run', (open) => {
  test('201: a link whose secret is stored hashed and audited; 409: a run that has not ended; 400: an end in the past; 404: of another user', async () => {
    const database = await open();
    await using stand = await tasksStand(database);
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const id = await stand.start(as, 'echo', { text: 'x' });
    await stand.until(as, id, ['completed']);
    const share = (body: object, user = as, task = id) =>
      stand.ask(user, 'POST', `/api/agents/tasks/${task}/shares`, body);
    const made = await share({ input: true, expires_at: '2099-01-01T00:00:00Z' });
    assert.deepEqual(
      [made.status, made.body.shows, made.body.expires_at],
      [201, { input: true, trace: false, names: false }, '2099-01-01T00:00:00.000Z'],
    );
    const token = `${made.body.token}`;
    assert.match(token, /^[\w-]{43}$/);
    assert.equal(made.body.path, `/r/${token}`);
    const stored = JSON.stringify([
      await database.db.selectFrom('task_shares').selectAll().execute(),
      await database.db.selectFrom('audit_log').selectAll().execute(),
    ]);
    assert.match(stored, /'tasks.share'|"tasks\.share"/);
    assert.ok(!stored.includes(token));
    assert.equal((await share({ expires_at: '2020-01-01T00:00:00Z' })).status, 400);
    assert.equal((await share({}, other)).status, 404);
    const running = await stand.start(as, 'slow');
    const refused = await share({}, as, running);
    assert.deepEqual([refused.status, refused.body.reason], [409, 'not_shareable']);
    await stand.ask(as, 'PUT', `/api/agents/tasks/${running}`, { status: 'cancelled' });
    const all = await Promise.all(Array.from({ length: 19 }, () => share({})));
    assert.ok(all.every(({ status }) => status === 201));
    assert.equal((await share({})).body.reason, 'too_many_shares');
  });

  test('404: a run that is deleted while it is being shared', async () => {
    const database = await open();
    // Storage is looked at after the task was found, and before the link is stored.
    const require: typeof ROOMY.require = async (db, _user, _kind, bytes) => {
      if (bytes === 512) await db.deleteFrom('tasks').execute();
    };
    await using stand = await tasksStand(database, { storage: { ...ROOMY, require } });
    const as = await stand.newUser();
    const id = await stand.start(as, 'echo', { text: 'x' });
    await stand.until(as, id, ['completed']);
    const { status, body } = await stand.ask(as, 'POST', `/api/agents/tasks/${id}/shares`, {});
    assert.deepEqual([status, body.code], [404, 'tasks.not_found']);
  });
});
