import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { GRANTS, grantsStand, PUBLISHED } from '#test/grants-stand.ts';

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
      hosts: ['api.declared.example'],
    });
    assert.deepEqual([body.environment, body.secrets, body.hosts, body.install, body.locks], [{}, [], [], false, []]);
    assert.equal(body.unavailable.reason, 'needs_install');
    assert.equal((await stand.ask(as, 'GET', GRANTS.replace('tides', 'none'))).status, 404);
  });

  test('200: a published skill by its id and by its name; 422: a skill of the service needs nothing', async () => {
    await using stand = await grantsStand(await open());
    const as = await stand.newUser();
    const at = (id: string) => `/api/agents/skills/capstan/${encodeURIComponent(id)}/grants`;
    const { digest } = stand.skill;
    await stand.ask(as, 'PUT', `${at('ana/tides')}/hosts`, { hosts: ['api.tides.example'], digest });
    const { status, body } = await stand.ask(as, 'GET', at(PUBLISHED));
    assert.deepEqual([status, body.provider, body.external_id], [200, 'capstan', PUBLISHED]);
    assert.deepEqual(
      [body.needs.packages.length, body.hosts, body.unavailable.reason],
      [1, ['api.tides.example'], 'needs_install'],
    );
    assert.deepEqual((await stand.ask(as, 'GET', GRANTS)).body.hosts, [], 'other listings have their own grants');
    const own = await stand.ask(as, 'GET', at('skill/echo'));
    assert.deepEqual([own.status, own.body.reason], [422, 'own_skill']);
    assert.equal((await stand.ask(as, 'GET', at('ana/none'))).status, 404);
    const locks = stand.grants.locks({ user_id: as.id, skill: `capstan/${PUBLISHED}` }, 'sha256:1');
    await locks.keep('npm', 'w', { content: Buffer.from('one'), lock_sha256: 'a', tree_sha256: 'b' });
    assert.equal((await stand.ask(as, 'GET', at(PUBLISHED))).body.locks.length, 1);
    assert.equal((await stand.ask(as, 'DELETE', at('ana/tides'))).status, 200);
    const left = (await stand.ask(as, 'GET', at(PUBLISHED))).body;
    assert.deepEqual([left.hosts, left.locks], [[], []]);
  });
});
