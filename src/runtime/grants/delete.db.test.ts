import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { GRANTS, grantsStand } from '#test/grants-stand.ts';

eachDatabase('DELETE /api/agents/skills/{provider}/{id}/grants', (open) => {
  test('200: values, secrets and hosts are gone, and those of others stay; again is the same', async () => {
    await using stand = await grantsStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    for (const user of [as, other]) {
      const { digest } = stand.skill;
      await stand.ask(user, 'PUT', `${GRANTS}/hosts`, { hosts: ['api.tides.example'], digest });
      await stand.ask(user, 'PUT', `${GRANTS}/secrets`, { secrets: { TIDES_API_KEY: 'x' } });
    }
    assert.equal((await stand.ask(as, 'DELETE', GRANTS)).status, 200);
    assert.equal((await stand.ask(as, 'DELETE', GRANTS)).status, 200);
    const { body } = await stand.ask(as, 'GET', GRANTS);
    assert.deepEqual([body.hosts, body.secrets], [[], []]);
    assert.deepEqual((await stand.ask(other, 'GET', GRANTS)).body.secrets, ['TIDES_API_KEY']);
    const audit = await stand.db.selectFrom('audit_log').selectAll().where('action', '=', 'skills.forget').execute();
    assert.equal(audit.length, 1);
  });
});
