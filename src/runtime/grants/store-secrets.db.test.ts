import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { GRANTS, grantsStand, TIDES } from '#test/grants-stand.ts';

eachDatabase('PUT /api/agents/skills/{provider}/{id}/grants/secrets', (open) => {
  test('200: stored encrypted, never returned, and given to runs of this user and this skill only', async () => {
    await using stand = await grantsStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const store = (secrets: object) => stand.ask(as, 'PUT', `${GRANTS}/secrets`, { secrets });
    await store({ TIDES_API_KEY: 'first-value-81', OTHER_TOKEN: 'second-value-82' });
    const stored = await store({ TIDES_API_KEY: 'third-value-83' });
    assert.deepEqual([stored.status, stored.body.secrets], [200, ['OTHER_TOKEN', 'TIDES_API_KEY']]);
    assert.doesNotMatch(stored.text, /value-8/);
    const of = { user_id: as.id, skill: TIDES };
    assert.deepEqual(
      { ...(await stand.grants.open(of, stand.skill.digest)).secrets },
      {
        OTHER_TOKEN: 'second-value-82',
        TIDES_API_KEY: 'third-value-83',
      },
    );
    assert.deepEqual(
      { ...(await stand.grants.open({ user_id: other.id, skill: TIDES }, stand.skill.digest)).secrets },
      {},
    );
    assert.deepEqual({ ...(await stand.grants.open({ user_id: null, skill: TIDES }, stand.skill.digest)).secrets }, {});
    assert.deepEqual((await store({ OTHER_TOKEN: null })).body.secrets, ['TIDES_API_KEY']);
    assert.equal((await store({ PATH: 'x' })).status, 422);
    const rows = JSON.stringify(await stand.db.selectFrom('skill_secrets').selectAll().execute());
    assert.doesNotMatch(rows, /value-8/);
    const audit = JSON.stringify(await stand.db.selectFrom('audit_log').selectAll().execute());
    assert.ok(audit.includes('skills.store_secrets'));
    assert.doesNotMatch(audit, /value-8/);
  });

  test('a row that was copied from another user does not decrypt', async () => {
    await using stand = await grantsStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    for (const user of [as, other])
      await stand.ask(user, 'PUT', `${GRANTS}/secrets`, { secrets: { TIDES_API_KEY: `value-of-${user.id}` } });
    const { sealed } = await stand.db
      .selectFrom('skill_secrets')
      .select('sealed')
      .where('user_id', '=', other.id)
      .executeTakeFirstOrThrow();
    await stand.db.updateTable('skill_secrets').set({ sealed }).where('user_id', '=', as.id).execute();
    await assert.rejects(stand.grants.open({ user_id: as.id, skill: TIDES }, stand.skill.digest), {
      code: 'crypto.corrupt',
    });
  });
});
