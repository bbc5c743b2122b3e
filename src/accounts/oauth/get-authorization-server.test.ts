import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAuthorizationServer } from './get-authorization-server.ts';

const AT = '/.well-known/oauth-authorization-server';
async function ask(base_url: string, behind: string) {
  const reply = await getAuthorizationServer({ base_url })({ raw_path: AT + behind } as never);
  return JSON.parse(reply.body as string) as Record<string, unknown>;
}

test('200: announces authorization codes with S256, public clients, and iss in responses', async () => {
  const base = 'https://capstan.example';
  const metadata = await ask(base, '');
  assert.deepEqual(
    [metadata.issuer, metadata.response_types_supported, metadata.code_challenge_methods_supported],
    [base, ['code'], ['S256']],
  );
  assert.deepEqual(metadata.grant_types_supported, ['authorization_code', 'refresh_token']);
  assert.deepEqual(metadata.token_endpoint_auth_methods_supported, ['none']);
  assert.equal(metadata.client_id_metadata_document_supported, true);
  assert.equal(metadata.authorization_response_iss_parameter_supported, true);
  const endpoints = Object.entries(metadata).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name));
  assert.equal(endpoints.length, 5);
  for (const [, address] of endpoints) assert.ok(`${address}`.startsWith(`${base}/`));
});

test('200 with the path of the service appended; 404 with another path', async () => {
  const base = 'https://host.example/capstan';
  assert.equal((await ask(base, '/capstan')).issuer, base);
  for (const behind of ['/', '/other', '/capstan/'])
    await assert.rejects(ask(base, behind), { code: 'http.not_found' });
});
