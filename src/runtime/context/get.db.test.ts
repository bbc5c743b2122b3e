import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '#test/databases.ts';
import { harnessesStand } from '#test/harnesses-stand.ts';

const database = await openTestDatabase();
after(() => database.close());
const { ask, newUser, newHarness } = harnessesStand(database);

test('200: all context blocks, sorted by label', async () => {
  const as = await newUser();
  const { id } = await newHarness(as);
  assert.deepEqual((await ask(as, 'context.get', { id })).body, { items: [] });
  for (const label of ['goal', 'audience', 'b_2', 'b-1'])
    await ask(as, 'context.update', { id, body: { label, content: label } });
  const { items } = (await ask(as, 'context.get', { id })).body;
  assert.deepEqual(
    items.map((item: { label: string }) => item.label),
    ['audience', 'b-1', 'b_2', 'goal'],
  );
});
