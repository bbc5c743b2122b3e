import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { usersStand } from '#test/users-stand.ts';

const GOOD = ['A', 'Ada Lovelace', 'آدا', '李 小龙', 'میخواهم', '👩‍💻', "O'Neil-Smith (2)", 'x'.repeat(80)];
const BAD = [
  '',
  ' ',
  ' Ada',
  'Ada ',
  'x'.repeat(81),
  'a\nb',
  'a\u0000b',
  'a\u202Eb',
  'a\u200Bb',
  '\u200D\u200C',
  'a\u2028b',
  'a\uD800b',
  '\uFEFFa',
  null,
  7,
  ['a'],
];

eachDatabase("changing one's own profile", (open) => {
  test('200: returns the complete profile with the new name in Unicode NFC', async () => {
    const { ask, newUser, clock } = usersStand(await open());
    const as = await newUser();
    clock.ms += 1_000;
    for (const display_name of GOOD) {
      const changed = await ask('PATCH', `/api/users/${as.id}`, { as, body: { display_name } });
      assert.deepEqual([changed.status, changed.body.display_name], [200, display_name.normalize('NFC')]);
      assert.equal(changed.body.updated_at, '2026-03-01T00:00:01.000Z');
    }
    const composed = await ask('PATCH', `/api/users/${as.id}`, { as, body: { display_name: 'e\u0301' } });
    assert.equal(composed.body.display_name, '\u00e9');
  });

  test('400: an empty name, hidden characters, or any other field', async () => {
    const { ask, newUser } = usersStand(await open());
    const as = await newUser();
    for (const display_name of BAD) {
      const refused = await ask('PATCH', `/api/users/${as.id}`, { as, body: { display_name } });
      assert.deepEqual([refused.status, JSON.stringify(display_name)], [400, JSON.stringify(display_name)]);
    }
    for (const body of [{}, { display_name: 'Ada', tier: 'pro' }, { display_name: 'Ada', is_operator: true }])
      assert.equal((await ask('PATCH', `/api/users/${as.id}`, { as, body })).status, 400);
    assert.equal((await ask('GET', `/api/users/${as.id}`, { as })).body.display_name, 'Ada');
  });

  test('403: path of another account', async () => {
    const { ask, newUser } = usersStand(await open());
    const [as, other] = [await newUser(), await newUser()];
    const refused = await ask('PATCH', `/api/users/${other.id}`, { as, body: { display_name: 'Eve' } });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [403, 'http.forbidden', 'other_account'],
    );
  });
});
