import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { emailStand, PASSWORD } from '#test/email-stand.ts';

eachDatabase('GET /api/auth/devices', (open) => {
  test("200: lists only the user's own devices, most recently used first, without tokens", async () => {
    const stand = await emailStand(await open());
    const { access_token: token } = await stand.open('ada@example.org');
    const { access_token: other } = await stand.open('eve@example.org');
    const login = { email: 'ada@example.org', password: PASSWORD, remember_device: true };
    const { device_token } = (await stand.post('/login', login)).body as unknown as { device_token: string };
    stand.clock.ms += 1_000;
    await stand.post('/login', login);
    stand.clock.ms += 1_000;
    await stand.post('/login', { ...login, device_token });
    const { status, body } = await stand.ask('GET', '/api/auth/devices', { token });
    const { items, total_count } = body as unknown as { items: Record<string, string>[]; total_count: number };
    assert.deepEqual([status, total_count], [200, 2]);
    assert.ok((items[0]?.last_used_at ?? '') > (items[1]?.last_used_at ?? ''));
    assert.ok((items[0]?.created_at ?? '') < (items[1]?.created_at ?? ''));
    assert.deepEqual(Object.keys(items[0] ?? {}), ['id', 'user_agent', 'created_at', 'last_used_at', 'expires_at']);
    const theirs = await stand.ask('GET', '/api/auth/devices', { token: other });
    assert.deepEqual(theirs.body, { items: [], total_count: 0 });
  });
});
