import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '#core/clock/clock.ts';
import { accountsOf } from './accounts.ts';
import { createBrowser } from './fakes/browser.ts';
import { openGoogleStand } from './google-stand.ts';

const stand = await openGoogleStand();
after(() => stand[Symbol.asyncDispose]());
const { url, provider, world } = stand;
const headers = { origin: url, 'content-type': 'application/x-www-form-urlencoded' };
const refreshIn = (html: string): string =>
  (/<meta http-equiv="refresh" content="0; url=([^"]+)">/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

test('a Google account is linked and unlinked on the settings page, each with a signature', async () => {
  const account = await (await accountsOf(world, systemClock, url)).signUp();
  const browser = createBrowser();
  browser.cookies(url).set('capstan-token', account.token);
  const press = async (name: string, request: string) => {
    const { 'x-challenge-id': id = '', 'x-wallet-signature': signature = '' } =
      request === '' ? {} : await account.stepUp(request);
    const body = new URLSearchParams({ do: name, 'step.challenge_id': id, 'step.signature': signature });
    return browser.send(`${url}/dashboard/account`, { method: 'POST', headers, body });
  };
  assert.equal((await press('link_google', '')).status, 401);
  const { db } = world.database;
  const linked = () => db.selectFrom('google_accounts').select('user_id').execute();
  const address = refreshIn(await (await press('link_google', 'POST /api/auth/google/link')).text());
  assert.ok(address.startsWith(provider.url));
  const { url: last } = await browser.visit(address);
  assert.ok(last.startsWith(`${url}/dashboard/account`), last);
  assert.deepEqual(await linked(), [{ user_id: account.user.id }]);
  assert.equal((await press('unlink_google', '')).status, 401);
  assert.match(await (await press('unlink_google', 'DELETE /api/auth/google')).text(), /Google sign-in removed\./);
  assert.deepEqual(await linked(), []);
});

test('sign-in with Google works without scripts and returns to the requested page, but not to another host', async () => {
  const browser = createBrowser();
  const send = (to: string) =>
    browser.send(`${url}/signin`, { method: 'POST', headers, body: new URLSearchParams({ do: 'google', to }) });
  assert.match(await (await browser.send(`${url}/signin`)).text(), /Continue with Google/);
  const answer = await send('/dashboard/sessions');
  assert.equal(answer.status, 200);
  const address = refreshIn(await answer.text());
  assert.ok(address.startsWith(provider.url));
  assert.equal(browser.cookies(url).size, 1, 'what ties it to this browser');
  const { url: last, response } = await browser.visit(address);
  assert.equal(last, `${url}/dashboard/sessions`);
  assert.match((await response?.text()) ?? '', /this session/);
  const elsewhere = await (await send('https://evil.example/')).text();
  assert.doesNotMatch(elsewhere, /evil/);
});
