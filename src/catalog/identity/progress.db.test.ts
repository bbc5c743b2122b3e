import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#core/clock/clock.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import { eachDatabase } from '#test/databases.ts';
import { linkNow, removeAll, saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';
import { publishingStand } from '#test/publishing-stand.ts';
import { unlinkedCounter } from './progress.ts';

eachDatabase('the number of listings without a capability', (open) => {
  test('appears in statistics and searches, and excludes changed listings that have a capability', async () => {
    const database = await open();
    const left = () =>
      unlinkedCounter({ connection: connectionOver(database.db, database.engine), clock: systemClock })();
    assert.equal(await left(), 0);
    await saveAll(database, [
      listing('glama', 'sky/tides'),
      listing('glama', 'sky/stars'),
      listing('glama', 'sky/gone'),
    ]);
    await removeAll(database, [['glama', 'sky/gone']]);
    assert.equal(await left(), 2);
    const { ask } = publishingStand(database);
    assert.equal((await ask(null, 'listings.getStats', {})).body.not_linked, 2);
    assert.equal((await ask(null, 'listings.search', { body: { query: 'tides' } })).body.not_linked, 2);
    await linkNow(database);
    assert.equal(await left(), 0);
    await saveAll(database, [listing('glama', 'sky/tides', { version: '2.0.0' }), listing('glama', 'sky/moon')]);
    assert.equal(await left(), 1);
  });
});
