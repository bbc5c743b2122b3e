import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { publishingHolding } from '#marketplace/listings/holding.ts';
import { oneDatabase } from '#test/databases.ts';
import { startTrustedCi, TRUSTED_NAME, trustStand } from '#test/trust-stand.ts';

const issuer = await startTrustedCi();
after(() => issuer.close());

oneDatabase('GET /api/marketplace/listings/{id}/trusted-publishers', (open) => {
  test('200 for the publisher, with the last use; 403 for others; gone with the account', async () => {
    const stand = await trustStand(await open(), issuer);
    await stand.trust(stand.ana);
    const list = async () =>
      (await stand.ask(stand.ana, 'trustedPublishers.list', { params: { id: TRUSTED_NAME } })).body;
    const [before] = (await list()).items;
    assert.deepEqual(
      [before.repository, before.workflow, before.repository_url, before.last_used_at],
      ['ana/words', 'release.yml', `${issuer.url}/ana/words`, null],
    );
    await stand.exchange(await stand.token());
    assert.ok((await list()).items[0].last_used_at !== null);
    const other = await stand.ask(await stand.newPerson(), 'trustedPublishers.list', { params: { id: stand.id } });
    assert.equal(other.status, 403);
    const holding = publishingHolding(stand);
    const account = { user_id: stand.ana.id, wallets: [], email: null };
    assert.match(JSON.stringify(await holding.read(stand.db, account)), /release\.yml/);
    await stand.db.transaction().execute(async (trx) => holding.release?.(trx, account));
    assert.deepEqual(await stand.db.selectFrom('trusted_publishers').selectAll().execute(), []);
    assert.deepEqual(await stand.db.selectFrom('publish_tokens').selectAll().execute(), []);
  });
});
