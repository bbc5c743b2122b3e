import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '../../../../test/databases.ts';
import { moderationStand, noFence } from '../../../../test/moderation-stand.ts';
import { findRow } from '../../registry/read-items.ts';
import { carryOver } from './carry-over.ts';

eachDatabase('what is merged into something that was taken down', (open) => {
  test('is taken down too, and says so; once, and without a look where nothing changed', async () => {
    const stand = await moderationStand(await open());
    const { db, deps } = stand;
    const id = await stand.listed('glama', 'a/words');
    await stand.decide(id, { decision: 'takedown', kind: 'malware', reason: 'It steals.' });
    const merged = await stand.listed('smithery', '@a/words', {}, id);
    assert.equal(await carryOver(deps, noFence), 1);
    const row = await findRow(db, { provider_id: 'smithery', external_id: '@a/words' });
    assert.match(row?.taken_down ?? '', /It steals/);
    assert.equal(await carryOver(deps, noFence), 0);
    const { history, measures } = await stand.moderation(id);
    const last = history.at(-1);
    assert.deepEqual([last.change, last.by, measures.length], ['carried_over', 'automatic', 1]);
    await stand.decide(merged, { decision: 'lift', measure_id: measures[0].id });
    assert.equal((await findRow(db, { provider_id: 'smithery', external_id: '@a/words' }))?.removed_at, null);
  });
});
