import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { systemClock } from '#core/clock/clock.ts';
import { accountsOf } from './accounts.ts';
import { isTooWide, openBrowser, pressAwake, SKIP, violationsOf } from './browser.ts';
import { freePort } from './free-port.ts';
import { openWorld, type World } from './world.ts';

/** An account without a wallet in Chromium: its browsers keep device keys, add each other, and revoke each other. */

let world: World;
let browser: Browser;
let url: string;
let token: string;

before(async () => {
  if (SKIP !== false) return;
  // Pages call the API only at the address that the service knows.
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  world = await openWorld({ PORT: `${port}`, PUBLIC_URL: url });
  await world.listen();
  ({ token } = await (await accountsOf(world, systemClock, url)).signUp({ wallet: false }));
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await world?.close();
});

const IDLE = { waitUntil: 'networkidle' } as const;

interface Device {
  page: Page;
  context: BrowserContext;
  errors: string[];
}

/** A browser of the same user, with separate storage. */
async function newDevice(width: number): Promise<Device> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
  await context.addCookies([{ name: 'capstan-token', value: token, url, httpOnly: true, sameSite: 'Lax' }]);
  const page = await context.newPage();
  context.setDefaultTimeout(15_000);
  const errors: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', (error) => errors.push(error.message));
  return { page, context, errors };
}

const press = (page: Page, name: string): Promise<void> =>
  pressAwake(page.getByRole('button', { name, exact: true }).first());

/** A device that nobody knows asks to be added, and another one rejects it. */
async function rejectThird(page: Page): Promise<void> {
  const third = await newDevice(360);
  await third.page.goto(`${url}/dashboard/account`, IDLE);
  await third.page.getByLabel('Name of this device').fill('Thief');
  await press(third.page, 'Use this device');
  await third.page.getByText('Confirm it with another device or your wallet.').waitFor();
  await page.goto(`${url}/dashboard/account`, IDLE);
  await press(page, 'Reject');
  await page.getByText('Device rejected. If you did not request it, change your password.').waitFor();
  assert.equal(await page.getByText('Thief').count(), 0);
  assert.deepEqual(third.errors, []);
  await third.context.close();
  await page.locator('[data-status="active"] .this-device:visible').waitFor();
}

test('a device key makes API keys without a wallet, a second device waits for the first, and a revoked one is refused', {
  skip: SKIP,
}, async () => {
  const first = await newDevice(1_280);
  const { page } = first;
  await page.goto(`${url}/dashboard/keys`, IDLE);
  assert.deepEqual(await violationsOf(page), []);
  await page.getByLabel('Name of this device').fill('Laptop');
  await press(page, 'Use this device');
  await page.getByLabel('Name', { exact: true }).fill('nightly build');
  await press(page, 'Create key');
  const key = await page.locator('.said code').textContent();
  const session = await fetch(`${url}/api/auth/session`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(session.status, 200);
  // The private half never leaves the browser.
  const leak = await page.evaluate(`new Promise((done) => {
    const request = indexedDB.open('capstan-device-keys');
    request.onsuccess = () => {
      const all = request.result.transaction('keys').objectStore('keys').getAll();
      all.onsuccess = () => crypto.subtle.exportKey('pkcs8', all.result[0].key).then(() => done('exported'), (error) => done(error.name));
    };
  })`);
  assert.equal(leak, 'InvalidAccessError');

  const second = await newDevice(360);
  await second.page.goto(`${url}/dashboard/account`, IDLE);
  await second.page.getByLabel('Name of this device').fill('Phone');
  await press(second.page, 'Use this device');
  await second.page.getByText('Confirm it with another device or your wallet.').waitFor();
  assert.equal(await isTooWide(second.page), false);
  assert.deepEqual(await violationsOf(second.page), []);
  await second.page.goto(`${url}/dashboard/keys`, IDLE);
  await press(second.page, 'Show my keys');
  await second.page.getByText('No wallet found in this browser.').waitFor();

  await page.goto(`${url}/dashboard`);
  await page.getByText('A device asks to be added to your account.').waitFor();
  await page.getByRole('link', { name: 'Confirm or reject it' }).click();
  await page.waitForLoadState('networkidle');
  assert.deepEqual(await violationsOf(page), []);
  await press(page, 'Confirm');
  await page.getByText('Device added.').waitFor();

  await second.page.goto(`${url}/dashboard/account`, IDLE);
  await second.page.locator('[data-status="active"] .this-device:visible').waitFor();
  const laptop = second.page.locator('li[data-address]').filter({ hasText: 'Laptop' });
  await laptop.getByLabel('Name').fill('Old Laptop');
  await pressAwake(laptop.getByRole('button', { name: 'Rename' }));
  await second.page.getByText('Device renamed.').waitFor();
  await second.page.locator('h3').filter({ hasText: 'Old Laptop' }).waitFor();
  await rejectThird(second.page);
  await pressAwake(laptop.getByRole('button', { name: 'Revoke' }));
  await second.page.getByText('Device revoked.').waitFor();

  await page.goto(`${url}/dashboard/keys`, IDLE);
  await press(page, 'Show my keys');
  await page.getByText('not one of your account').waitFor();
  assert.deepEqual(
    [...first.errors, ...second.errors].filter((error) => !/status of 40[13]/.test(error)),
    [],
  );
  await Promise.all([first.context.close(), second.context.close()]);
});
