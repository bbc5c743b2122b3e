import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand, skillFiles } from '#test/publishing-stand.ts';

oneDatabase('POST /api/marketplace/listings/{id}/deprecate', (open) => {
  test('200: a deprecated version shows its reason, and is latest only if no version is live', async () => {
    const stand = publishingStand(await open());
    const ana = await stand.newPerson();
    const id = await stand.published(ana, { name: 'ana-lang/words' });
    await stand.published(ana, { name: 'ana-lang/words', version: '2.0.0', files: skillFiles('words', ' New.') });
    const deprecate = (version?: string) =>
      stand.ask(ana, 'publishing.deprecate', { params: { id }, body: { reason: 'Use tokens.', version } });
    assert.equal((await deprecate('2.0.0')).body.latest, '1.0.0');
    assert.equal((await deprecate()).body.latest, '2.0.0');
    assert.equal((await deprecate()).status, 409);
    const [listed] = (await stand.ask(null, 'listings.list', {})).body.items;
    assert.deepEqual([listed.version, listed.status, listed.status_reason], ['2.0.0', 'deprecated', 'Use tokens.']);
    const file = await stand.ask(null, 'listings.getFile', { params: { id, version: '2.0.0', path: 'SKILL.md' } });
    assert.deepEqual([file.status, file.headers['x-capstan-status']], [200, 'deprecated']);
    const bob = await stand.newPerson();
    assert.equal((await stand.ask(bob, 'publishing.deprecate', { params: { id }, body: { reason: 'x' } })).status, 403);
  });
});
