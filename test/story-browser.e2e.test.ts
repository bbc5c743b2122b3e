import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, SKIP, violationsOf } from './browser.ts';
import { openOAuthStand } from './oauth-stand.ts';
import { openWithWallets } from './page-wallets.ts';

/** The whole story of a visitor, in one browser: in by a wallet, find, run, prove, connect, call, out. */

const press = (page: Page, name: string | RegExp): Promise<void> => page.getByRole('button', { name }).first().click();
const said = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();

test('a user signs in, runs a skill, verifies its receipt, connects a server, calls a tool and signs out', {
  skip: SKIP,
}, async () => {
  await using stand = await openOAuthStand({ role: 'serve' });
  const { url, fake } = stand;
  await using browser = await openBrowser();
  const { page, errors } = await openWithWallets(browser);
  const own = new Set([url, fake.mcp.url, fake.issuer].map((url) => new URL(url).origin));
  const strangers: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && !own.has(origin)) strangers.push(request.url());
  });

  await page.goto(`${url}/signin`);
  await press(page, /Test Wallet/);
  await page.waitForURL((url) => !url.pathname.startsWith('/signin'));

  await page.goto(url);
  await page.getByRole('searchbox').first().fill('compare two json documents');
  await page
    .getByRole('link', { name: /json-diff/ })
    .first()
    .click();
  await page.getByLabel('Before').fill('{"port": 80}');
  await page.getByLabel('After').fill('{"port": 81}');
  await press(page, /^Run$/);
  await said(page, /^Completed/);
  await page.getByRole('heading', { name: 'Trace' }).waitFor();
  await said(page, 'execute_tool json-diff');
  await press(page, 'Verify on this page');
  await said(page, /^Valid: signed with key/);
  assert.deepEqual(await violationsOf(page), []);

  await page.goto(`${url}/dashboard/connections`);
  await page.getByLabel('Address or listing').fill(fake.mcp.url);
  await press(page, 'Connect');
  await page.getByRole('link', { name: 'Continue' }).click();
  await said(page, 'Signed in to the server.');
  await press(page, 'Call');
  await page.getByRole('heading', { name: 'Result', exact: true }).waitFor();

  await page.goto(`${url}/dashboard/sessions`);
  await press(page, 'Sign out here');
  await said(page, 'You are signed out.');
  assert.deepEqual([errors, strangers], [[], []]);
});
