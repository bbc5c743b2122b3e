import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

eachDatabase('listing the links to a run', (open) => {
  test('200: newest first, without their secrets; 404: of another user', async () => {
    await using stand = await tasksStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const id = await stand.start(as, 'echo', { text: 'x' });
    await stand.until(as, id, ['completed']);
    const path = `/api/agents/tasks/${id}/shares`;
    const made = [await stand.ask(as, 'POST', path, { trace: true }), await stand.ask(as, 'POST', path, {})];
    const listed = await stand.ask(as, 'GET', path);
    assert.deepEqual(
      listed.body.items?.map((share) => share.id),
      made.map(({ body }) => body.id).reverse(),
    );
    assert.doesNotMatch(listed.text, /token|hash|user_id/);
    assert.equal((await stand.ask(other, 'GET', path)).status, 404);
  });
});
