import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REDIRECT_URI, register, registered } from '../../../test/authorization-client.ts';
import { authorizationStand } from '../../../test/authorization-stand.ts';
import { eachDatabase } from '../../../test/databases.ts';
import { isoTime } from '../../platform/clock.ts';
import { addClient, findClient } from './authorization/clients.ts';

eachDatabase('registering a client', (open, engine) => {
  test('unused ones go after a day, or to make room; used ones stay', async () => {
    const database = await open();
    const stand = await authorizationStand(database);
    const [unused, used] = [await registered(stand.send), stand.client];
    await stand.grant();
    for (let it = 0; it < 3; it++) await addClient(database, { name: '', redirect_uris: [] }, stand.clock.ms, 2);
    const has = async ({ client_id }: { client_id: string }) =>
      (await findClient(database.db, client_id, isoTime(stand.clock.ms))) !== undefined;
    assert.deepEqual([await has(unused), await has(used)], [false, true]);
    const late = await registered(stand.send);
    stand.clock.ms += 86_400_000;
    assert.deepEqual([await has(late), await has(used)], [false, true]);
  });

  if (engine === 'postgres') return;

  test('201: a public client, whatever it asks to be', async () => {
    const { send } = await authorizationStand(await open());
    const answer = await register(send, { token_endpoint_auth_method: 'client_secret_basic', software_id: 'x' });
    assert.equal(answer.status, 201);
    const { client_id, client_id_issued_at, ...rest } = (await answer.json()) as Record<string, unknown>;
    assert.match(`${client_id}`, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      ...{ client_name: 'An editor', redirect_uris: [REDIRECT_URI], response_types: ['code'] },
      ...{ grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' },
    });
  });

  test('400: addresses that no client may have, and grants that there are not', async () => {
    const { send } = await authorizationStand(await open());
    const errorOf = async (metadata: object) =>
      ((await (await register(send, metadata)).json()) as { error: string }).error;
    for (const uri of [
      'javascript:alert(1)',
      'http://evil.example/',
      'https://a@evil.example/',
      'https://e.example/#x',
    ])
      assert.equal(await errorOf({ redirect_uris: [REDIRECT_URI, uri] }), 'invalid_redirect_uri', uri);
    for (const redirect_uris of [[], undefined, Array(21).fill(REDIRECT_URI)])
      assert.equal(await errorOf({ redirect_uris }), 'invalid_redirect_uri');
    assert.equal(await errorOf({ grant_types: ['client_credentials'] }), 'invalid_client_metadata');
    assert.equal(await errorOf({ response_types: ['token'] }), 'invalid_client_metadata');
    assert.equal(await errorOf({ redirect_uris: 'https://a.example' }), 'invalid_request');
  });
});
