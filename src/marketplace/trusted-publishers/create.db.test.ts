import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { startTrustedCi, TRUSTED_WORKFLOW, trustStand } from '#test/trust-stand.ts';

const issuer = await startTrustedCi();
after(() => issuer.close());

oneDatabase('POST /api/marketplace/listings/{id}/trusted-publishers', (open) => {
  test('201 for the publisher alone; the same one again is the same; wrong fields are named', async () => {
    const stand = await trustStand(await open(), issuer);
    assert.equal((await stand.trust(await stand.newPerson())).status, 403);
    const [one, again] = [await stand.trust(stand.ana), await stand.trust(stand.ana)];
    assert.deepEqual([one.status, again.body.id], [201, one.body.id]);
    for (const [field, value] of [
      ['issuer', 'gitlab'],
      ['repository', 'https://github.com/ana/words'],
      ['repository', 'ana'],
      ['workflow', '.github/workflows/release.yml'],
      ['workflow', 'release'],
      ['workflow', '../release.yml'],
    ] as const) {
      const { status, body } = await stand.trust(stand.ana, { ...TRUSTED_WORKFLOW, [field]: value });
      assert.deepEqual([status, body.errors[0].pointer], [400, `/${field}`], value);
    }
    for (let at = 1; at < 20; at++) await stand.trust(stand.ana, { ...TRUSTED_WORKFLOW, workflow: `w${at}.yml` });
    assert.equal((await stand.trust(stand.ana, { ...TRUSTED_WORKFLOW, workflow: 'more.yml' })).status, 429);
  });
});
