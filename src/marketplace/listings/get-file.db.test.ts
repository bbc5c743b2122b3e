import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand, skillFiles } from '#test/publishing-stand.ts';

oneDatabase('GET /api/marketplace/listings/{id}/versions/{version}/files/{path}', (open) => {
  test('200: the exact bytes; 404: other paths; 409: another digest; 422: the stored file is damaged', async () => {
    const stand = publishingStand(await open());
    const id = await stand.published(await stand.newPerson(), { name: 'ana-lang/words' });
    const get = (path: string, query = {}) =>
      stand.ask(null, 'listings.getFile', { params: { id, version: '1.0.0', path }, query });
    const [, script] = skillFiles('words');
    assert.equal((await get('scripts/run.mjs')).body, script?.content);
    for (const path of ['../SKILL.md', 'skill.md', './SKILL.md', 'scripts', 'SKILL.md/', '__proto__'])
      assert.equal((await get(path)).body.code, 'marketplace.not_found', path);
    const other = await get('SKILL.md', { digest: `sha256:${'0'.repeat(64)}` });
    assert.deepEqual(
      [other.status, other.body.code, other.body.reason],
      [409, 'marketplace.version_conflict', 'digest_differs'],
    );
    await stand.db.updateTable('published_contents').set({ content: 'AAAA' }).execute();
    const damaged = await get('SKILL.md');
    assert.deepEqual(
      [damaged.status, damaged.body.code, damaged.body.reason],
      [422, 'marketplace.files_invalid', 'stored_files_differ'],
    );
  });
});
