import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';
import { HOME, predicateOf, trialOf, trialUntil } from '#test/trials.ts';

eachDatabase('a run without an account', (open) => {
  test('200: cancelled by its token; 404: any other token; after kill -9 of the worker it has its one receipt', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const begin = async () => {
      const { body } = await stand.askFrom(HOME, 'POST', '/api/trials', { ...trialOf('slow'), wait_ms: 0 });
      const token = `${body.token}`;
      await trialUntil(stand, token, ({ status_reason }) => status_reason === 'running');
      return token;
    };
    const cancel = (token: unknown) => stand.askFrom(HOME, 'POST', `/api/trials/${token}/cancel`);
    const end = (token: string) => trialUntil(stand, token, ({ status }) => status !== 'working');
    const slow = await begin();
    assert.equal((await cancel(slow)).status, 200);
    const cancelled = await end(slow);
    assert.equal(cancelled.status, 'cancelled');
    assert.equal((await predicateOf(stand, cancelled.receipt_id)).status, 'cancelled');
    assert.equal((await cancel(slow)).status, 200, 'again');
    const { body: quick } = await stand.askFrom(HOME, 'POST', '/api/trials', trialOf('echo'));
    await end(`${quick.token}`);
    const late = await cancel(quick.token);
    assert.deepEqual([late.status, late.body.status], [200, 'completed'], 'after its end');

    const as = await stand.newUser();
    const task = await stand.start(as, 'echo', { text: 'mine' });
    await stand.until(as, task, ['completed']);
    const { body: link } = await stand.ask(as, 'POST', `/api/agents/tasks/${task}/shares`, {});
    for (const token of [link.token, 'x', 'A'.repeat(43)]) {
      const { status, body } = await cancel(token);
      assert.deepEqual([status, body.code], [404, 'trials.not_found']);
    }

    const killed = await begin();
    await stand.crashWorker();
    await cancel(killed);
    const { receipt_id } = await end(killed);
    const receipts = await db.selectFrom('receipts').select('run_id').execute();
    assert.equal(new Set(receipts.map((row) => row.run_id)).size, receipts.length);
    assert.equal((await predicateOf(stand, receipt_id)).caller.kind, 'anonymous');
    const total = await db.selectFrom('trial_days').select('used').where('bucket', '=', 'all').executeTakeFirst();
    assert.equal(total?.used, 3);
  });
});
