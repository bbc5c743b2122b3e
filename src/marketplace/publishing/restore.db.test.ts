import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand } from '#test/publishing-stand.ts';

oneDatabase('POST /api/marketplace/listings/{id}/restore', (open) => {
  test('200: yanked and deprecated versions are live again, with a history entry', async () => {
    const stand = publishingStand(await open());
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.published(ana, { name: 'ana-lang/words' });
    await stand.published(ana, { name: 'ana-lang/words', version: '1.1.0' });
    const ask = (as: typeof ana, change: 'restore' | 'yank' | 'deprecate' | 'unpublish', version?: string) =>
      stand.ask(as, `publishing.${change}`, { params: { id }, body: { reason: `To ${change}.`, version } });
    await ask(ana, 'yank', '1.1.0');
    await ask(ana, 'deprecate', '1.0.0');
    assert.equal((await ask(bob, 'restore')).body.code, 'marketplace.forbidden');
    const { status, body } = await ask(ana, 'restore');
    assert.deepEqual([status, body.latest, body.changed], [200, '1.1.0', ['1.0.0', '1.1.0']]);
    const { body: shown } = await stand.ask(null, 'listings.get', { params: { id } });
    assert.deepEqual([shown.status, shown.status_reason], ['live', '']);
    assert.deepEqual(
      shown.history.slice(-2).map((entry: { change: string; reason: string }) => [entry.change, entry.reason]),
      [
        ['restore', 'To restore.'],
        ['restore', 'To restore.'],
      ],
    );
    assert.equal((await stand.ask(null, 'listings.list', {})).body.items[0].version, '1.1.0');
    assert.equal((await ask(ana, 'restore')).body.code, 'marketplace.version_conflict');
  });

  test('403: a version yanked by an operator; 410: an unpublished listing', async () => {
    const stand = publishingStand(await open());
    const [ana, operator] = [await stand.newPerson(), await stand.newPerson(true)];
    const id = await stand.published(ana, { name: 'ana-lang/words' });
    const ask = (as: typeof ana, change: 'restore' | 'yank' | 'unpublish') =>
      stand.ask(as, `publishing.${change}`, { params: { id }, body: { reason: `To ${change}.` } });
    await ask(operator, 'yank');
    const refused = await ask(ana, 'restore');
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [403, 'marketplace.forbidden', 'held_by_operator'],
    );
    assert.equal((await ask(operator, 'restore')).body.latest, '1.0.0');
    // The publisher can restore what the publisher yanks later.
    await ask(ana, 'yank');
    assert.equal((await ask(ana, 'restore')).status, 200);
    await ask(ana, 'unpublish');
    assert.equal((await ask(ana, 'restore')).status, 410);
  });
});
