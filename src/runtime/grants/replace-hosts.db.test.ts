import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { GRANTS, grantsStand, TIDES } from '#test/grants-stand.ts';

eachDatabase('PUT /api/agents/skills/{provider}/{id}/grants/hosts', (open) => {
  test('409: another version than the one that was shown, for hosts and secrets; nothing is agreed to', async () => {
    await using stand = await grantsStand(await open());
    const as = await stand.newUser();
    const of = { user_id: as.id, skill: TIDES };
    const shown = `sha256:${'0'.repeat(64)}`;
    const hosts = await stand.ask(as, 'PUT', `${GRANTS}/hosts`, { hosts: ['api.tides.example'], digest: shown });
    assert.deepEqual([hosts.status, hosts.body.code, hosts.body.reason], [409, 'runs.conflict', 'version_moved']);
    assert.equal(hosts.body.digest, stand.skill.digest);
    const secrets = { TIDES_API_KEY: 'x' };
    const stored = await stand.ask(as, 'PUT', `${GRANTS}/secrets`, { secrets, digest: shown });
    assert.equal(stored.status, 409);
    assert.deepEqual((await stand.grants.open(of, stand.skill.digest)).hosts, []);
    const { digest } = stand.skill;
    assert.equal((await stand.ask(as, 'PUT', `${GRANTS}/secrets`, { secrets, digest })).status, 200);
    assert.equal((await stand.ask(as, 'PUT', `${GRANTS}/hosts`, { hosts: ['api.tides.example'], digest })).status, 200);
    assert.deepEqual((await stand.grants.open(of, digest)).hosts, ['api.tides.example']);
  });

  test('422: a host that nobody may reach; 400: without the digest of the version', async () => {
    await using stand = await grantsStand(await open());
    const as = await stand.newUser();
    const { digest } = stand.skill;
    const local = await stand.ask(as, 'PUT', `${GRANTS}/hosts`, { hosts: ['127.0.0.1'], digest });
    assert.deepEqual([local.status, local.body.errors[0].pointer], [422, '/hosts/0']);
    assert.equal((await stand.ask(as, 'PUT', `${GRANTS}/hosts`, { hosts: [] })).status, 400);
    assert.deepEqual((await stand.ask(as, 'GET', GRANTS)).body.hosts, []);
  });
});
