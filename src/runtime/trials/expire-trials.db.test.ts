import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';
import { HOME, trialOf } from '#test/trials.ts';

eachDatabase('runs without an account that ended long ago', (open) => {
  test('are deleted with their links; those that run stay, and so do runs of accounts and all receipts', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const start = (ref: string, wait_ms = 10_000) =>
      stand.askFrom(HOME, 'POST', '/api/trials', { ...trialOf(ref), wait_ms });
    const old = await start('echo');
    const running = await start('slow', 0);
    const as = await stand.newUser();
    const own = await stand.start(as, 'echo', { text: 'mine' });
    await stand.until(as, own, ['completed']);
    const [before, after] = ['2026-01-01T00:00:00.000Z', '2026-01-09T00:00:00.000Z'];
    await db.updateTable('tasks').set({ created_at: before }).execute();
    await db.updateTable('tasks').set({ finished_at: before }).where('finished_at', 'is not', null).execute();
    await db.updateTable('trial_days').set({ day: '2026-01-01' }).execute();
    const receipts = async () => (await db.selectFrom('receipts').select('id').execute()).length;
    const count = await receipts();
    const expire = async (kind: string, now: string) => {
      const { kinds } = stand.trialsAt({ now: () => Date.parse(now) });
      await kinds[kind]?.handler({ fence: async () => {}, signal: new AbortController().signal } as never);
    };
    await expire('trials_expire', '2026-01-07T00:00:00.000Z');
    assert.equal((await db.selectFrom('tasks').select('id').execute()).length, 3, 'for seven days');
    await expire('trials_expire', after);
    const page = (token: unknown) => stand.askFrom(HOME, 'GET', `/api/shared-runs/${token}`);
    assert.deepEqual([(await page(old.body.token)).status, (await page(running.body.token)).status], [404, 200]);
    const left = await db.selectFrom('tasks').select('id').execute();
    assert.deepEqual([left.length, left.some(({ id }) => id === own)], [2, true]);
    assert.equal(await receipts(), count);
    await expire('trial_days_expire', '2026-01-02T23:00:00.000Z');
    assert.ok((await db.selectFrom('trial_days').select('day').execute()).length > 0);
    await expire('trial_days_expire', '2026-01-03T01:00:00.000Z');
    assert.deepEqual(await db.selectFrom('trial_days').select('day').execute(), []);
    await stand.askFrom(HOME, 'POST', `/api/trials/${running.body.token}/cancel`);
  });
});
