import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defined } from '#core/defined.ts';
import { measureStorage, readStorage } from '#core/storage/usage.ts';
import { shortBytes } from '#core/text/short-bytes.ts';
import { accountsOf } from './accounts.ts';
import { openWorld } from './world.ts';

/** What one free account can make the service store, over HTTP. */

test('one account cannot fill the disk with replayed responses, audit entries or tasks', async () => {
  await using world = await openWorld({ CAPSTAN_STORAGE_FREE_MB: '4', CAPSTAN_STORAGE_PRO_MB: '4' });
  const { db } = world.database;
  const accounts = await accountsOf(world);
  const ada = await accounts.signUp({ tier: 'free' });
  const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' };
  const make = (bytes: number, key: string | null) =>
    world.fetch('/api/agents/tasks', {
      method: 'POST',
      headers: { ...headers, ...defined({ 'idempotency-key': key ?? undefined }) },
      body: JSON.stringify({
        capability: { kind: 'skill', ref: 'json-diff' },
        input: { before: { a: 1 }, after: { text: 'x'.repeat(bytes) } },
      }),
    });

  const first = await make(100_000, 'k0');
  assert.equal(first.status, 201);
  const again = await make(100_000, 'k0');
  const { code, location } = (await again.json()) as { code: string; reason?: string; location: string };
  assert.deepEqual([again.status, code], [409, 'http.idempotency_conflict']);
  assert.equal((await world.fetch(location, { headers })).status, 200, 'what the first request made is found');

  for (let n = 1; n < 60; n++) await (await make(20_000, `k${n}`)).arrayBuffer();
  const { idempotency } = await readStorage(db, ada.user.id);
  assert.ok(idempotency <= 0.05 * 4_000_000, shortBytes(idempotency));

  let last = await make(200_000, null);
  for (let n = 0; n < 40 && last.status === 201; n++) last = await make(200_000, null);
  const full = (await last.json()) as {
    code: string;
    reason?: string;
    detail: string;
    storage: { used_bytes: number };
  };
  assert.deepEqual([last.status, full.code, full.reason], [429, 'users.quota_exceeded', 'storage_full']);
  assert.match(full.detail, /^Your tasks use [\d.]+ MB of 3\.0 MB\. Delete tasks that you no longer need\.$/);
  assert.ok(full.storage.used_bytes <= 4_000_000);

  const session = (await (await world.fetch('/api/auth/session', { headers })).json()) as {
    storage: { used_bytes: number; limit_bytes: number; kinds: { kind: string; used_bytes: number }[] };
  };
  assert.equal(session.storage.limit_bytes, 4_000_000);
  const stored = await measureStorage(db, ada.user.id);
  for (const { kind, used_bytes } of session.storage.kinds)
    assert.equal(used_bytes, stored[kind as keyof typeof stored], kind);

  const operator = await accounts.signUp();
  await db.updateTable('users').set({ is_operator: 1 }).where('id', '=', operator.user.id).execute();
  for (let n = 0; n < 200; n++) {
    const proof = await operator.stepUp(`GET /api/users/${ada.user.id}`);
    const look = await world.fetch(`/api/users/${ada.user.id}`, {
      headers: { authorization: `Bearer ${operator.token}`, ...proof },
    });
    assert.equal(look.status, 200, await look.text());
  }
  const looks = await db.selectFrom('audit_log').select('seq').where('action', '=', 'users.look').execute();
  assert.ok(looks.length <= 2, `${looks.length} entries of 200 looks`);
});
