import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { isTooWide, openBrowser, SKIP, violationsOf } from './browser.ts';
import { API_KEY, KEYED_SERVER, type OneWayStand, OPEN_SERVER, openOneWayStand } from './one-way-stand.ts';
import { openWithWallets } from './page-wallets.ts';

/** A person goes from the front page to the answer of a tool and its receipt, and every click is counted. */

let stand: OneWayStand;
let browser: Browser;

before(async () => {
  if (SKIP !== false) return;
  stand = await openOneWayStand({ probes: false });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stand?.[Symbol.asyncDispose]();
});

interface Person {
  page: Page;
  errors: string[];
  /** Presses of the mouse since the front page. */
  clicks(): number;
}

/** Signed in, with a key of this browser that confirms without asking. */
async function newPerson(width = 1_280): Promise<Person> {
  const { page, errors } = await openWithWallets(browser, width);
  let count = 0;
  await page.exposeFunction('countClick', () => void count++);
  // A submit button that the Enter key presses sends a click, too, without a mouse.
  await page.addInitScript(
    "addEventListener('click', (event) => event.isTrusted && event.detail > 0 && window.countClick(), true)",
  );
  await page.goto(`${stand.url}/signin?to=/dashboard/account`);
  await page
    .getByRole('button', { name: /Test Wallet/ })
    .first()
    .click();
  await page.waitForURL(`${stand.url}/dashboard/account`);
  await page.goto(stand.url);
  count = 0;
  return { page, errors, clicks: () => count };
}

/** By the search of the front page, with the Enter key. */
async function openListing(page: Page, server: string): Promise<void> {
  await page.getByRole('searchbox').first().fill(server);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/marketplace\?/);
  const name = server.split('/').at(-1) as string;
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** The answer, its trace, and a receipt that the service has signed. */
async function proveAnswer(page: Page, text: RegExp): Promise<void> {
  await page.getByRole('heading', { name: 'Result', exact: true }).waitFor();
  await page.getByText(text).first().waitFor();
  assert.ok(await page.getByRole('link', { name: 'Trace' }).first().isVisible());
  const receipt = await page.getByRole('link', { name: 'Receipt' }).first().getAttribute('href');
  const { status } = await stand.world.fetch(`/api${receipt}`);
  assert.equal(status, 200);
}

test('anonymous server: a first answer with its receipt in three clicks', { skip: SKIP }, async () => {
  const { page, errors, clicks } = await newPerson();
  await openListing(page, OPEN_SERVER);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('heading', { level: 1, name: 'tide_at' }).waitFor();
  await page.getByText('Connection created.').waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.getByLabel('harbour').fill('Husum');
  await page.getByRole('button', { name: 'Call' }).click();
  await proveAnswer(page, /High water at noon in Husum/);
  assert.equal(clicks(), 3);

  await openAgain(page);
  assert.equal(
    await page.getByText('You are connected to this server.').count(),
    1,
    'no second connection by accident',
  );
  assert.deepEqual(errors, []);
  await page.context().close();
});

async function openAgain(page: Page): Promise<void> {
  await page.goto(stand.url);
  await openListing(page, OPEN_SERVER);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('heading', { level: 1, name: /^Connect / }).waitFor();
  assert.deepEqual(await violationsOf(page), []);
}

test('server that needs a key: the same with one form more, at 390 px', { skip: SKIP }, async () => {
  const { page, errors, clicks } = await newPerson(390);
  await openListing(page, KEYED_SERVER);
  const listing = page.url();
  await page.getByRole('link', { name: 'Connect' }).first().click();
  const dialog = page.getByRole('dialog', { name: /^Connect / });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // The link has the focus again.
  await page.keyboard.press('Enter');
  await page.getByLabel(/X-Api-Key/).fill('another key');
  await page.keyboard.press('Enter');
  await page.getByText(/The server refused the secrets\. .* Nothing was created\./).waitFor();
  const made = () =>
    stand.world.database.db.selectFrom('connections').select('id').where('external_id', '=', KEYED_SERVER);
  assert.deepEqual(await made().execute(), []);
  await page.getByLabel(/X-Api-Key/).fill(API_KEY);
  assert.equal(await dialog.isVisible(), true);
  assert.equal(page.url(), listing);
  assert.deepEqual(await violationsOf(page), []);
  assert.equal(await isTooWide(page), false);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('heading', { level: 1, name: 'free_berths' }).waitFor();
  await page.getByLabel('harbour').fill('Husum');
  await page.getByRole('button', { name: 'Call' }).click();
  await proveAnswer(page, /Three free berths in Husum/);
  assert.equal(await isTooWide(page), false);
  // The wallet that signed in also signs that the key is stored, in its dialog.
  assert.equal(clicks(), 3 + 1);
  assert.deepEqual(errors, []);
  await page.context().close();
});
