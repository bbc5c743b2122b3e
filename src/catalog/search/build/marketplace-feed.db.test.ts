import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConnection } from '#core/db/connection.ts';
import { documentSource } from '#marketplace/documents/read-documents.ts';
import { buildingHeaders } from '#marketplace/listings/building-headers.ts';
import { eachDatabase } from '#test/databases.ts';
import { listing } from '#test/fakes/fault-server.ts';
import { linkAllNow, saveAll } from '#test/linking.ts';
import { marketplaceViewOf } from '../query/marketplace-view.ts';
import { type LiveMarketplace, loadMarketplace, marketplaceStateOf } from './marketplace-feed.ts';

eachDatabase('the first build of the marketplace index', (open) => {
  test('the first documents are searchable while the rest is read, and a header shows the build', async () => {
    const database = await open();
    const ids = Array.from({ length: 2_600 }, (_, at) => `thing-${at}`);
    await saveAll(
      database,
      ids.map((id) => listing('docker', id, { name: `Tool of the kind ${id}`, description: `It is about ${id}` })),
    );
    await linkAllNow(database, 1_000);
    const connection = await openConnection(database.config);
    const given: LiveMarketplace[] = [];
    const whole = await loadMarketplace(connection, documentSource([]), (index) => given.push(index));
    await connection.close();
    assert.equal(given.length, 1);
    const [early, late] = [...given, whole].map((index) => marketplaceViewOf(marketplaceStateOf(index, 'x'), null));
    assert.deepEqual([early?.is_whole, late?.is_whole], [false, true]);
    assert.ok((early?.vocabulary.count ?? 0) >= 2_000, `${early?.vocabulary.count}`);
    assert.equal(late?.vocabulary.count, ids.length);
    assert.notEqual(early?.version, late?.version);
    assert.deepEqual(
      [early, late].map((view) => view && buildingHeaders(view)),
      [{ 'x-capstan-index': 'building' }, {}],
    );
  });
});
