import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from '#core/clock/clock.ts';
import type { Problem } from '#core/problem/problem.ts';
import { REDIRECT_URI } from '#test/authorization-client.ts';
import { eachDatabase } from '#test/databases.ts';
import { pageDeps } from '#test/page-deps.ts';
import { addClient, findClient, keepClient } from './clients.ts';
import { registerClient } from './register-client.ts';

const asked = { client_name: 'An editor', redirect_uris: [REDIRECT_URI] };
const DAY_MS = 86_400_000;

eachDatabase('registering a client', (open) => {
  test('201: registers a public client, which is deleted if unused for a day or to make room', async () => {
    const database = await open();
    const has = async (id: string, nowMs: number) => (await findClient(database.db, id, isoTime(nowMs)))?.name;
    const register = async (body: object) => {
      const { status, body: text } = await registerClient(pageDeps({ database }))({ body } as never);
      return { status, ...(JSON.parse(text as string) as { client_id: string }) };
    };
    const { client_id, ...rest } = await register({ ...asked, token_endpoint_auth_method: 'client_secret_basic' });
    assert.deepEqual(rest, {
      status: 201,
      client_id_issued_at: 0,
      ...asked,
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    });
    const used = (await register(asked)).client_id;
    await keepClient(database.db, used, 0);
    assert.deepEqual([await has(client_id, DAY_MS - 1), await has(client_id, DAY_MS)], ['An editor', undefined]);
    const room = { name: '', redirect_uris: [] };
    for (let round = 0; round < 3; round++) await addClient(database, room, 0, 2);
    assert.deepEqual([await has(client_id, 0), await has(used, 89 * DAY_MS)], [undefined, 'An editor']);
    await addClient(database, room, 90 * DAY_MS);
    assert.equal(
      (await database.db.selectFrom('oauth_clients').select('id').execute()).length,
      1,
      'what has expired is gone',
    );
  });
});

test('400: forbidden redirect URIs, or unsupported grant and response types', async () => {
  const handler = registerClient(pageDeps());
  const errorOf = async (more: object): Promise<unknown> => {
    try {
      return await handler({ body: { ...asked, ...more } } as never);
    } catch (error) {
      return (error as Problem).extensions.oauth_error;
    }
  };
  for (const uri of ['javascript:alert(1)', 'http://evil.example/', 'https://a@evil.example/', 'https://e.example/#x'])
    assert.equal(await errorOf({ redirect_uris: [REDIRECT_URI, uri] }), 'invalid_redirect_uri', uri);
  for (const redirect_uris of [[], undefined, Array(21).fill(REDIRECT_URI)])
    assert.equal(await errorOf({ redirect_uris }), 'invalid_redirect_uri');
  assert.equal(await errorOf({ grant_types: ['client_credentials'] }), 'invalid_client_metadata');
  assert.equal(await errorOf({ response_types: ['token'] }), 'invalid_client_metadata');
});
