import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { found } from '#test/doctor-stand.ts';
import { jobTable, type Lease } from './jobs.ts';
import { jobsCheck } from './jobs-check.ts';

eachDatabase('doctor check of jobs', (open) => {
  test('doctor names overdue, abandoned and failing jobs, and counts running and waiting ones', async () => {
    const database = await open();
    const clock = { ms: Date.parse('2026-01-01T00:00:00Z'), now: () => clock.ms };
    const jobs = jobTable(database, clock);
    const look = () => found(jobsCheck({ db: database.db, clock }));
    await jobs.put({ kind: 'sync', key: 'a' });
    await jobs.put({ kind: 'mail', key: 'b', run_at_ms: clock.ms + 3_600_000 });
    await jobs.claim(['sync'], 'w', 8_000);
    assert.deepEqual(await look(), ['ok: 1 running, 1 waiting, none overdue.']);
    clock.ms += 90_000;
    const [late] = await look();
    assert.match(
      late as string,
      /^warn: .*sync \(1, since 2026-01-01T00:00:00\.000Z\)\. 1 were held by a terminated process/,
    );
    assert.match(late as string, /→ Start capstand serve/);
    for (let times = 0; times < 3; times++) {
      const lease = (await jobs.claim(['sync'], 'w', 8_000)) as Lease;
      await jobs.fail(lease, 'the disk is full', clock.ms);
    }
    assert.match((await look()).join(), /sync a has failed 3 times in a row: the disk is full/);
  });
});
