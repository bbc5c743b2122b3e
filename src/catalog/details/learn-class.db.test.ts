import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRow } from '#catalog/items/read-items.ts';
import { eachDatabase } from '#test/databases.ts';
import { saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';
import { saveDetail } from './details.ts';
import { learnClass } from './learn-class.ts';

eachDatabase('the execution class learned from files', (open) => {
  test('survives a sync, and is reset when the scripts are gone', async () => {
    const database = await open();
    const { db } = database;
    const clock = { now: () => Date.parse('2026-03-02T00:00:00Z') };
    const skill = (version: string) => listing('clawhub', 'ann/rope', { version });
    const row = async (id = 'ann/rope') => {
      const found = await findRow(db, { provider_id: 'clawhub', external_id: id });
      assert.ok(found);
      return found;
    };
    const learn = learnClass({ db, clock });
    await saveAll(database, [skill('1.0.0')]);
    const before = await row();
    await learn(before, 'prompt');
    assert.equal((await row()).seq, before.seq, 'unchanged');
    await learn(before, 'scripted');
    const learned = await row();
    assert.deepEqual([learned.execution_class, learned.seq > before.seq], ['scripted', true]);
    await learn(learned, 'scripted');
    assert.equal((await row()).seq, learned.seq, 'unchanged');
    await saveAll(database, [skill('1.0.0')]);
    assert.deepEqual([(await row()).execution_class, (await row()).seq], ['scripted', learned.seq]);
    await saveAll(database, [skill('2.0.0')]);
    assert.deepEqual([(await row()).execution_class, (await row()).version], ['scripted', '2.0.0']);
    await learn(await row(), 'prompt');
    assert.equal((await row()).execution_class, 'prompt');
    await saveAll(database, [skill('2.0.0')]);
    assert.equal((await row()).execution_class, 'prompt');
  });

  test('is kept while the list of files has scripts, and reset by files without them', async () => {
    const database = await open();
    const { db } = database;
    const key = { provider_id: 'clawhub', external_id: 'ann/rope' };
    const learn = learnClass({ db, clock: { now: () => 0 } });
    const files = (script: boolean) => JSON.stringify([{ path: 'a', size: null, sha256: null, script }]);
    const now = '2026-03-01T00:00:00.000Z';
    await saveAll(database, [listing('clawhub', 'ann/rope')]);
    await saveDetail(db, key, { files: files(true), execution_class: 'scripted' }, now);
    const ran = async () => {
      const row = await findRow(db, key);
      assert.ok(row);
      await learn(row, 'prompt');
      return (await findRow(db, key))?.execution_class;
    };
    assert.equal(await ran(), 'scripted');
    await saveDetail(db, key, { files: files(false) }, now);
    assert.equal(await ran(), 'prompt');
  });

  test('does not replace a class other than "prompt" from the list of the provider', async () => {
    const database = await open();
    const { db } = database;
    const learn = learnClass({ db, clock: { now: () => 0 } });
    await saveAll(database, [listing('clawhub', 'plugin', { execution_class: 'scripted', listing_type: 'harness' })]);
    const key = { provider_id: 'clawhub', external_id: 'plugin' };
    const row = await findRow(db, key);
    assert.ok(row);
    await learn(row, 'prompt');
    await learn(row, 'mcp');
    assert.equal((await findRow(db, key))?.execution_class, 'scripted');
  });
});
