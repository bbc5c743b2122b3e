import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

eachDatabase('revoking a link to a run', (open) => {
  test('200: the link stops working at once, as all do when the run is deleted; 404: a link of another user', async () => {
    const database = await open();
    await using stand = await tasksStand(database);
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const id = await stand.start(as, 'echo', { text: 'x' });
    await stand.until(as, id, ['completed']);
    const path = `/api/agents/tasks/${id}/shares`;
    const [first, second] = [await stand.ask(as, 'POST', path, {}), await stand.ask(as, 'POST', path, {})];
    const statusOf = async ({ body }: typeof first) =>
      (await stand.ask(other, 'GET', `/api/shared-runs/${body.token}`)).status;
    assert.equal((await stand.ask(other, 'DELETE', `${path}/${first.body.id}`)).status, 404);
    assert.equal(await statusOf(first), 200);
    assert.equal((await stand.ask(as, 'DELETE', `${path}/${first.body.id}`)).status, 200);
    assert.equal((await stand.ask(as, 'DELETE', `${path}/${first.body.id}`)).body.code, 'shares.not_found');
    assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200]);
    const entries = await database.db.selectFrom('audit_log').select(['action', 'target']).execute();
    assert.deepEqual(entries.at(-1), { action: 'tasks.unshare', target: id });
    await stand.ask(as, 'DELETE', `/api/agents/tasks/${id}`);
    assert.equal(await statusOf(second), 404);
  });
});
