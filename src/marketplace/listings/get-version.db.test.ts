import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand } from '#test/publishing-stand.ts';

oneDatabase('GET /api/marketplace/listings/{id}/versions/{version}', (open) => {
  test('200: files and digest of a version; 404: unknown version', async () => {
    const stand = publishingStand(await open());
    const id = await stand.published(await stand.newPerson(), { name: 'ana-lang/words' });
    const { status, body } = await stand.ask(null, 'listings.getVersion', { params: { id, version: '1.0.0' } });
    assert.deepEqual([status, body.name, body.files.length, body.claim], [200, 'ana-lang/words', 2, null]);
    for (const version of ['1.0', '1.0.1', 'latest', '../1.0.0'])
      assert.equal((await stand.ask(null, 'listings.getVersion', { params: { id, version } })).status, 404, version);
  });
});
