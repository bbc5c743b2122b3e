import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '../../../test/databases.ts';
import { publishingStand, skillFiles } from '../../../test/publishing-stand.ts';

oneDatabase('GET /api/marketplace/listings/{id}', (open) => {
  test('200: latest is the highest live version that is no pre-release; only pre-releases have none', async () => {
    const stand = publishingStand(await open());
    const ana = await stand.newPerson();
    const add = (version: string) =>
      stand.published(ana, { name: 'ana-lang/words', version, files: skillFiles('words', version) });
    const id = await add('1.0.0-rc.1');
    const read = async () => (await stand.ask(null, 'getListing', { params: { id } })).body;
    assert.deepEqual([(await read()).latest, (await read()).version], [null, '1.0.0-rc.1']);
    for (const version of ['1.9.0', '1.10.0', '1.2.0', '2.0.0-beta']) await add(version);
    const body = await read();
    assert.deepEqual([body.latest, body.version, body.versions.length], ['1.10.0', '1.10.0', 5]);
    assert.deepEqual([body.author, body.sources[0].provider, body.claimed], ['ana-lang', 'capstan', false]);
    assert.equal((await stand.ask(null, 'getListing', { params: { id: 'none' } })).body.code, 'marketplace.not_found');
  });
});
