import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { GRANTS, grantsStand } from '#test/grants-stand.ts';

eachDatabase('GET /api/agents/skills/{provider}/{id}/grants', (open) => {
  test('200: what the skill needs, and that nothing was given; 404: an unknown listing', async () => {
    await using stand = await grantsStand(await open());
    const as = await stand.newUser();
    const { status, body } = await stand.ask(as, 'GET', GRANTS);
    assert.equal(status, 200);
    assert.deepEqual(body.needs, {
      packages: [{ ecosystem: 'npm', name: 'zod', wanted: '', from: 'import' }],
      programs: [],
      environment: [
        { name: 'TIDES_API_KEY', secret: true, stored: false },
        { name: 'REGION', secret: false, stored: false },
      ],
    });
    assert.deepEqual([body.environment, body.secrets, body.hosts, body.install, body.locks], [{}, [], [], false, []]);
    assert.equal(body.unavailable.reason, 'needs_install');
    assert.equal((await stand.ask(as, 'GET', GRANTS.replace('tides', 'none'))).status, 404);
  });
});
