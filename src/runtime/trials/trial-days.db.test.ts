import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#core/problem/problem.ts';
import { eachDatabase } from '#test/databases.ts';
import { removeTrialDays, takeTrial, trialsLeft } from './trial-days.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;

eachDatabase('runs of a day', (open) => {
  test('200 requests at once from one address, and from many networks: exactly the allowed number is counted', async () => {
    const { db } = await open();
    const outcomes = async (addresses: string[], limits = { per_address: 5, per_day: 40 }, nowMs = NOON) => {
      const all = await Promise.allSettled(addresses.map((address) => takeTrial(db, address, limits, nowMs)));
      const reasons = all.map((one) => (one.status === 'fulfilled' ? 'taken' : (one.reason as Problem).reason));
      for (const one of all) if (one.status === 'rejected') assert.ok(one.reason instanceof Problem, `${one.reason}`);
      return Object.fromEntries(
        Map.groupBy(reasons, (reason) => reason ?? '')
          .entries()
          .map(([k, v]) => [k, v.length]),
      );
    };
    const many = (address: (n: number) => string) => Array.from({ length: 200 }, (_, n) => address(n));
    assert.deepEqual(await outcomes(many(() => '192.0.2.7')), { taken: 5, address: 195 });
    // One /24 has a part of at least what one address has, the first address included.
    assert.deepEqual(await outcomes(many((n) => `192.0.2.${n}`)), { address: 1, network: 199 });
    // A /16 has a quarter, of which one /24 has used five.
    assert.deepEqual(await outcomes(many((n) => `192.0.${n + 3}.1`)), { taken: 5, network: 195 });
    // A /48 has 2^16 networks of 64 bits.
    assert.deepEqual(await outcomes(many((n) => `2001:db8:1:${n}::1`)), { taken: 5, network: 195 });
    assert.deepEqual(await outcomes(many((n) => `198.${n}.100.1`)), { taken: 25, total: 175 });
    assert.equal(await trialsLeft(db, '203.0.113.1', { per_address: 5, per_day: 40 }, NOON), 0);

    // The day ends at midnight, whenever it began, and a refused request was counted nowhere.
    const next = NOON + DAY_MS / 2;
    assert.deepEqual(await outcomes(['192.0.2.7'], { per_address: 5, per_day: 40 }, next), { taken: 1 });
    assert.equal(await trialsLeft(db, '192.0.2.7', { per_address: 5, per_day: 40 }, next), 4);
    const used = await db.selectFrom('trial_days').select('used').where('bucket', '=', 'all').orderBy('day').execute();
    assert.deepEqual(
      used.map((row) => row.used),
      [40, 1],
    );
    while ((await removeTrialDays(db, '2026-03-02T00:00:00.000Z', 20)) === 20);
    const left = await db.selectFrom('trial_days').select('bucket').execute();
    assert.equal(left.length, 4);
  });
});
