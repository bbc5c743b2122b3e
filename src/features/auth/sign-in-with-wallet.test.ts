import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizationStand } from '../../../test/authorization-stand.ts';
import { eachDatabase } from '../../../test/databases.ts';
import { ethereumWallet } from '../../../test/wallet-keys.ts';

eachDatabase('signing in with a wallet on the page', (open, engine) => {
  if (engine === 'postgres') return;

  test('303: a new wallet opens an account; 401 on the page: a challenge serves once', async () => {
    const stand = await authorizationStand(await open());
    const it = await stand.visitor();
    const page = await it.open(stand.client.query());
    const consent = await it.withWallet(page, ethereumWallet());
    assert.match(consent.html, /Signed in as <bdi><strong>0x\w{4}…/);
    const wrong = await it.withWallet(page, { ...ethereumWallet(), sign: async () => `0x${'11'.repeat(65)}` });
    assert.equal(wrong.status, 401);
    assert.match(wrong.html, /The signature is not the wallet’s/);
    const unknown = await it.submit(page, '/oauth/sign-in/wallet', { challenge_id: 'x', signature: '0x' });
    assert.match(await unknown.text(), /There is no such challenge/);
  });
});
