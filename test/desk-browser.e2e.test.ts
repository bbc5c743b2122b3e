import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { addWallet } from '#accounts/users/identities.ts';
import { changeUser } from '#accounts/users/users.ts';
import { systemClock } from '#core/clock/clock.ts';
import { type Account, accountsOf } from './accounts.ts';
import { isTooWide, openBrowser, openPage, pressAwake, SKIP, violationsOf } from './browser.ts';
import { exampleItem } from './example-items.ts';
import { openWithWallets } from './page-wallets.ts';
import { openPagesStand, type PagesStand } from './pages-stand.ts';

/** The operators' pages in Chromium: what axe finds, the keyboard, and a change that a wallet signs. */

let stand: PagesStand;
let browser: Browser;
let url: string;
let olga: Account;
let ids: string[];

before(async () => {
  if (SKIP !== false) return;
  const items = Array.from({ length: 3 }, (_, number) => exampleItem(number, { name: `Harbour${number}` }));
  stand = await openPagesStand({}, 'quiet', items);
  ({ url } = await stand.world.listen());
  const { db } = stand.world.database;
  olga = await (await accountsOf(stand.world, systemClock)).signUp();
  await changeUser(db, olga.user.id, { is_operator: 1 }, olga.user.created_at);
  ids = (await db.selectFrom('capabilities').select('id').orderBy('id').execute()).map(({ id }) => id);
  for (const id of ids)
    await stand.world.fetch(`/api/marketplace/listings/${id}/reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${stand.account.token}` },
      body: JSON.stringify({ kind: 'spam', text: 'It is <b>everywhere</b>. '.repeat(20) }),
    });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stand?.[Symbol.asyncDispose]();
});

const PATHS = [
  '',
  '/reports/open',
  '/reports/acted',
  '/featured',
  '/collections',
  '/providers',
  '/users',
  '/health',
  '/audit',
];

test('every page of operators has no axe violations in both themes, and fits a phone', { skip: SKIP }, async () => {
  const paths = [...PATHS, `/reports/open/${ids[0]}`, `/users/${stand.account.user.id}`];
  for (const path of paths) {
    const look = { width: 390, scheme: 'light', token: olga.token } as const;
    const { page, errors } = await openPage(browser, `${url}/desk${path}`, look);
    const light = await violationsOf(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual([light, await violationsOf(page), errors, await isTooWide(page)], [[], [], [], false], path);
    await page.context().close();
  }
});

test('J and K move through the queue, but not while a reason is written', { skip: SKIP }, async () => {
  const look = { width: 1_280, scheme: 'dark', token: olga.token } as const;
  const { page, errors } = await openPage(browser, `${url}/desk/reports/open`, look);
  const [first, second] = await page
    .locator('a.case')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  await page.keyboard.press('j');
  await page.waitForURL(`${url}${second}`);
  await page.getByRole('region', { name: 'Decide' }).getByLabel('Reason').fill('k');
  await page.keyboard.press('k');
  assert.equal(new URL(page.url()).pathname, second);
  await page.locator('h1').click();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('k');
  await page.waitForURL(`${url}${first}`);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('an account is suspended with the signature of a wallet', { skip: SKIP }, async () => {
  const { db } = stand.world.database;
  const { page, errors, ethereum } = await openWithWallets(browser);
  const wallet = { wallet_type: 'ethereum', address: ethereum.address, linked_at: olga.user.created_at };
  await addWallet(db, { ...wallet, user_id: olga.user.id });
  await page.context().addCookies([{ name: 'capstan-token', value: olga.token, url, httpOnly: true, sameSite: 'Lax' }]);
  await page.goto(`${url}/desk/users/${stand.account.user.id}`);
  await page.getByText('Suspend', { exact: true }).first().click();
  const form = page.locator('details[open] form');
  await form.getByLabel('Reason').fill('It sends spam.');
  await form.getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('Its tokens, keys and endpoints are refused at once.').waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await pressAwake(page.getByRole('button', { name: 'Suspend', exact: true }));
  await pressAwake(page.getByRole('button', { name: /Test Wallet/ }));
  await page.getByText('Account suspended.').waitFor();
  await page.getByText('It sends spam.').first().waitFor();
  assert.deepEqual(errors, []);
  await page.context().close();
});
