import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBrowser } from './fakes/browser.ts';
import { openGoogleStand } from './google-stand.ts';

test('sign-in with Google works without scripts and returns to the requested page, but not to another host', async () => {
  await using stand = await openGoogleStand();
  const { url, provider } = stand;
  const browser = createBrowser();
  const headers = { origin: url, 'content-type': 'application/x-www-form-urlencoded' };
  const send = (to: string) =>
    browser.send(`${url}/signin`, { method: 'POST', headers, body: new URLSearchParams({ do: 'google', to }) });
  assert.match(await (await browser.send(`${url}/signin`)).text(), /Continue with Google/);
  const answer = await send('/dashboard/sessions');
  assert.equal(answer.status, 200);
  const [, address = ''] = /<meta http-equiv="refresh" content="0; url=([^"]+)">/.exec(await answer.text()) ?? [];
  assert.ok(address.startsWith(provider.url));
  assert.equal(browser.cookies(url).size, 1, 'what ties it to this browser');
  const { url: last, response } = await browser.visit(address.replaceAll('&amp;', '&'));
  assert.equal(last, `${url}/dashboard/sessions`);
  assert.match((await response?.text()) ?? '', /this session/);
  const elsewhere = await (await send('https://evil.example/')).text();
  assert.doesNotMatch(elsewhere, /evil/);
});
