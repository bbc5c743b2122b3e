import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteUserRow } from '#accounts/users/users.ts';
import { eachDatabase } from '#test/databases.ts';
import { publishingStand } from '#test/publishing-stand.ts';
import { publishingHolding } from './holding.ts';

eachDatabase('published listings of an account', (open) => {
  test('the account export has published listings; deleting the account unpublishes and anonymizes them', async () => {
    const stand = publishingStand(await open());
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const { claim_text } = (await stand.publish(ana, { name: 'ana-lang/words', dry_run: true })).body;
    const { wallet_type, address: wallet_address, sign } = ana.wallet;
    const claim = { wallet_type, wallet_address, signature: await sign(claim_text) };
    const id = await stand.published(ana, { name: 'ana-lang/words', claim });
    const { publisher } = (await stand.ask(null, 'listings.get', { params: { id } })).body;
    await stand.ask(ana, 'publishing.deprecate', { params: { id }, body: { reason: 'I, Ana, am tired.' } });
    const holding = publishingHolding(stand);
    const account = { user_id: ana.id, wallets: [], email: null };
    const held = (await holding.read(stand.db, account)) as { listings: { versions: { claim: unknown }[] }[] };
    assert.notEqual(held.listings[0]?.versions[0]?.claim, null);
    await stand.db.transaction().execute(async (trx) => {
      await holding.release?.(trx, account);
      await deleteUserRow(trx, ana.id);
    });
    const gone = await stand.ask(null, 'listings.get', { params: { id } });
    const closed = await stand.ask(null, 'publishers.get', { params: { id: publisher.id } });
    const rows = await stand.db.selectFrom('published_versions').selectAll().execute();
    const changes = await stand.db.selectFrom('published_changes').selectAll().execute();
    const publishers = await stand.db.selectFrom('publishers').selectAll().execute();
    const left = JSON.stringify([gone, closed, rows, changes, publishers]);
    assert.doesNotMatch(left, new RegExp(`ana-lang|analang|Ana|Count the words|${wallet_address}`));
    assert.deepEqual([gone.status, gone.body.tombstone.versions.length], [410, 1]);
    assert.notEqual(closed.body.closed_at, null);
    assert.deepEqual(await stand.db.selectFrom('published_contents').selectAll().execute(), []);
    for (const name of ['ana-lang/other', 'an4-lang/other'])
      assert.equal((await stand.publish(bob, { name })).body.code, 'marketplace.name_conflict', name);
    assert.equal(await holding.read(stand.db, { ...account, user_id: bob.id }), null);
  });
});
