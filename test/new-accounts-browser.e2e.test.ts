import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCapstan } from '../sdk/src/index.ts';
import { openBrowser, openPage, SKIP } from './browser.ts';
import { ethereumWallet } from './wallet-keys.ts';
import { openWorld } from './world.ts';

test('the dashboard of a new account solves its proof of work in a web worker without violating the CSP', {
  skip: SKIP,
}, async () => {
  await using world = await openWorld({ CAPSTAN_PROOF_OF_WORK_BITS: '12' }, 'serve');
  const { url } = await world.listen();
  const capstan = createCapstan({ base_url: url, signer: ethereumWallet(), prove: false });
  const { access_token: token } = await capstan.signInWithWallet();
  const browser = await openBrowser();
  try {
    const { page, errors, strangers } = await openPage(browser, `${url}/dashboard`, {
      width: 1_000,
      scheme: 'light',
      token,
    });
    await page.locator('[data-island="proof-of-work"][data-state="proven"]').waitFor({ state: 'attached' });
    assert.equal((await capstan.signIns.getCurrent()).proof_required, false);
    assert.deepEqual([errors, strangers], [[], []]);
    await page.reload();
    assert.equal(await page.locator('[data-island="proof-of-work"]').count(), 0);
  } finally {
    await browser.close();
  }
});
