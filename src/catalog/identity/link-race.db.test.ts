import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionOver } from '#core/db/connection-over.ts';
import { mergeCapabilities } from '#marketplace/identity/judgements.ts';
import { oneDatabase, type TestDatabase } from '#test/databases.ts';
import { groupsIn, linkNow, saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';
import { capabilityOf } from './capabilities.ts';
import { linkChanged } from './link.ts';
import { linkDbOver } from './save.ts';

const NOW = '2026-03-01T00:00:00.000Z';

/** Links, and lets an operator merge two capabilities between the read and the write. */
async function linkWhileMerged(database: TestDatabase, ids: readonly [string, string], isWhole: boolean) {
  const db = linkDbOver(database);
  let isMerged = false;
  await linkChanged(
    {
      ...db,
      transaction: async (work) => {
        const order = { actor: 'u1', reason: 'the same', now: NOW };
        if (!isMerged) await db.transaction((trx) => mergeCapabilities(trx, ...ids, order));
        isMerged = true;
        return db.transaction(work);
      },
    },
    { page: 10, now: () => NOW, isWorthLinkingAll: () => isWhole },
  );
}

oneDatabase('a merge by an operator while listings are linked', (open) => {
  for (const isWhole of [false, true])
    test(`is kept when the listings are linked ${isWhole ? 'all at once' : 'page by page'}`, async () => {
      const database = await open();
      const db = connectionOver(database.db, database.engine);
      const docker = listing('docker', 'tides', { name: 'Tides' });
      const glama = listing('glama', 'ana/sea', { name: 'Sea' });
      await saveAll(database, [docker, glama]);
      await linkNow(database);
      assert.deepEqual(await groupsIn(database), []);
      const [one, other] = [await capabilityOf(db, 'docker', 'tides'), await capabilityOf(db, 'glama', 'ana/sea')];
      await saveAll(database, [
        { ...docker, name: 'Tides two' },
        { ...glama, name: 'Sea two' },
        listing('smithery', 'bob/new', { name: 'New' }),
      ]);
      await linkWhileMerged(database, [one?.id ?? '', other?.id ?? ''], isWhole);
      assert.deepEqual(await groupsIn(database), [['docker tides', 'glama ana/sea']]);
      assert.ok((await capabilityOf(db, 'smithery', 'bob/new')) !== null);
      assert.equal(await linkNow(database), 0);
    });
});
