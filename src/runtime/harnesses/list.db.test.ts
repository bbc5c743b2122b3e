import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '#test/databases.ts';
import { harnessesStand } from '#test/harnesses-stand.ts';

const database = await openTestDatabase();
after(() => database.close());
const { ask, newUser, newHarness } = harnessesStand(database);

test('200: the caller’s own harnesses without their files', async () => {
  const [as, other] = [await newUser(), await newUser()];
  const { is_new: _, warnings: __, ...line } = await newHarness(as);
  await newHarness(other);
  const { body } = await ask(as, 'harnesses.list');
  assert.deepEqual(body, { items: [line], total_count: 1, limit: 50, offset: 0 });
});
