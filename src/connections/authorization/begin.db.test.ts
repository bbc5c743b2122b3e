import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser } from '#accounts/users/users.ts';
import { insertConnection } from '#connections/connections/connections.ts';
import { isoTime } from '#core/clock/clock.ts';
import { newSecretKeys } from '#test/auth-stand.ts';
import { oneDatabase } from '#test/databases.ts';
import { startOAuthFake } from '#test/fakes/mcp-oauth.ts';
import { openOAuthCalls } from '#test/oauth-calls.ts';
import { newConnection } from '#test/vault-stand.ts';
import { beginSignIn } from './begin.ts';
import type { GivenClient } from './settings.ts';

oneDatabase('a client that the operator registered at an issuer', (open) => {
  const begin = async (t: { after(act: () => unknown): void }, more: Partial<GivenClient> = {}) => {
    const database = await open();
    const fake = await startOAuthFake();
    const hostile = await startOAuthFake();
    const given = {
      issuer: fake.issuer,
      client_id: 'given',
      client_secret: 'secret',
      servers: [fake.mcp.url],
      ...more,
    };
    const calls = openOAuthCalls({ database, keys: await newSecretKeys(), oauth_clients: [given] });
    t.after(async () => {
      await calls.close();
      await fake.close();
      await hostile.close();
    });
    const user = await createUser(database.db, 'Ada', isoTime(Date.now()));
    const start = async (url: string) => {
      const connection = newConnection(user.id, { url });
      await insertConnection(database.db, connection);
      const vault = { open: async () => ({ url, headers: {}, package: null, version: '0', secrets: [] }) };
      return beginSignIn({ ...calls.base, vault }, connection, { browser: 'a browser', return_to: null });
    };
    return { fake, hostile, start };
  };
  const clientOf = (url: string) => new URL(url).searchParams.get('client_id');

  test('a client registered by the operator is used for the servers listed for it', async (t) => {
    const { fake, start } = await begin(t);
    const begun = await start(fake.mcp.url);
    assert.equal(clientOf(begun.authorization_url), 'given');
    assert.deepEqual([begun.client, begun.server, begun.issuer], ['registered', fake.mcp.url, fake.issuer]);
  });

  test('a client registered by the operator is not used for another server that names its issuer', async (t) => {
    const { fake, hostile, start } = await begin(t);
    hostile.resource_metadata = (metadata) => ({
      ...metadata,
      authorization_servers: [fake.issuer],
      scopes_supported: ['admin'],
    });
    hostile.challenge_scope = 'admin';
    const begun = await start(hostile.mcp.url);
    assert.notEqual(clientOf(begun.authorization_url), 'given');
    assert.deepEqual([begun.client, begun.server, begun.scopes], ['dynamic', hostile.mcp.url, ['admin']]);
  });

  test('a client registered by the operator requests only the scopes that the operator allows', async (t) => {
    const { fake, start } = await begin(t, { scopes: ['read', 'list'] });
    fake.challenge_scope = 'read admin';
    assert.deepEqual((await start(fake.mcp.url)).scopes, ['read']);
    fake.challenge_scope = null;
    fake.resource_metadata = ({ scopes_supported: _, ...metadata }) => metadata;
    assert.deepEqual((await start(fake.mcp.url)).scopes, ['read', 'list']);
    fake.challenge_scope = 'admin';
    await assert.rejects(start(fake.mcp.url), { code: 'connections.oauth_unavailable', reason: 'scope' });
  });
});
