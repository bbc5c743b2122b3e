import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { startTrustedCi, trustStand } from '#test/trust-stand.ts';

const issuer = await startTrustedCi();
after(() => issuer.close());

oneDatabase('DELETE /api/marketplace/listings/{id}/trusted-publishers/{trusted_id}', (open) => {
  test('removing the trusted publisher ends its publish tokens, and the audit log has each step', async () => {
    const stand = await trustStand(await open(), issuer);
    const { body: trusted } = await stand.trust(stand.ana);
    const { token } = (await stand.exchange(await stand.token())).body;
    await stand.exchange(await stand.token({ repository_owner_id: '7' }));
    const eve = await stand.newPerson();
    assert.equal((await stand.distrust(eve, trusted.id)).status, 403);
    assert.equal((await stand.distrust(stand.ana, trusted.id)).status, 200);
    assert.equal((await stand.distrust(stand.ana, trusted.id)).status, 404);
    assert.equal((await stand.publishFromCi(token, { version: '1.1.0' })).status, 401);
    assert.equal((await stand.exchange(await stand.token())).body.reason, 'no_match');
    const entries = await stand.db
      .selectFrom('audit_log')
      .select(['action', 'actor', 'detail'])
      .orderBy('seq')
      .execute();
    const told = entries.map(({ action, actor }) => [action, actor === stand.ana.id ? 'ana' : actor]);
    assert.deepEqual(told.slice(1), [
      ['marketplace.trust', 'ana'],
      ['marketplace.exchange_token', 'ana'],
      ['marketplace.distrust', 'ana'],
      ['marketplace.exchange_token', 'nobody'],
    ]);
    assert.ok(!JSON.stringify(entries).includes(token));
  });
});
