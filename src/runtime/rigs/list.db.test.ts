import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { rigsStand, STAND_YAML } from '#test/rigs-stand.ts';
import { rigsHolding } from './holding.ts';

oneDatabase('listing rigs', (open) => {
  test('200: the newest version of each own rig; the account export includes all versions', async () => {
    const database = await open();
    await using stand = await rigsStand(database);
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML });
    await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML.replace('1.0.0', '2.0.0').replace('Adds.', 'New.') });
    const { body } = await stand.ask(as, 'GET', '/api/rigs?limit=1');
    assert.deepEqual([body.total_count, body.items.length, body.items[0].version], [1, 1, '2.0.0']);
    assert.deepEqual([body.items[0].description, body.items[0].lock_digest], ['New.', null]);
    assert.equal((await stand.ask(other, 'GET', '/api/rigs')).body.total_count, 0);
    const [held] = (await rigsHolding.read(database.db, { user_id: as.id, wallets: [], email: null })) as [
      { versions: { version: string; yaml: string }[] },
    ];
    assert.deepEqual(
      held.versions.map(({ version, yaml }) => [version, yaml.length > 0]),
      [
        ['2.0.0', true],
        ['1.0.0', true],
      ],
    );
  });
});
