import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tombstoneLine } from '#catalog/items/item-line.ts';
import { findLiveListing } from '#catalog/items/live-listing.ts';
import { changedRows, findRow, liveRows } from '#catalog/items/read-items.ts';
import { eachDatabase } from '#test/databases.ts';
import { listing } from '#test/listings.ts';
import { moderationStand, noFence } from '#test/moderation-stand.ts';
import { skillFiles } from '#test/publishing-stand.ts';
import { carryOver } from './carry-over.ts';

eachDatabase('POST /api/marketplace/listings/{id}/decisions', (open) => {
  test('a takedown hides every listing, survives syncs, and appears in the change feed', async () => {
    const stand = await moderationStand(await open());
    const { db } = stand;
    const id = await stand.listed('glama', 'a/words');
    const merged = await stand.listed('smithery', '@a/words', {}, id);
    const before = (await findRow(db, { provider_id: 'smithery', external_id: '@a/words' }))?.seq ?? 0;
    const done = await stand.decide(merged, { decision: 'takedown', kind: 'malware', reason: 'It steals keys.' });
    assert.deepEqual(
      [done.status, done.body.changed, done.body.moderation.status],
      [201, ['taken_down'], 'taken_down'],
    );
    assert.deepEqual(await liveRows(db, null, 10), []);
    const gone = { code: 'registry.gone', message: /malware.*It steals keys/ };
    await assert.rejects(findLiveListing(db, { provider: 'glama', external_id: 'a/words' }, stand.clock.now()), gone);
    const feed = await changedRows(db, { seq: before + 1, provider_id: '', external_id: '' }, 10);
    assert.deepEqual(
      feed.map((row) => JSON.parse(tombstoneLine(row)).taken_down),
      ['malware', 'malware'],
    );
    const { seq } = feed.at(-1) as { seq: number };
    await stand.sync(listing('glama', 'a/words'));
    assert.deepEqual(
      await changedRows(db, { seq: seq + 1, provider_id: '', external_id: '' }, 10),
      [],
      'a sync is no change',
    );
    await stand.sync(listing('glama', 'a/words', { version: '2.0.0' }));
    const row = await findRow(db, { provider_id: 'glama', external_id: 'a/words' });
    assert.deepEqual([row?.version, row?.removed_at === null], ['2.0.0', false], 'updated, but still taken down');
    const measure_id = done.body.moderation.measures[0].id;
    const back = await stand.decide(id, { decision: 'lift', measure_id, reason: 'A mistake of ours.' });
    assert.deepEqual([back.body.changed, back.body.moderation.status], [['reinstated'], 'clear']);
    assert.equal((await liveRows(db, null, 10)).length, 2);
    const actions = await db
      .selectFrom('audit_log')
      .select(['action', 'actor', 'target'])
      .where('actor', '=', stand.operator.id)
      .orderBy('seq')
      .execute();
    const of = { actor: stand.operator.id, target: id };
    assert.deepEqual(actions, [
      { action: 'marketplace.takedown', ...of },
      { action: 'marketplace.lift', ...of },
    ]);
  });

  test('of two concurrent decisions, one succeeds and the other gets the current state', async () => {
    const stand = await moderationStand(await open());
    const other = await stand.newPerson(true);
    const id = await stand.listed('glama', 'a/words');
    const order = { revision: '', reason: 'Now.' };
    const both = await Promise.all([
      stand.decide(id, { ...order, decision: 'takedown', kind: 'malware' }),
      stand.decide(id, { ...order, decision: 'flag', kind: 'suspicious' }, other),
    ]);
    const [won, lost] = both.toSorted((a, b) => a.status - b.status);
    assert.deepEqual(
      [won?.status, lost?.status, lost?.body.code, lost?.body.reason],
      [201, 409, 'marketplace.moderation_conflict', 'stale'],
    );
    assert.equal(lost?.body.last.change, won?.body.changed[0]);
    assert.equal(lost?.body.revision, (await stand.moderation(id)).revision);
    assert.equal((await stand.moderation(id)).measures.length, 1);
  });

  test('403: not an operator; 409 or 404: no active action; 400: no rule given', async () => {
    const stand = await moderationStand(await open());
    const id = await stand.listed('glama', 'a/words');
    const code = async (order: object, as = stand.operator) => (await stand.decide(id, order, as)).body.code;
    assert.equal(
      await code({ decision: 'flag', kind: 'spam' }, await stand.newPerson()),
      'marketplace.operator_required',
    );
    assert.equal(await code({ decision: 'dismiss' }), 'marketplace.moderation_conflict');
    assert.equal(await code({ decision: 'flag' }), 'http.invalid');
    assert.equal(await code({ decision: 'lift', measure_id: 'none' }), 'marketplace.not_found');
    const { moderation } = (await stand.decide(id, { decision: 'flag', kind: 'other', rule: 'Be kind.' })).body;
    assert.equal(await code({ decision: 'flag', kind: 'other', rule: 'Be kind.' }), 'marketplace.moderation_conflict');
    assert.equal(
      await code({ decision: 'uphold', measure_id: moderation.measures[0].id }),
      'marketplace.moderation_conflict',
    );
  });

  test('with listings of several accounts, only the affected ones are removed, and the history names them', async () => {
    for (const isOldest of [true, false]) {
      const stand = await moderationStand(await open());
      const list = (isBad: boolean, standsId?: string) =>
        isBad ? stand.listed('smithery', '@eve/words', {}, standsId) : stand.listed('glama', 'ana/words', {}, standsId);
      const first = await list(isOldest);
      const second = await list(!isOldest, first);
      const [eves, anas] = isOldest ? [first, second] : [second, first];
      const about = {
        kind: 'malware',
        text: 'It phones home.',
        listing: { provider: 'smithery', external_id: '@eve/words' },
      };
      const reporter = await stand.newPerson();
      const report = await stand.ask(reporter, 'moderation.report', { params: { id: first }, body: about });
      assert.deepEqual([report.status, report.body.about, report.body.capability_id], [201, 'listing', eves]);
      const flagged = await stand.decide(first, { decision: 'flag', kind: 'suspicious' });
      const [flag] = flagged.body.moderation.measures;
      assert.deepEqual([flagged.body.moderation.status, flag.whole, flag.listings], ['clear', false, [about.listing]]);
      await stand.decide(first, { decision: 'lift', measure_id: flag.id });
      await stand.decide(first, { decision: 'takedown', kind: 'malware', listings: [about.listing] });
      assert.deepEqual(
        (await liveRows(stand.db, null, 9)).map((liveRow) => liveRow.external_id),
        ['ana/words'],
      );
      const [theirs, hers] = [await stand.moderation(eves), await stand.moderation(anas)];
      assert.deepEqual([theirs.id, theirs.status, hers.id, hers.status], [eves, 'taken_down', anas, 'clear']);
      assert.equal(theirs.history.at(-1).change, 'taken_down');
      assert.equal((await stand.ask(null, 'listings.get', { params: { id: eves } })).status, 410);
      const read = await stand.ask(null, 'listings.get', { params: { id: anas } });
      assert.deepEqual([read.status, read.body.members.length], [200, 1]);
      assert.equal(await carryOver(stand.deps, noFence), 0, 'other listings are spared');
      const told = hers.history.map((entry: { change: string; listings: object[] }) => [entry.change, entry.listings]);
      assert.deepEqual(told.at(-1), ['listing_taken_down', [about.listing]]);
      const back = await stand.decide(eves, { decision: 'lift', measure_id: theirs.measures[0].id });
      assert.equal(back.body.moderation.status, 'clear');
      assert.equal((await liveRows(stand.db, null, 9)).length, 2);
    }
  });

  test('after a split, the action applies to both until each is decided', async () => {
    const stand = await moderationStand(await open());
    const { db } = stand;
    const id = await stand.listed('glama', 'a/words');
    const merged = await stand.listed('smithery', '@b/words', {}, id);
    const order = { decision: 'takedown', kind: 'malware' };
    const unclear = await stand.decide(id, order);
    assert.deepEqual(
      [unclear.status, unclear.body.code, unclear.body.reason],
      [422, 'marketplace.capability_invalid', 'listings_required'],
    );
    const { moderation } = (await stand.decide(id, { ...order, whole: true })).body;
    await db.updateTable('capabilities').set({ stands_id: merged }).where('id', '=', merged).execute();
    const pair = { id: 'j', a_id: id, b_id: merged, is_same: 0, reason: 'Two.', actor: 'x', at: '2026-01-01' };
    await db.insertInto('capability_judgements').values(pair).execute();
    assert.equal((await stand.moderation(merged)).status, 'taken_down');
    const measure_id = moderation.measures[0].id;
    await stand.decide(id, { decision: 'lift', measure_id });
    assert.deepEqual(
      [(await stand.moderation(id)).status, (await stand.moderation(merged)).status],
      ['clear', 'taken_down'],
    );
    assert.deepEqual(
      (await liveRows(db, null, 10)).map(({ external_id }) => external_id),
      ['a/words'],
    );
    assert.equal((await stand.decide(merged, { decision: 'lift', measure_id })).body.moderation.status, 'clear');
  });

  test('201: one version is yanked and its reports are closed; 409: it is yanked already; 400: no version', async () => {
    const stand = await moderationStand(await open());
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.published(ana, { name: 'ana-lang/words' });
    await stand.published(ana, { name: 'ana-lang/words', version: '1.10.0', files: skillFiles('words', ' New.') });
    await stand.capability('capstan', id, id);
    await stand.ask(bob, 'moderation.report', { params: { id }, body: { kind: 'malware', text: 'The new one.' } });
    const yanked = await stand.decide(id, { decision: 'yank', version: '1.10.0', reason: 'It reads keys.' });
    assert.deepEqual([yanked.status, yanked.body.changed], [201, ['version_yanked']]);
    assert.equal(yanked.body.moderation.status, 'clear');
    assert.deepEqual(yanked.body.moderation.history.at(-1).evidence, [{ kind: 'version', value: '1.10.0' }]);
    const { body } = await stand.ask(null, 'listings.getVersion', { params: { id, version: '1.10.0' } });
    assert.deepEqual([body.status, body.status_reason], ['yanked', 'It reads keys.']);
    const query = { capability_id: id, limit: 50, offset: 0 };
    const [report] = (await stand.ask(bob, 'moderation.listReports', { query })).body.items;
    assert.deepEqual([report.status, report.outcome], ['acted', 'It reads keys.']);
    // Its publisher cannot take that back.
    const back = await stand.ask(ana, 'publishing.restore', {
      params: { id },
      body: { reason: 'x', version: '1.10.0' },
    });
    assert.equal(back.status, 403);
    assert.equal(
      (await stand.decide(id, { decision: 'yank', version: '1.10.0' })).body.code,
      'marketplace.version_conflict',
    );
    assert.equal((await stand.decide(id, { decision: 'yank', version: '9.9.9' })).body.code, 'marketplace.not_found');
    assert.equal((await stand.decide(id, { decision: 'yank' })).body.errors[0].pointer, '/version');
    const listed = await stand.listed('glama', 'a/x');
    assert.equal(
      (await stand.decide(listed, { decision: 'yank', version: '1.0.0' })).body.errors[0].pointer,
      '/version',
    );
  });
});
