import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { rigsStand, STAND_YAML } from '#test/rigs-stand.ts';

eachDatabase('deleting a rig', (open) => {
  test('200: deletes one version; deleting the last one deletes the rig and frees its name', async () => {
    await using stand = await rigsStand(await open());
    const as = await stand.newUser();
    const versions = ['1.0.0', '1.1.0', '2.0.0'];
    for (const version of versions)
      await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML.replace('1.0.0', version) });
    await stand.ask(as, 'POST', '/api/rigs/sum/resolve', {});
    const remove = (query = '') => stand.ask(as, 'DELETE', `/api/rigs/sum${query}`);
    assert.deepEqual((await remove('?version=2.0.0')).body, { status: 'deleted' });
    assert.equal((await stand.ask(as, 'GET', '/api/rigs/sum')).body.version, '1.1.0');
    assert.equal((await remove('?version=2.0.0')).body.code, 'rigs.not_found');
    assert.equal((await remove('?version=1.0.0')).status, 200);
    assert.equal((await remove('?version=1.1.0')).status, 200);
    assert.equal((await stand.ask(as, 'GET', '/api/rigs')).body.total_count, 0);
    assert.equal((await remove()).body.code, 'rigs.not_found');
    assert.equal((await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML })).status, 201);
    assert.equal((await remove()).status, 200);
    for (const table of ['rigs', 'rig_versions', 'rig_locks'] as const)
      assert.deepEqual(await stand.deps.db.selectFrom(table).selectAll().execute(), [], table);
  });

  test('404: another user’s rig', async () => {
    await using stand = await rigsStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML });
    assert.equal((await stand.ask(other, 'DELETE', '/api/rigs/sum')).status, 404);
    assert.equal((await stand.ask(as, 'GET', '/api/rigs/sum')).status, 200);
  });
});
