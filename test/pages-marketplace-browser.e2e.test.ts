import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { isTooWide, type Look, openBrowser, openPage, SKIP, violationsOf } from './browser.ts';
import { exampleItem, saveItems } from './example-items.ts';
import { linkNow } from './linking.ts';
import { type MarketplacePages, openMarketplacePages } from './marketplace-pages.ts';
import { openWithWallets } from './page-wallets.ts';
import { until } from './until.ts';

/** The marketplace's pages in Chromium: what axe finds, what the console says, and a search to its end. */

let stand: MarketplacePages;
let browser: Browser;
let url: string;

before(async () => {
  if (SKIP !== false) return;
  stand = await openMarketplacePages();
  ({ url } = await stand.world.listen());
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stand?.[Symbol.asyncDispose]();
});

const LOOKS: readonly Look[] = [
  { width: 1_280, scheme: 'light' },
  { width: 360, scheme: 'dark' },
];

test('every marketplace page has no axe violations, console errors or requests to other hosts', {
  skip: SKIP,
}, async () => {
  for (const [at, path] of stand.paths.entries()) {
    const { page, errors, strangers } = await openPage(browser, `${url}${path}`, LOOKS[at % 2] as Look);
    assert.deepEqual([await violationsOf(page), errors, strangers], [[], [], []], path);
    assert.equal(await isTooWide(page), false, path);
    await page.context().close();
  }
});

const TABS = ['tools', 'files', 'versions', 'needs', 'install', 'security', 'proof', 'sources'];

test('each tab of a listing has no axe violations and no horizontal scroll, in both themes', {
  skip: SKIP,
}, async () => {
  for (const [at, tab] of TABS.entries()) {
    const look = { width: at % 2 === 0 ? 1_280 : 390, scheme: at % 4 < 2 ? 'light' : 'dark' } as const;
    const path = `/marketplace/${at % 3 === 0 ? stand.merged : stand.skill}?tab=${tab}`;
    const { page, errors, strangers } = await openPage(browser, `${url}${path}`, look);
    assert.deepEqual([await violationsOf(page), errors, strangers, await isTooWide(page)], [[], [], [], false], path);
    await page.context().close();
  }
});

test('keyboard search leads to a listing, whose install command can be copied', { skip: SKIP }, async () => {
  const { page, errors } = await openPage(browser, `${url}/marketplace`, LOOKS[0] as Look);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('/');
  await page.keyboard.type('count-words');
  await page.waitForURL(/search=count-words$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /^count-words/ }).waitFor();
  await page.getByRole('link', { name: 'Install', exact: true }).click();
  await page.getByRole('heading', { name: 'Install' }).waitFor();
  await page.getByRole('button', { name: 'Copy: command for Claude Code' }).click();
  assert.match(
    await page.evaluate('navigator.clipboard.readText()'),
    /^mkdir -p ~\/\.claude\/skills\/count-words && cd/,
  );
  await page.getByRole('link', { name: /^Sources/ }).click();
  await page.waitForURL(/tab=sources$/);
  assert.match((await page.getByRole('region', { name: /^Sources/ }).textContent()) ?? '', /Published here/);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('filters and the order change the list in place, back undoes them, and offline says so', {
  skip: SKIP,
}, async () => {
  const { page, errors, strangers } = await openPage(browser, `${url}/marketplace?search=tool`, LOOKS[0] as Look);
  await page.evaluate('window.stayed = true');
  const count = page.locator('#found');
  const before = await count.textContent();
  await page.getByRole('link', { name: 'Skills 2', exact: true }).click();
  await page.waitForURL(/listing_type=skill/);
  await page
    .getByRole('link', { name: /^Skills.*remove this filter/ })
    .first()
    .waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.getByLabel('Sort').selectOption('name');
  await page.waitForURL(/sort=name/);
  assert.equal(await page.locator('form.search input[name="sort"]').inputValue(), 'name', 'a later search keeps it');
  await page.goBack();
  await until('the sort to be undone', async () => (await page.getByLabel('Sort').inputValue()) === 'relevance');
  await page.goBack();
  await until('the filter to be undone', async () => (await count.textContent()) === before);
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Skills 2', exact: true }).click();
  await page.getByText('You are offline, or the service does not respond.').waitFor();
  assert.equal(await count.textContent(), before);
  assert.equal(await page.evaluate('window.stayed'), true, 'the page was never loaded again');
  assert.deepEqual(
    errors.filter((error) => !/ERR_INTERNET_DISCONNECTED/.test(error)),
    [],
  );
  assert.deepEqual(strangers, []);
  await page.context().close();
});

test('Ctrl-K searches from any page by keyboard, with the way back from a correction, and remembers in this browser only', {
  skip: SKIP,
}, async () => {
  for (const look of LOOKS) {
    const { page, errors, strangers } = await openPage(browser, `${url}/docs`, look);
    assert.ok(((await page.locator('.bar').boundingBox())?.height ?? 99) < 70, 'the header has one row');
    await page.keyboard.press('Control+k');
    const panel = page.getByRole('dialog', { name: 'Search' });
    await page.keyboard.type('forcasts');
    await panel.getByText('Results for forecasts').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await panel.getByRole('link', { name: 'Search for forcasts instead' }).click();
    await panel.getByText('No results. Try fewer or different words.').waitFor();
    await page.keyboard.press('Control+a');
    // What is typed later wins, whatever answers first.
    await page.keyboard.type('tool');
    await panel.getByRole('heading', { name: 'Servers 3 of 60' }).waitFor();
    await page.keyboard.press('ArrowDown');
    const first = await panel.locator('h3 a').first().getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}${first}`);
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('Control+k');
    await panel.getByRole('link', { name: 'tool', exact: true }).click();
    await panel.getByRole('heading', { name: 'Servers 3 of 60' }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    assert.deepEqual([errors, strangers], [[], []]);
    await page.context().close();
  }
});

test('the link to the copies of a result opens them, not the result that it belongs to', { skip: SKIP }, async () => {
  const { database } = stand.world;
  const text = 'Lists the lighthouses of a coast with their characters, ranges and heights above high water.';
  await saveItems(
    database.db,
    [960, 961].map((number) =>
      exampleItem(number, { name: 'lighthouses', external_id: `keeper-${number}/lighthouses`, description: text }),
    ),
  );
  await linkNow(database);
  const { page } = await openPage(browser, `${url}/marketplace`, LOOKS[0] as Look);
  const link = page.getByRole('link', { name: 'and 1 copy of its text' });
  await until('the copy in the index', async () => {
    await page.goto(`${url}/marketplace?search=lighthouses`);
    return (await link.count()) === 1 || undefined;
  });
  await link.click({ timeout: 10_000 });
  await page.waitForURL(/copies_of=/);
  await page.getByText('Results with the same text.').waitFor();
  assert.equal(await page.getByRole('heading', { level: 3, name: 'lighthouses' }).count(), 2);
  await page.context().close();
});

test("a claim is signed with a browser wallet, and the page shows the service's error", { skip: SKIP }, async () => {
  const { page, errors } = await openWithWallets(browser);
  const value = stand.account.token;
  await page.context().addCookies([{ name: 'capstan-token', value, url, httpOnly: true, sameSite: 'Lax' }]);
  await page.goto(`${url}/marketplace/${stand.merged}/claim`);
  await page.getByLabel('Name your wallet in the file and sign with it').check();
  await page.getByRole('button', { name: 'Start claim' }).click();
  await page.getByRole('button', { name: 'Sign and verify' }).click();
  await page.getByRole('button', { name: 'Test Wallet' }).first().click();
  // The service checks the signature and its wallet before it fetches the file.
  await page
    .getByRole('alert')
    .getByText(/claim_other_wallet|wallet/)
    .first()
    .waitFor();
  assert.deepEqual(await violationsOf(page), []);
  assert.deepEqual(
    errors.filter((error) => !/status of 4\d\d/.test(error)),
    [],
  );
  await page.context().close();
});
