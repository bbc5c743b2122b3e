import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

oneDatabase('previewing a shared run', (open) => {
  test('200: the same as others get by a link with these choices; 404: a run of another user', async () => {
    await using stand = await tasksStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const id = await stand.start(as, 'echo', { text: 'x' });
    await stand.until(as, id, ['completed']);
    const path = `/api/agents/tasks/${id}/shares`;
    for (const input of [false, true]) {
      const { body } = await stand.ask(as, 'POST', path, { input, trace: true });
      const shared = await stand.ask(other, 'GET', `/api/shared-runs/${body.token}`);
      const preview = await stand.ask(as, 'GET', `${path}/preview?input=${input}&trace=true`);
      assert.deepEqual(preview.body, shared.body);
      // With input and output unchanged, others can verify both against the receipt.
      assert.equal(typeof shared.body.receipt_key, input ? 'string' : 'object');
    }
    assert.equal((await stand.ask(other, 'GET', `${path}/preview`)).status, 404);
  });
});
