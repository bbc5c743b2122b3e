import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { readSyncState, writeSyncState } from '#catalog/sync/sync-states.ts';
import { defined } from '#core/defined.ts';
import { isTooWide, type Look, openBrowser, openPage, SKIP, violationsOf } from './browser.ts';
import { textResult } from './fakes/mcp-server.ts';
import { saveAll } from './linking.ts';
import { listing, remote } from './listings.ts';
import { openPagesStand, PATHS, type PagesStand } from './pages-stand.ts';
import { startProbed } from './probes-fixture.ts';

/** The pages in Chromium: what axe finds, what the console says, and what is alive. The whole matrix: soak pages. */

let stand: PagesStand;
let browser: Browser;
let url: string;

before(async () => {
  if (SKIP !== false) return;
  stand = await openPagesStand({ CAPSTAN_PROBE: 'on' });
  ({ url } = await stand.world.listen());
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stand?.[Symbol.asyncDispose]();
});

/** Each look meets every second page or so. */
const LOOKS: readonly Omit<Look, 'token'>[] = [
  { width: 1_280, scheme: 'light' },
  { width: 360, scheme: 'dark' },
  { width: 320, scheme: 'light' },
];

for (const [at, path] of [...PATHS, '/nothing/here'].entries())
  test(`${path}: no axe violations, console errors or requests to other hosts`, { skip: SKIP }, async () => {
    const look = LOOKS[at % LOOKS.length] as Look;
    const { page, errors, strangers } = await openPage(browser, `${url}${path}`, look);
    assert.deepEqual(await violationsOf(page), []);
    // The browser itself logs a missing page to the console.
    assert.deepEqual([path === '/nothing/here' ? [] : errors, strangers], [[], []]);
    assert.equal(await isTooWide(page), false);
    await page.setViewportSize({ width: 320, height: 900 });
    assert.equal(await isTooWide(page), false, 'at 320 px');
    await page.context().close();
  });

async function at(path: string, act: (page: Page) => Promise<void>, token?: string): Promise<void> {
  const look = { width: 1_280, scheme: 'light', ...defined({ token }) } as const;
  const { page, errors } = await openPage(browser, `${url}${path}`, look);
  await act(page);
  assert.deepEqual(errors, []);
  await page.context().close();
}

test('a button probes a server, a second press says when to ask again, and changed tools are on a tab', {
  skip: SKIP,
}, async (t) => {
  const server = await startProbed([{ name: 'tide_at', call: () => textResult('1') }]);
  t.after(server.close);
  await saveAll(stand.world.database, [listing('glama', 'ann/tides', remote(server.url))]);
  const look = { width: 360, scheme: 'dark' } as const;
  const { page, errors } = await openPage(browser, `${url}/registry/glama/ann/tides`, look);
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('The server responded with 1 tool.').waitFor();
  assert.deepEqual([await violationsOf(page), await isTooWide(page)], [[], false]);
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText(/Ask again after/).waitFor();
  assert.deepEqual([await violationsOf(page), await isTooWide(page)], [[], false]);
  assert.ok(await page.getByText('It answers.').first().isVisible());

  // As if the ten minutes had passed.
  const { db } = stand.world.database;
  await db.updateTable('probe_targets').set({ last_probed_at: '2026-01-01T00:00:00.000Z' }).execute();
  await db.deleteFrom('rate_windows').where('bucket', 'like', 'probe-%').execute();
  server.fake.tools.push({ name: 'tide_tomorrow', call: () => textResult('2') });
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('The server responded with 2 tools.').waitFor();
  await page.getByRole('link', { name: /^Versions/ }).click();
  await page.getByRole('heading', { name: /Tool changes/ }).waitFor();
  assert.deepEqual([await violationsOf(page), await isTooWide(page)], [[], false]);
  // The browser itself logs the refusal to the console.
  assert.deepEqual(
    errors.filter((error) => !/status of 429/.test(error)),
    [],
  );
  await page.context().close();
});

test('search works as you type and by keyboard alone, and updates the address', { skip: SKIP }, () =>
  at('/marketplace', async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('weather');
    await page.getByRole('heading', { name: '1 capability', exact: true }).waitFor();
    assert.match(page.url(), /\/marketplace\?search=weather$/);
    assert.equal(await page.getByRole('status').textContent(), '1 capability');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Forecasts');
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate('document.activeElement.id'), 'search');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Forecasts' }).waitFor();
    assert.match(page.url(), /\/marketplace\/[\w-]+$/);
  }),
);

test('the back button keeps what was searched for', { skip: SKIP }, () =>
  at('/marketplace', async (page) => {
    await page.locator('#search').fill('weather');
    await page.waitForURL(/\?search=weather$/);
    await page.getByRole('link', { name: 'Forecasts', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Forecasts' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: '1 capability', exact: true }).waitFor();
    assert.equal(await page.locator('#search').inputValue(), 'weather');
  }),
);

test('the header of a page that does not exist has one row on a phone and names the reader', {
  skip: SKIP,
}, async () => {
  const look = { width: 390, scheme: 'light', token: stand.account.token } as const;
  const { page } = await openPage(browser, `${url}/nope`, look);
  assert.ok(await page.getByRole('banner').getByText('Ada').isVisible());
  const box = await page.getByRole('banner').boundingBox();
  assert.ok((box?.height ?? 1_000) < 64, `one row, not ${box?.height} px`);
  await page.context().close();
});

test('the light and dark switch takes effect immediately and survives a reload', { skip: SKIP }, () =>
  at('/', async (page) => {
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await ground(), dark);
  }),
);

test('the API reference sends a request as the signed-in user and shows the response', { skip: SKIP }, () =>
  at(
    '/reference/signIns#accounts.signIns.getCurrent',
    async (page) => {
      const section = page.getByRole('region', { name: 'Get the current session' });
      await section.locator('summary').getByText('Try it', { exact: true }).click();
      await section.getByRole('button', { name: 'Send GET' }).click();
      await section.getByText(/^200 OK in/).waitFor();
      assert.match((await section.locator('output').textContent()) ?? '', /"display_name": "Ada"/);
    },
    stand.account.token,
  ),
);

test('the providers page shows the progress of a running sync', { skip: SKIP }, () =>
  at('/providers', async (page) => {
    const { db } = stand.world.database;
    const state = await readSyncState(db, 'glama');
    const row = page.getByRole('row', { name: 'glama' });
    await row.getByText('off', { exact: true }).waitFor();
    await writeSyncState(db, {
      ...state,
      status: 'running',
      started_at: new Date().toISOString(),
      seen: 1_200,
      total: 4_000,
    });
    await row.getByText('1,200 of 4,000 seen, full').waitFor();
    assert.equal(await row.getByRole('progressbar', { name: 'Sync of Glama' }).getAttribute('value'), '1200');
    await db.deleteFrom('sync_states').where('provider_id', '=', 'glama').execute();
  }),
);
