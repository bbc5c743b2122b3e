import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { rigsStand, STAND_YAML } from '#test/rigs-stand.ts';

eachDatabase('storing a rig', (open) => {
  test('201: a rig and its next version; 200: the same text; 409: other text or more rigs than the limit', async () => {
    await using stand = await rigsStand(await open(), 2);
    const as = await stand.newUser();
    const store = (yaml: string, who = as) => stand.ask(who, 'POST', '/api/rigs', { yaml });
    const made = await store(STAND_YAML);
    assert.deepEqual([made.status, made.body.name, made.body.version, made.body.lock], [201, 'sum', '1.0.0', null]);
    assert.deepEqual([(await store(STAND_YAML)).status], [200]);
    const other = STAND_YAML.replace('Adds.', 'Sums.');
    assert.equal((await store(other)).body.code, 'rigs.conflict');
    const next = await store(other.replace('1.0.0', '1.1.0'));
    assert.deepEqual([next.status, next.body.id, next.body.version], [201, made.body.id, '1.1.0']);
    const named = (name: string) => STAND_YAML.replace('name: sum', `name: ${name}`);
    // Sent at the same time, so that one of them exceeds the limit.
    const raced = await Promise.all([store(named('second')), store(named('third'))]);
    assert.deepEqual(
      raced.map((entry) => entry.body.code ?? entry.status).sort(),
      [201, 'users.limit_exceeded'].sort(),
    );
    assert.equal((await store(STAND_YAML, await stand.newUser())).status, 201, 'names are each account’s own');
  });

  test('422: violations with line and column; stores nothing', async () => {
    await using stand = await rigsStand(await open());
    const as = await stand.newUser();
    const { status, body } = await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML.replace(', digest: ""', '') });
    assert.deepEqual([status, body.code], [422, 'rigs.invalid']);
    const [{ line, column, rule }] = body.violations;
    assert.deepEqual([line, column, rule], [5, 12, 'digest-missing']);
    assert.equal((await stand.ask(as, 'GET', '/api/rigs')).body.total_count, 0);
  });
});
