import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { ethereumWallet, solanaWallet } from '#test/wallet-keys.ts';
import { countRows, STAND_TIME, walletsStand } from '#test/wallets-stand.ts';

eachDatabase('requesting a challenge', (open) => {
  test('200: returns a sign-in message valid for five minutes, and stores the same text', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const wallet = ethereumWallet();
    const { challenge_id, message, expires_at } = await stand.challenge({
      ...wallet,
      address: wallet.address.toLowerCase(),
    });
    assert.equal(expires_at, '2026-03-01T00:05:00.000Z');
    const nonce = /^Nonce: ([0-9a-f]{32})$/m.exec(message)?.[1];
    assert.equal(
      message,
      [
        'capstan.example wants you to sign in with your Ethereum account:',
        wallet.address,
        '',
        'Sign in. This confirms no other request, costs nothing and sends no transaction.',
        '',
        ...['URI: https://capstan.example', 'Version: 1', 'Chain ID: 1', `Nonce: ${nonce}`],
        `Issued At: ${STAND_TIME}`,
        `Expiration Time: ${expires_at}`,
        `Request ID: ${challenge_id}`,
      ].join('\n'),
    );
    assert.match(message, /^[\x20-\x7e\n]+$/);
    const row = await database.db.selectFrom('challenges').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([row.message, row.address, row.used_at], [message, wallet.address, null]);
    const again = await stand.challenge(wallet);
    assert.notEqual(/^Nonce: (.+)$/m.exec(again.message)?.[1], nonce);
    const solana = await stand.challenge(solanaWallet());
    assert.match(solana.message, /with your Solana account:\n/);
  });

  test('200: with a purpose, the message names the request, account and path, valid for two minutes', async () => {
    const stand = walletsStand(await open());
    const wallet = solanaWallet();
    const user_id = await stand.verify(await stand.proof(wallet));
    const target = `/api/users/${user_id}/api-keys/a%20key`;
    const lines = async (asker: object) => (await stand.challenge(wallet, asker)).message.split('\n');
    const named = await stand.challenge(wallet, { user_id, purpose: { operation: 'accounts.apiKeys.delete', target } });
    assert.equal(named.expires_at, '2026-03-01T00:02:00.000Z');
    const text = named.message.split('\n');
    assert.match(
      text[3] ?? '',
      new RegExp(`^Confirm one request to account ${user_id}: .+ \\(accounts.apiKeys.delete\\)\\.`),
    );
    assert.deepEqual(text.slice(-2), ['Resources:', `- https://capstan.example${target}`]);
    // However the path is encoded, the text has it in canonical form.
    const spelt = { operation: 'accounts.apiKeys.delete', target: target.replace('a%20key', '%61%20key') };
    assert.equal((await lines({ user_id, purpose: spelt })).at(-1), text.at(-1));
    const unnamed = await lines({ user_id });
    assert.match(
      unnamed[3] ?? '',
      new RegExp(`^Confirm one request to account ${user_id}: look up a user, .*API keys`),
    );
    assert.equal(unnamed.includes('Resources:'), false);
    const link = await lines({ user_id, purpose: { operation: 'accounts.wallets.link' } });
    assert.equal(link.at(-1), '- https://capstan.example/api/auth/wallets');
  });

  test('200: the message states the name and scopes of the API key that it confirms, and the window that it covers', async () => {
    const stand = walletsStand(await open());
    const wallet = solanaWallet();
    const user_id = await stand.verify(await stand.proof(wallet));
    const [operation, target] = ['accounts.apiKeys.create', `/api/users/${user_id}/api-keys`];
    const fields = { name: 'nightly “build”', scopes: ['read', 'write'], expires_at: null };
    const key = (await stand.challenge(wallet, { user_id, purpose: { operation, target, fields } })).message.split(
      '\n',
    );
    assert.match(
      key[3] ?? '',
      /: Create an API key \(accounts.apiKeys.create\) with name: nightly build, scopes: read write\. /,
    );
    assert.equal(
      key.at(-1),
      `- https://capstan.example${target}?name=nightly%20%E2%80%9Cbuild%E2%80%9D&scopes=read,write`,
    );
    const window = await stand.challenge(wallet, { user_id, purpose: { operation, minutes: 10 } });
    assert.equal(window.expires_at, '2026-03-01T00:10:00.000Z');
    assert.match(
      window.message.split('\n')[3] ?? '',
      new RegExp(
        `^Confirm requests to account ${user_id} for 10 minutes, in the current session only: list, create and revoke API keys\\.`,
      ),
    );
    assert.equal(window.message.includes('Resources:'), false);
  });

  test('400: the purpose is not an operation with a matching path; 401: a purpose without a token', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const user_id = await stand.verify(await stand.proof(solanaWallet()));
    const bad = [
      { operation: 'users.nothing' },
      { operation: 'accounts.signIns.getCurrent' },
      { operation: 'accounts.users.get' },
      { operation: 'accounts.users.get', target: '/api/users/a/b' },
      { operation: 'accounts.users.get', target: 'https://else.example/api/users/a' },
      { operation: 'accounts.wallets.link', target: '/api/auth/wallets/../../users' },
      // Fields that the text must state, must not state, or cannot state.
      { operation: 'accounts.apiKeys.create', target: `/api/users/${user_id}/api-keys` },
      { operation: 'accounts.apiKeys.create', target: `/api/users/${user_id}/api-keys`, fields: { key: 'x' } },
      {
        operation: 'accounts.apiKeys.create',
        target: `/api/users/${user_id}/api-keys`,
        fields: { name: 'é'.repeat(400) },
      },
      { operation: 'accounts.apiKeys.list', target: `/api/users/${user_id}/api-keys`, fields: { name: 'x' } },
      // Windows: none, or with more than the window.
      { operation: 'accounts.users.delete', minutes: 10 },
      { operation: 'accounts.apiKeys.list', target: `/api/users/${user_id}/api-keys`, minutes: 10 },
      { operation: 'accounts.apiKeys.create', fields: { name: 'x' }, minutes: 10 },
    ];
    const before = await countRows(database, 'challenges');
    for (const purpose of bad)
      await assert.rejects(stand.challenge(solanaWallet(), { user_id, purpose }), {
        code: 'http.invalid',
        reason: 'input',
      });
    const purpose = { operation: 'accounts.users.get', target: `/api/users/${user_id}` };
    await assert.rejects(stand.challenge(solanaWallet(), { purpose }), { code: 'auth.token_required' });
    assert.equal(await countRows(database, 'challenges'), before);
  });

  test('400: the address is invalid, and nothing is stored', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const bad = { ethereum: ['0x12', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'], solana: ['0OIl', '1111'] } as const;
    for (const [walletType, addresses] of Object.entries(bad))
      for (const address of addresses)
        await assert.rejects(stand.challenge({ wallet_type: walletType as 'solana', address }), {
          code: 'http.invalid',
        });
    assert.equal(await countRows(database, 'challenges'), 0);
  });

  test('expired challenges are deleted', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const wallet = solanaWallet();
    for (let count = 0; count < 20; count++) await stand.challenge(wallet);
    stand.clock.ms += 66 * 60_000;
    for (let count = 0; count < 10; count++) await stand.challenge(wallet);
    assert.equal(await countRows(database, 'challenges'), 10);
  });
});
