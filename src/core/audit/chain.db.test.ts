import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { jobTable } from '#core/jobs/jobs.ts';
import { networkOf } from '#core/outbound/network-of.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { recordAudit } from './audit.ts';
import { verifyChain } from './chain.ts';
import { auditKinds } from './jobs.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00.000Z');
const entry = { actor: 'a', action: 'users.set_tier', target: 'b' } as const;

/** Writes one entry per day. */
async function days({ db }: TestDatabase, count: number): Promise<void> {
  for (let day = 0; day < count; day++)
    await recordAudit(db, { ...entry, detail: { day } }, new Date(START + day * DAY_MS).toISOString());
}

eachDatabase('the chain of the audit log', (open) => {
  test('the audit chain stays intact with concurrent writers and reveals every change, removal and truncation', async () => {
    const database = await open();
    const { db } = database;
    const origin = { request_id: 'r', address: '192.0.2.77' };
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        db.transaction().execute(async (trx) => {
          await sql`SELECT 1`.execute(trx);
          await recordAudit(trx, { ...entry, origin, detail: { n } }, '2026-03-01T00:00:00.000Z');
          if (n === 7) throw new Error('taken back');
        }),
      ).map((item) => item.catch(() => {})),
    );
    const whole = await verifyChain(db);
    assert.deepEqual([whole.entries, whole.faults, whole.head.seq], [19, [], 19]);
    const rows = await db.selectFrom('audit_log').selectAll().orderBy('seq').execute();
    assert.ok(rows.every(({ address }) => address === '192.0.2.0/24'));
    const broken = async (change: () => Promise<unknown>) => {
      await change();
      const { faults } = await verifyChain(db, whole.head);
      await db.deleteFrom('audit_log').execute();
      await db.insertInto('audit_log').values(rows).execute();
      return faults.join('; ');
    };
    const at = (seq: number) => db.updateTable('audit_log').where('seq', '=', seq);
    for (const set of [{ actor: 'x' }, { detail: '{}' }, { outcome: 'refused' }, { address: null }, { at: 'x' }])
      assert.match(await broken(() => at(5).set(set).execute()), /^entry 5 was modified$/);
    assert.match(await broken(() => at(5).set({ hash: '' }).execute()), /entry 5 was modified/);
    assert.match(
      await broken(() => db.deleteFrom('audit_log').where('seq', '=', 5).execute()),
      /between 4 and 6 are missing/,
    );
    assert.match(
      await broken(() => db.deleteFrom('audit_log').where('seq', '<', 3).execute()),
      /between 0 and 3 are missing/,
    );
    assert.match(
      await broken(() => db.deleteFrom('audit_log').where('seq', '>', 17).execute()),
      /after 17 are missing/,
    );
    assert.deepEqual((await verifyChain(db, whole.head)).faults, []);
  });

  test('the audit chain is verified from an anchor after old entries expired, and each entry is logged once', async () => {
    const database = await open();
    const { db } = database;
    await days(database, 12);
    const told: number[] = [];
    const log = { info: ({ audit }: { audit: { seq: number } }) => void told.push(audit.seq) };
    const clock = { now: () => START + 11 * DAY_MS + 1_000 };
    const kinds = auditKinds({ db, clock, log: log as never, retention_ms: 5 * DAY_MS, batch: 2 });
    const jobs = jobTable(database, clock);
    const run = async (kind: string) => {
      await jobs.put({ kind, key: 'all' });
      const job = (await jobs.claim([kind], 'w', 60_000)) ?? assert.fail('no job');
      const outcome = await kinds[kind]?.handler({
        job,
        signal: new AbortController().signal,
        fence: (trx) => jobs.fence(trx, job),
      });
      await jobs.complete(job, outcome?.again_at_ms ?? null);
    };
    await run('audit.tell');
    assert.deepEqual(told, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    await run('audit.expire');
    const after = await verifyChain(db);
    assert.deepEqual([after.entries, after.faults], [5, []]);
    assert.deepEqual(
      (await db.selectFrom('audit_anchors').selectAll().execute()).map(({ seq, removed_on }) => [seq, removed_on]),
      [[7, '2026-03-12']],
    );
    await recordAudit(db, entry, '2026-03-13T00:00:00.000Z');
    assert.deepEqual((await verifyChain(db)).faults, []);
    await db.deleteFrom('audit_log').where('seq', '=', 8).execute();
    assert.match((await verifyChain(db)).faults.join(), /between 7 and 9 are missing/);
  });
});

test('audit entries store the network of an address, not the address', () => {
  assert.deepEqual(['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:1:2:3:4:5:6', 'fe80::1%eth0', ''].map(networkOf), [
    '203.0.113.0/24',
    '203.0.113.0/24',
    '2001:db8:1::/48',
    'fe80::/48',
    null,
  ]);
});

eachDatabase('entries of the previous version', (open) => {
  test('entries written by the previous version during a rolling upgrade join the chain and are logged once', async () => {
    const database = await open();
    const { db } = database;
    await recordAudit(db, entry, '2026-03-01T00:00:00.000Z');
    const rows = ['b', 'a'].map((id) => ({
      id,
      at: '2026-03-01T00:00:01.000Z',
      actor: id,
      action: 'users.look',
      target: 'c',
      detail: '{"n":1}',
    }));
    await db.insertInto('audit_entries').values(rows).execute();
    const clock = { now: () => START };
    const told: unknown[] = [];
    const log = { info: ({ audit }: { audit: { actor: string } }) => told.push(audit.actor) } as never;
    const { handler } = auditKinds({ db, clock, log, retention_ms: DAY_MS })['audit.tell'] ?? assert.fail();
    const run = { fence: async () => {}, signal: new AbortController().signal };
    for (let round = 0; round < 2; round++) await handler(run as never);
    assert.deepEqual(told, ['a', 'a', 'b']);
    const { entries, faults } = await verifyChain(db);
    assert.deepEqual([entries, faults], [3, []]);
  });
});
