import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorld } from '#test/world.ts';
import { clientMetadataUrl } from './client-metadata.ts';

test('200: the client metadata document has its own URL as client_id and one redirect URI', async () => {
  await using world = await openWorld({
    PUBLIC_URL: 'https://capstan.example',
    CAPSTAN_SECRET_KEY: Buffer.from([...Array(32).keys()]).toString('base64'),
  });
  const answer = await world.fetch('/client-metadata.json');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=3600');
  const document = (await answer.json()) as Record<string, unknown>;
  assert.equal(document.client_id, 'https://capstan.example/client-metadata.json');
  assert.deepEqual(document.redirect_uris, ['https://capstan.example/api/sessions/oauth/callback']);
  assert.equal(document.token_endpoint_auth_method, 'none');
  assert.equal(document.client_secret, undefined);
});

test('there is no client metadata URL if the service has a loopback URL', () => {
  assert.equal(clientMetadataUrl('http://127.0.0.1:8080'), null);
});
