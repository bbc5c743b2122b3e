import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { takeRequest } from '#accounts/quotas/quota.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { eachDatabase } from '#test/databases.ts';
import { STAND_TIME, usersStand } from '#test/users-stand.ts';
import type { Account } from './holding.ts';
import { linkEmail } from './identities.ts';

interface Exported {
  profile: { email: string };
  api_keys: unknown[];
  quota_days: unknown[];
  audit: { actor: string; action: string }[];
  notes: unknown;
}

eachDatabase('the export of an account', (open) => {
  test("200: exports the data of all wings, without secrets or an operator's id", async () => {
    const { db, ...database } = await open();
    const holding = { name: 'notes', read: async (_db: unknown, { email }: Account) => [{ of: email }] };
    const { ask, newUser, clock } = usersStand({ db, ...database }, { holdings: [holding] });
    const [as, operator] = [await newUser(), await newUser()];
    const email = { email: 'ada@example.com', user_id: as.id, password_hash: 'HASH', linked_at: STAND_TIME };
    await linkEmail(db, { ...email, password_changed_at: STAND_TIME });
    const key = await createApiKey(db, { user_id: as.id, name: 'k', scopes: ['read'], expires_at: null }, STAND_TIME);
    await takeRequest(db, { user_id: as.id, tier: 'free' }, clock.ms);
    for (const actor of [operator.id, 'operator-cli', as.id])
      await recordAudit(db, { actor, action: 'users.look', target: as.id }, STAND_TIME);
    const { status, body, headers } = await ask<Exported>('GET', `/api/users/${as.id}/export`, { as });
    assert.equal(status, 200);
    assert.equal(headers.get('content-disposition'), `attachment; filename="capstan-${as.id}.json"`);
    assert.deepEqual([body.profile.email, body.notes], ['ada@example.com', [{ of: 'ada@example.com' }]]);
    assert.deepEqual(body.quota_days, [{ day: '2026-03-01', used: 1 }]);
    assert.equal(body.api_keys.length, 1);
    assert.deepEqual(body.audit.map((entry) => entry.actor).sort(), ['operator', 'operator', 'self']);
    const text = JSON.stringify(body);
    for (const secret of ['HASH', 'key_hash', key.key, operator.id]) assert.ok(!text.includes(secret), secret);
  });

  test('403: path of another account; 401: no token', async () => {
    const { ask, newUser } = usersStand(await open());
    const [as, other] = [await newUser(), await newUser()];
    assert.equal((await ask('GET', `/api/users/${other.id}/export`, { as })).status, 403);
    assert.equal((await ask('GET', `/api/users/${as.id}/export`)).status, 401);
  });
});
