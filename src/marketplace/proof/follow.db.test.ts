import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listNetworks, noteNetwork } from '#accounts/quotas/account-networks.ts';
import { nextSeq } from '#catalog/changes/changes.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { eachDatabase } from '#test/databases.ts';
import { listing } from '#test/listings.ts';
import { proofStand } from '#test/proof-stand.ts';
import { proofsOf } from './proofs.ts';
import { scoresOf } from './scores.ts';

const NOW = '2026-03-08T12:00:00.000Z';
const DAY_MS = 86_400_000;

eachDatabase('levels and scores follow runs', (open) => {
  const stand = async () => {
    const fixture = await proofStand(await open());
    await fixture.db.transaction().execute(async (trx) => {
      const seq = await nextSeq(trx);
      const some = ['a/b', 'c'].map((id) => listing('glama', id, { execution_class: 'scripted', version: '1.0.0' }));
      await saveListings(trx, 'glama', some, { run: IMPORTED, now: NOW, seq: async () => seq });
    });
    /** Two listings; `c` is optionally merged into `a/b`. */
    const capability = (id: string, external_id: string, stands_id: string, seq: number) =>
      fixture.db
        .insertInto('capabilities')
        .values({
          id,
          provider_id: 'glama',
          external_id,
          listing_type: 'server',
          is_live: 1,
          stands_id,
          evidence: '[]',
          confidence: 1,
          seq,
          created_at: NOW,
          updated_at: NOW,
        })
        .execute();
    const score = async (id: string) => (await scoresOf(fixture.deps.reader, [id])).get(id);
    return { ...fixture, capability, score };
  };

  test('runs of independent accounts give level and score, runs of the operator only the level', async () => {
    const { person, ran, follow, score, db } = await stand();
    const ada = await person();
    await ran({ ref: 'skill/json-diff', by: ada });
    await ran({ ref: 'skill/json-diff', by: ada, status: 'failed', reason: 'exit_code', exit_code: 1, days_ago: 1 });
    await follow();
    const alone = await score('skill/json-diff');
    assert.deepEqual([alone?.level, alone?.hot_score, alone?.runs], ['listed', 0, 2], 'one account is not enough');
    await ran({ ref: 'skill/json-diff', by: null });
    await follow();
    const operated = await score('skill/json-diff');
    assert.deepEqual([operated?.level, operated?.hot_score], ['ran', 0]);
    for (const by of [await person(), await person()]) await ran({ ref: 'skill/json-diff', by });
    await ran({ ref: 'rig/mine', by: ada });
    await ran({ ref: 'skill/json-diff', by: ada, status: 'cancelled' });
    await ran({ ref: 'skill/json-diff', by: ada, status: 'failed', reason: 'input_unfit' });
    await follow();
    const found = await score('skill/json-diff');
    assert.equal(found?.level, 'ran');
    assert.deepEqual([found?.runs, found?.callers, found?.success_rate], [5, 3, 0.8]);
    assert.deepEqual(found?.trend, [0, 0, 0, 0, 0, 1, 4]);
    assert.ok(found !== undefined && found.hot_score > 0 && found.hot_score < 1, `${found?.hot_score}`);
    const [proof] = await proofsOf(db, ['skill/json-diff']);
    assert.deepEqual([proof?.level, Number(proof?.runs), proof?.pin], ['ran', 5, 'ab'.repeat(32)]);
    await follow();
    assert.deepEqual(await score('skill/json-diff'), found, 'no run counts twice');
  });

  test('merged listings are scored as one, once per account and day; after a split separately', async () => {
    const { account, ran, follow, score, capability, db } = await stand();
    const [ada, bob] = [await account(), await account()];
    await ran({ ref: 'listing/glama/a/b', by: ada });
    await ran({ ref: 'listing/glama/c', by: ada });
    await ran({ ref: 'listing/glama/c', by: bob });
    await follow();
    assert.equal((await score('listing/glama/c'))?.callers, 2, 'before it is linked');
    const seq = db.updateTable('change_counters').set({ value: 5 }).where('name', '=', 'capabilities');
    await capability('id-a', 'a/b', 'id-a', 4);
    await capability('id-c', 'c', 'id-a', 5);
    await seq.execute();
    await follow();
    assert.equal(await score('listing/glama/c'), undefined);
    const merged = await score('id-a');
    assert.deepEqual([merged?.runs, merged?.callers], [3, 2]);
    await db.updateTable('capabilities').set({ stands_id: 'id-c', seq: 9 }).where('id', '=', 'id-c').execute();
    await db.updateTable('change_counters').set({ value: 9 }).where('name', '=', 'capabilities').execute();
    await follow();
    assert.deepEqual([(await score('id-a'))?.callers, (await score('id-c'))?.callers], [1, 2]);
    const touched = await db.selectFrom('capabilities').select('seq').where('id', '=', 'id-c').executeTakeFirst();
    assert.ok(Number(touched?.seq) > 9, 'followers of capabilities read it again');
  });

  test('accounts from the publisher’s network, or created together with it, do not count', async () => {
    const { account, ran, follow, score, capability, db } = await stand();
    await capability('id-a', 'a/b', 'id-a', 4);
    await db.updateTable('change_counters').set({ value: 5 }).where('name', '=', 'capabilities').execute();
    const owner = await account();
    const at = owner.created_at;
    await db
      .insertInto('publishers')
      .values({ id: 'p', user_id: owner.id, name: 'ana', look: 'ana', created_at: at, closed_at: null })
      .execute();
    const claim = { capability_id: 'id-a', publisher_id: 'p', method: 'repository_file', token: 't', wallet: '' };
    await db
      .insertInto('capability_claims')
      .values({
        ...claim,
        id: 'k',
        signature: '',
        provider_id: 'glama',
        external_id: 'a/b',
        file_url: '',
        status: 'verified',
        created_at: at,
        expires_at: at,
        verified_at: at,
        checked_at: at,
        failing_since: null,
        ended_at: null,
      })
      .execute();
    const [network] = await listNetworks(db, owner.id);
    for (let n = 0; n < 6; n++) {
      const by = await account(400, 'casual');
      await noteNetwork(db, by.id, (network?.network ?? '').replace('/24', ''), at);
      await ran({ ref: 'listing/glama/a/b', by });
    }
    const twin = await account(400, 'casual');
    await db.updateTable('users').set({ created_at: at }).where('id', '=', twin.id).execute();
    await ran({ ref: 'listing/glama/a/b', by: twin });
    await follow();
    const found = await score('id-a');
    assert.deepEqual([found?.level, found?.hot_score, found?.runs], ['listed', 0, 0]);
  });

  test('scores decay and levels expire over time', async () => {
    const { person, ran, follow, hourly, score, clock } = await stand();
    for (let n = 0; n < 3; n++) await ran({ ref: 'skill/json-diff', by: await person() });
    await follow();
    const before = await score('skill/json-diff');
    clock.ms += 6 * DAY_MS;
    await hourly();
    const after = await score('skill/json-diff');
    assert.ok((after?.hot_score as number) < (before?.hot_score as number) / 3);
    assert.deepEqual(after?.trend, [3, 0, 0, 0, 0, 0, 0]);
    clock.ms += 85 * DAY_MS;
    await hourly();
    assert.equal(await score('skill/json-diff'), undefined);
  });

  test('a run over a connection counts for its listing at the listing’s address', async () => {
    const { account, ran, follow, score } = await stand();
    const by = await account();
    const listing = { name: 'glama/a/b', address_sha256: '12'.repeat(32) };
    await ran({ ref: 'connection/1234/tool', by, listing });
    await ran({ ref: 'connection/1234/tool', by });
    await follow();
    assert.equal((await score('listing/glama/a/b'))?.runs, 1);
  });

  test('runs of a deleted account stop counting within an hour', async () => {
    const { account, ran, follow, hourly, score, db } = await stand();
    const by = await account();
    await ran({ ref: 'skill/json-diff', by });
    await follow();
    await db.deleteFrom('users').where('id', '=', by.id).execute();
    await hourly();
    const left = await score('skill/json-diff');
    assert.deepEqual([left?.level, left?.hot_score, left?.runs, left?.callers], ['listed', 0, 0, 0]);
  });
});
