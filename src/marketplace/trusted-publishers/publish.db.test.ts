import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { startTrustedCi, TRUSTED_NAME, trustStand } from '#test/trust-stand.ts';

const issuer = await startTrustedCi();
after(() => issuer.close());

oneDatabase('POST /api/marketplace/publishing/ci', (open) => {
  test('a job publishes this listing alone, for 15 minutes, and the version shows its workflow', async () => {
    const stand = await trustStand(await open(), issuer);
    assert.equal((await stand.trust(stand.ana)).status, 201);
    const { status, body, headers } = await stand.exchange(await stand.token());
    assert.deepEqual([status, body.listing, body.workflow], [200, { id: stand.id, name: TRUSTED_NAME }, 'release.yml']);
    assert.ok(!JSON.stringify(headers).includes(body.token));
    const dry = await stand.publishFromCi(body.token, { version: '1.1.0', dry_run: true });
    assert.deepEqual([dry.status, dry.body.published], [200, false]);
    const other = await stand.publishFromCi(body.token, { name: 'ana-lang/other', version: '1.1.0' });
    assert.deepEqual([other.status, other.body.reason], [403, 'publish_token_invalid']);
    const made = await stand.publishFromCi(body.token, { version: '1.1.0' });
    assert.deepEqual([made.status, made.body.id], [201, stand.id]);
    const version = await stand.ask(null, 'listings.getVersion', { params: { id: stand.id, version: '1.1.0' } });
    assert.deepEqual(version.body.published_by, {
      issuer: 'github',
      repository: 'ana/words',
      workflow: 'release.yml',
      environment: '',
      ref: 'refs/tags/v1',
      sha: 'c0ffee'.padEnd(40, '0'),
      repository_url: `${issuer.url}/ana/words`,
      run_url: version.body.published_by.run_url,
    });
    const first = await stand.ask(null, 'listings.getVersion', { params: { id: stand.id, version: '1.0.0' } });
    assert.equal(first.body.published_by, null);
    stand.clock.ms += 15 * 60_000;
    const late = await stand.publishFromCi(body.token, { version: '1.2.0' });
    assert.deepEqual([late.status, late.body.code], [401, 'auth.token_invalid']);
    for (const wrong of ['', 'x', 'capub_x', `cap_${'a'.repeat(38)}`])
      assert.equal((await stand.publishFromCi(wrong, { version: '1.2.0' })).status, 401, wrong);
  });
});
