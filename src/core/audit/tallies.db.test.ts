import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { listAudit, type NewAuditEntry, NOBODY, OPERATOR_CLI, recordAudit } from './audit.ts';
import { verifyChain } from './chain.ts';
import { auditKinds } from './jobs.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2027-03-01T12:00:00.000Z');
const at = (ms: number): string => new Date(NOON + ms).toISOString();

const read = (db: TestDatabase['db']) => Array.fromAsync(listAudit(db));

/** Runs the job as it would run after the hour is over. */
async function closeHour({ db }: TestDatabase): Promise<void> {
  const clock = { now: () => NOON + HOUR_MS + 1_000 };
  const kinds = auditKinds({ db, clock, log: { info: () => {} } as never, retention_ms: 1e12 });
  await kinds['audit.tell']?.handler({
    job: {} as never,
    signal: new AbortController().signal,
    fence: async () => {},
  });
}

eachDatabase('repeated audit entries', (open) => {
  test('500 views of one account within an hour become two entries, and the chain is intact', async () => {
    const database = await open();
    const { db } = database;
    const look: NewAuditEntry = { actor: 'op', action: 'users.look', target: 'ada' };
    for (let n = 0; n < 500; n++) await recordAudit(db, look, at(n * 1_000));
    assert.equal((await read(db)).length, 1, 'the first is written at once');
    await closeHour(database);
    const [first, rest, ...more] = await read(db);
    assert.deepEqual([first?.target, first?.detail, more], ['ada', {}, []]);
    assert.deepEqual(
      [rest?.actor, rest?.action, rest?.target, rest?.outcome, rest?.detail],
      ['op', 'users.look', 'ada', 'done', { times: 499, since: at(1_000), until: at(499_000) }],
    );
    assert.deepEqual((await verifyChain(db)).faults, []);
    await recordAudit(db, look, at(HOUR_MS + 2_000));
    assert.equal((await read(db)).length, 3, 'the next hour starts again');
  });

  test('views of many accounts are written up to 100 per hour, then counted', async () => {
    const database = await open();
    for (let n = 0; n < 300; n++)
      await recordAudit(database.db, { actor: 'op', action: 'users.look', target: `u${n}` }, at(n));
    await closeHour(database);
    const entries = await read(database.db);
    assert.equal(entries.length, 101);
    assert.deepEqual([entries[100]?.target, entries[100]?.detail.times], ['*', 200]);
  });

  test('500 rejected sign-ins of one network become 20 entries and a count, separate from other networks', async () => {
    const database = await open();
    const { db } = database;
    const refused = (address: string, target: string, ms: number) =>
      recordAudit(
        db,
        {
          actor: NOBODY,
          action: 'auth.sign_in',
          target,
          outcome: 'refused',
          detail: { method: 'email' },
          origin: { request_id: 'r', address },
        },
        at(ms),
      );
    for (let n = 0; n < 500; n++) await refused('192.0.2.7', `u${n % 3}`, n);
    await refused('198.51.100.1', 'u1', 600);
    await closeHour(database);
    const entries = await read(db);
    assert.equal(entries.length, 22);
    assert.equal(entries[20]?.address, '198.51.100.0/24');
    assert.deepEqual([entries[21]?.address, entries[21]?.detail.times], ['192.0.2.0/24', 480]);
  });

  test('anonymous requests cause at most 1,000 entries and a count per hour, however many networks they use', async () => {
    const database = await open();
    const { db } = database;
    await db.transaction().execute(async (trx) => {
      for (let n = 0; n < 1_300; n++)
        await recordAudit(
          trx,
          {
            actor: NOBODY,
            action: 'auth.sign_in',
            target: NOBODY,
            outcome: 'refused',
            origin: { request_id: 'r', address: `10.${n >> 8}.${n & 255}.1` },
          },
          at(n),
        );
    });
    await closeHour(database);
    const entries = await read(db);
    assert.deepEqual([entries.length, entries.at(-1)?.detail.times, entries.at(-1)?.address], [1_001, 300, null]);
  });

  test('operator commands on the host are never combined: each gets an entry', async () => {
    const database = await open();
    for (let n = 0; n < 250; n++)
      await recordAudit(database.db, { actor: OPERATOR_CLI, action: 'users.look', target: 'ada' }, at(n));
    assert.equal((await read(database.db)).length, 250);
  });

  test('changes of one account are written up to 200 per hour, then counted', async () => {
    const database = await open();
    for (let n = 0; n < 230; n++)
      await recordAudit(database.db, { actor: 'eve', action: 'users.create_key', target: `k${n}` }, at(n));
    await closeHour(database);
    const entries = await read(database.db);
    assert.deepEqual([entries.length, entries.at(-1)?.detail.times], [201, 30]);
  });
});
