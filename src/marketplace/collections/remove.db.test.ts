import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('DELETE /api/operator/collections/{slug}', (open) => {
  test('200: the others remain; 409: it has changed since; 404: an unknown one', async () => {
    const stand = await moderationStand(await open());
    const one = await stand.listed('glama', 'a/one');
    const save = async (slug: string, revision = '') => {
      const body = { title: slug, description: '', listings: [one], revision, reason: 'New.' };
      return (await stand.ask(stand.operator, 'collections.save', { params: { slug }, body })).body.revision;
    };
    const seen = await save('one');
    await save('two');
    const now = await save('one', seen);
    const remove = (slug: string, revision: string) =>
      stand.ask(stand.operator, 'collections.remove', { params: { slug }, query: { revision, reason: 'Old.' } });
    assert.equal((await remove('one', seen)).body.code, 'marketplace.collection_conflict');
    const left = await remove('one', now);
    assert.deepEqual(
      left.body.items.map(({ slug }: { slug: string }) => slug),
      ['two'],
    );
    assert.equal((await remove('one', now)).body.code, 'marketplace.not_found');
    const [entry] = await stand.db.selectFrom('audit_reasons').selectAll().orderBy('seq', 'desc').limit(1).execute();
    assert.equal(entry?.reason, 'Old.');
  });
});
