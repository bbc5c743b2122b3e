import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { publishingStand } from '#test/publishing-stand.ts';

eachDatabase('POST /api/marketplace/listings/{id}/unpublish', (open) => {
  test('200: removes a listing and its files; reading it returns 410 with versions and digests', async () => {
    const stand = publishingStand(await open());
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.published(ana, { name: 'ana-lang/words', tags: ['x'] });
    await stand.published(bob, { name: 'bob-lang/words' });
    await stand.published(ana, {
      name: 'ana-lang/words',
      version: '1.1.0',
      files: [...stand.orderOf({ name: 'a/words' }).files, { path: 'LICENSE', content: 'MIT' }],
    });
    const stored = async () => (await stand.db.selectFrom('published_contents').select('sha256').execute()).length;
    assert.equal(await stored(), 3, 'contents are deduplicated');
    const order = { params: { id }, body: { reason: 'A key\nwas in it.' } };
    const refused = await stand.ask(bob, 'publishing.unpublish', order);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [403, 'marketplace.forbidden', 'publisher_only'],
    );
    const { status, body } = await stand.ask(ana, 'publishing.unpublish', order);
    assert.deepEqual([status, body.status, body.latest, body.changed], [200, 'unpublished', null, ['1.0.0', '1.1.0']]);
    assert.equal(await stored(), 2, 'contents of other listings stay');
    const gone = await stand.ask(null, 'listings.get', { params: { id } });
    assert.deepEqual([gone.status, gone.body.code, gone.body.reason], [410, 'marketplace.gone', 'unpublished']);
    const { reason, versions } = gone.body.tombstone;
    assert.equal(reason, order.body.reason);
    assert.match(versions[1].digest, /^sha256:/);
    const rest = await stand.ask(null, 'listings.list', {});
    assert.deepEqual(
      rest.body.items.map((item: { name: string }) => item.name),
      ['bob-lang/words'],
    );
    assert.equal((await stand.ask(ana, 'publishing.unpublish', order)).status, 410);
    assert.equal((await stand.ask(ana, 'publishing.unpublish', { ...order, params: { id: 'x' } })).status, 404);
  });

  test('an unpublished version number stays taken, and publishing a higher one restores the listing', async () => {
    const stand = publishingStand(await open());
    const [ana, operator] = [await stand.newPerson(), await stand.newPerson(true)];
    const id = await stand.published(ana, { name: 'ana-lang/words' });
    await stand.ask(operator, 'publishing.unpublish', { params: { id }, body: { reason: 'Harmful.' } });
    assert.equal((await stand.publish(ana, { name: 'ana-lang/words' })).body.code, 'marketplace.version_conflict');
    assert.equal((await stand.publish(ana, { name: 'ana-lang/words', version: '1.0.1' })).body.id, id);
    const audited = await stand.db
      .selectFrom('audit_log')
      .select(['actor', 'action', 'target'])
      .where('actor', '=', operator.id)
      .execute();
    assert.deepEqual(audited, [{ actor: operator.id, action: 'marketplace.unpublish', target: id }]);
    const { body } = await stand.ask(null, 'listings.get', { params: { id } });
    assert.deepEqual(
      [body.latest, body.versions.map((version: { status: string }) => version.status)],
      ['1.0.1', ['unpublished', 'live']],
    );
    assert.deepEqual(
      body.history.map((entry: { change: string; actor: string }) => [entry.change, entry.actor]),
      [
        ['publish', 'publisher'],
        ['unpublish', 'operator'],
        ['publish', 'publisher'],
      ],
    );
    const old = { params: { id, version: '1.0.0', path: 'SKILL.md' } };
    for (const operation of ['listings.getVersion', 'listings.getFile'] as const)
      assert.equal((await stand.ask(null, operation, old)).status, 410);
  });
});
