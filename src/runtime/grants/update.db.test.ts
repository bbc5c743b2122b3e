import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { GRANTS, grantsStand, TIDES } from '#test/grants-stand.ts';

eachDatabase('PUT /api/agents/skills/{provider}/{id}/grants', (open) => {
  test('200: members that are left out stay, and each user has their own', async () => {
    await using stand = await grantsStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    await stand.ask(as, 'PUT', GRANTS, { environment: { REGION: 'eu' } });
    const { digest } = stand.skill;
    const hosts = ['API.tides.example', 'api.tides.example'];
    const { status, body } = await stand.ask(as, 'PUT', `${GRANTS}/hosts`, { hosts, digest });
    assert.deepEqual([status, body.environment, body.hosts], [200, { REGION: 'eu' }, ['api.tides.example']]);
    const accepted = await stand.ask(as, 'PUT', GRANTS, { install: true });
    assert.deepEqual([accepted.body.install, accepted.body.unavailable.reason], [true, 'missing_env']);
    assert.deepEqual((await stand.ask(other, 'GET', GRANTS)).body.hosts, []);
    const audit = await stand.db.selectFrom('audit_log').selectAll().where('actor', '=', as.id).execute();
    assert.ok(audit.some(({ action }) => action === 'skills.grant'));
  });

  test('422: secrets and names that the box sets; nothing is changed', async () => {
    await using stand = await grantsStand(await open());
    const as = await stand.newUser();
    for (const [body, pointer] of [
      [{ environment: { TIDES_API_KEY: 'x' } }, '/environment/TIDES_API_KEY'],
      [{ environment: { PATH: '/x' } }, '/environment/PATH'],
      [{ environment: { 'A/B~': 'x' } }, '/environment/A~1B~0'],
    ] as const) {
      const refused = await stand.ask(as, 'PUT', GRANTS, body);
      assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, pointer]);
    }
    assert.deepEqual((await stand.ask(as, 'GET', GRANTS)).body.environment, {});
  });

  test('accepting packages in a run is refused beyond 500 skills, and refused hosts are then not remembered', async () => {
    await using stand = await grantsStand(await open());
    const as = await stand.newUser();
    const place = (at: number) => ({ user_id: as.id, skill: `clawhub/ana/skill-${at}` });
    const row = { environment: '{}', hosts: '[]', wanted_hosts: '[]', accepted: null, updated_at: 'x' };
    await stand.db
      .insertInto('skill_grants')
      .values(Array.from({ length: 500 }, (_, at) => Object.assign({}, row, place(at))))
      .execute();
    await assert.rejects(stand.grants.accept(place(500), 'digest'), { code: 'users.limit_exceeded' });
    await stand.grants.sawRefused(place(500), ['api.example']);
    await stand.grants.accept(place(1), 'digest');
    await Promise.all(['a.example', 'b.example'].map((host) => stand.grants.sawRefused(place(1), [host])));
    assert.deepEqual((await stand.grants.find(place(1))).wanted_hosts.toSorted(), ['a.example', 'b.example']);
    assert.equal((await stand.grants.find(place(500))).updated_at, null);
  });

  test('a version that was not agreed to gets the values, but no secret and no host, and its run asks', async () => {
    await using stand = await grantsStand(await open());
    const as = await stand.newUser();
    const of = { user_id: as.id, skill: TIDES };
    const { digest } = stand.skill;
    const agree = () => stand.ask(as, 'PUT', `${GRANTS}/hosts`, { hosts: ['api.tides.example'], digest });
    await stand.ask(as, 'PUT', GRANTS, { environment: { REGION: 'eu' }, install: true });
    await agree();
    await stand.ask(as, 'PUT', `${GRANTS}/secrets`, { secrets: { TIDES_API_KEY: 'value-91' } });
    const nothing = { environment: { REGION: 'eu' }, secrets: {}, hosts: [] };
    assert.deepEqual(await stand.grants.open(of, 'sha256:next'), nothing);
    const agreed = await stand.grants.open(of, stand.skill.digest);
    assert.deepEqual([agreed.secrets.TIDES_API_KEY, agreed.hosts], ['value-91', ['api.tides.example']]);
    assert.equal((await stand.ask(as, 'GET', GRANTS)).body.unavailable, null);
    for (const earlier of ['sha256:earlier', null]) {
      await stand.db.updateTable('skill_grants').set({ agreed: earlier }).where('user_id', '=', as.id).execute();
      // Values and packages are no agreement.
      const { body } = await stand.ask(as, 'PUT', GRANTS, { environment: { REGION: 'eu' }, install: true });
      assert.equal(body.unavailable.reason, 'missing_env');
      assert.match(body.unavailable.detail, /changed since you gave it TIDES_API_KEY, api\.tides\.example/);
      assert.deepEqual(await stand.grants.open(of, stand.skill.digest), nothing);
      assert.equal((await agree()).body.unavailable, null);
    }
  });

  test('a lock stays until the packages are accepted again, is bounded, and falls with the listing', async () => {
    await using stand = await grantsStand(await open());
    const as = await stand.newUser();
    const of = { user_id: as.id, skill: TIDES };
    const lock = (text: string) => ({ content: Buffer.from(text), lock_sha256: 'a', tree_sha256: 'b' });
    const [first, operator] = [
      stand.grants.locks(of, 'sha256:1'),
      stand.grants.locks({ ...of, user_id: null }, 'sha256:1'),
    ];
    await first.keep('npm', 'w', lock('one'));
    await first.keep('npm', 'w', lock('two'));
    assert.equal(Buffer.from((await first.find('npm', 'w'))?.content ?? '').toString(), 'one');
    assert.equal(await first.find('npm', 'other packages'), null);
    assert.equal(await operator.find('npm', 'w'), null);
    await operator.keep('npm', 'w', lock('three'));
    for (let version = 2; version < 14; version += 1)
      await stand.grants.locks(of, `sha256:${version}`).keep('npm', 'w', lock('next'));
    const kept = await stand.db.selectFrom('skill_locks').selectAll().where('user_id', '=', as.id).execute();
    assert.equal(kept.length, 10);
    await stand.ask(as, 'PUT', GRANTS, { install: true });
    const left = await stand.db.selectFrom('skill_locks').selectAll().execute();
    assert.deepEqual(
      left.map(({ user_id, content }) => [user_id, content]),
      [[null, 'three']],
    );
    await stand.db.deleteFrom('listings').where('external_id', '=', 'ana/tides').execute();
    assert.equal((await stand.db.selectFrom('skill_locks').selectAll().execute()).length, 0);
  });
});
