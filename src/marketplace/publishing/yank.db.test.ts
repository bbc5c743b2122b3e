import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand, skillFiles } from '#test/publishing-stand.ts';

oneDatabase('POST /api/marketplace/listings/{id}/yank', (open) => {
  test('200: a yanked version is never latest, and its files are available only by digest', async () => {
    const stand = publishingStand(await open());
    const ana = await stand.newPerson();
    const id = await stand.published(ana, { name: 'ana-lang/words' });
    await stand.published(ana, { name: 'ana-lang/words', version: '1.10.0', files: skillFiles('words', ' New.') });
    const yank = (version?: string) =>
      stand.ask(ana, 'publishing.yank', { params: { id }, body: { reason: 'It loses words.', version } });
    const { status, body } = await yank('1.10.0');
    assert.deepEqual([status, body.latest, body.changed], [200, '1.0.0', ['1.10.0']]);
    assert.equal((await yank('1.10.0')).body.code, 'marketplace.version_conflict');
    assert.equal((await yank('9.9.9')).body.code, 'marketplace.not_found');
    const { digest } = (await stand.ask(null, 'listings.getVersion', { params: { id, version: '1.10.0' } })).body;
    const file = (query: object) =>
      stand.ask(null, 'listings.getFile', { params: { id, version: '1.10.0', path: 'SKILL.md' }, query });
    const gone = await file({});
    assert.deepEqual([gone.status, gone.body.code, gone.body.reason], [410, 'marketplace.gone', 'version_yanked']);
    assert.match(gone.body.detail, /It loses words/);
    const pinned = await file({ digest });
    assert.deepEqual([pinned.status, pinned.headers['x-capstan-status']], [200, 'yanked']);
    assert.match(pinned.body, /New\./);
    const all = await yank();
    assert.deepEqual([all.body.latest, all.body.changed], [null, ['1.0.0']]);
    assert.equal((await stand.ask(null, 'listings.list', {})).body.total_count, 0);
    const bob = await stand.newPerson();
    assert.equal((await stand.ask(bob, 'publishing.yank', { params: { id }, body: { reason: 'x' } })).status, 403);
  });
});
