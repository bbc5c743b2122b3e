import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { exampleItem, saveItems } from '#test/example-items.ts';
import { idsFrom } from './read-items.ts';

eachDatabase('reading ids by prefix', (open) => {
  test('ids are matched case-sensitively, sorted and limited, without removed listings', async () => {
    const { db } = await open();
    const ids = ['ana/a', 'ana/b%_', 'ana/ü😀x', 'Ana/c', 'an', 'bo/a'];
    await saveItems(
      db,
      ids.map((external_id, i) => exampleItem(i, { external_id })),
      ['bo/a'],
    );
    const from = (start: string, limit = 100) => idsFrom(db, 'smithery', start, limit);
    assert.deepEqual((await from('ana/')).sort(), ['ana/a', 'ana/b%_', 'ana/ü😀x']);
    assert.deepEqual(await from('ana/b%'), ['ana/b%_']);
    assert.deepEqual(await from('ana/ü😀'), ['ana/ü😀x']);
    assert.equal((await from('', 2)).length, 2);
    assert.deepEqual(await from('bo'), []);
    assert.deepEqual(await idsFrom(db, 'glama', '', 10), []);
  });
});
