import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { addToken } from '#accounts/email/email-tokens.ts';
import { systemClock } from '#core/clock/clock.ts';
import { createPasswords } from '#core/crypto/passwords.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { isTooWide, openBrowser, openPage, pressAwake, SKIP, violationsOf } from './browser.ts';
import { GATE_PATHS, OWN_PATHS, type OwnPagesStand, openOwnPagesStand } from './own-pages-stand.ts';
import { HOSTILE_WALLET, openWithWallets, type WalletPage } from './page-wallets.ts';

/** The sign-in and the dashboard in Chromium, with wallets whose keys are out here. The whole matrix: soak pages. */

let stand: OwnPagesStand;
let browser: Browser;
let url: string;

before(async () => {
  if (SKIP !== false) return;
  stand = await openOwnPagesStand(systemClock, 'serve');
  ({ url } = stand);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stand?.[Symbol.asyncDispose]();
});

function connectionAt(address: string) {
  const id = new URL(address).pathname.split('/')[3] as string;
  const { db } = stand.oauth.world.database;
  return db.selectFrom('connections').select(['id', 'tools_pinned_at']).where('id', '=', id).executeTakeFirstOrThrow();
}

const press = (page: Page, name: string | RegExp): Promise<void> =>
  pressAwake(page.getByRole('button', { name }).first());

async function signIn({ page }: WalletPage, wallet: RegExp, to: string): Promise<void> {
  await page.goto(`${url}/signin?to=${encodeURIComponent(to)}`);
  await press(page, wallet);
  await page.waitForURL(`${url}${to}`);
}

test('the page of an emailed link removes the code from the address bar and confirms with the password', {
  skip: SKIP,
}, async () => {
  const [email, password] = ['grace@example.org', 'correct horse battery'];
  const link = {
    purpose: 'register',
    email,
    password_hash: await createPasswords().hash(password, OWN_SHARE),
  } as const;
  const code = await addToken(stand.oauth.world.database.db, link, Date.now());
  const { page, errors } = await openPage(browser, `${url}/auth/email#verify=${code}`, { width: 360, scheme: 'dark' });
  assert.equal(page.url(), `${url}/auth/email`);
  assert.deepEqual(await violationsOf(page), []);
  assert.equal(await page.evaluate('document.activeElement.name'), 'password');
  assert.deepEqual(await page.locator('main form:visible button').allTextContents(), ['Confirm address']);
  assert.equal(await page.getByLabel('Code from the link').first().isVisible(), false);
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByText('Email address confirmed.').waitFor();
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('every page of the sign-in and the dashboard has no axe violations in both themes', { skip: SKIP }, async () => {
  const { token } = stand.account;
  for (const path of [...GATE_PATHS, ...OWN_PATHS, stand.connection]) {
    const who = GATE_PATHS.includes(path) ? {} : { token };
    const { page, errors } = await openPage(browser, `${url}${path}`, { width: 390, scheme: 'light', ...who });
    const light = await violationsOf(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual([light, await violationsOf(page), errors, await isTooWide(page)], [[], [], [], false], path);
    await page.context().close();
  }
});

test('a message with a name in it stays one paragraph, and an emailed link shows no form without its code', {
  skip: SKIP,
}, async () => {
  const { page } = await openPage(browser, `${url}/signin/link`, { width: 1_280, scheme: 'light' });
  await page.getByLabel('Email address').fill('ada@example.org');
  await press(page, 'Send link');
  const message = page.locator('p.said');
  const name = message.getByText('outbox', { exact: true });
  const [whole, word] = [await message.boundingBox(), await name.boundingBox()];
  assert.ok((word?.width ?? 1_000) < (whole?.width ?? 0) / 2, 'the name is no row of its own');
  await page.goto(`${url}/auth/email`);
  assert.equal(await page.locator('main form:visible').count(), 0);
  await page.context().close();
});

test('with an Ethereum wallet: sign in, create a key, link a wallet, connect, repair and call a server, sign out', {
  skip: SKIP,
}, async () => {
  const open = await openWithWallets(browser);
  const { page, errors } = open;
  const { fake } = stand.oauth;
  await page.goto(`${url}/signin`);
  await press(page, HOSTILE_WALLET);
  await page.getByText('The wallet did not sign. Nothing was changed.').waitFor();
  assert.equal(await page.locator('.wallets img[src^="http"]').count(), 0, 'pictures are data');
  assert.deepEqual(await violationsOf(page), []);
  await signIn(open, /Test Wallet/, '/dashboard/keys');

  await page.getByLabel('Name', { exact: true }).fill('nightly build');
  await press(page, 'Create key');
  const key = await page.locator('.said code').textContent();
  const session = await fetch(`${url}/api/auth/session`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(session.status, 200, 'the key that is shown does');
  assert.equal(await page.evaluate('document.activeElement.id'), 'main');

  await page.goto(`${url}/dashboard/account`);
  await page.getByText('Link a wallet', { exact: true }).first().click();
  await press(page, 'Link wallet');
  await press(page, /Test Sun/);
  await page.getByText('Choose a wallet to sign with.').waitFor();
  await press(page, /Test Wallet/);
  await page.getByText(`Linked: ${open.solana.address}`).waitFor();

  await page.goto(`${url}/dashboard/connections`);
  await page.getByLabel('Address or listing').fill(fake.mcp.url);
  await press(page, 'Connect');
  await page.getByText('Token issuer').waitFor();
  await page.reload();
  await page.getByText('Token issuer').waitFor();
  const { connections } = await stand.oauth.world.database.db
    .selectFrom('connections')
    .select((eb) => eb.fn.countAll<number>().as('connections'))
    .where('user_id', 'not in', [stand.account.user.id])
    .executeTakeFirstOrThrow();
  assert.equal(Number(connections), 1, 'a reload makes no second connection');
  assert.deepEqual(await violationsOf(page), []);
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.getByText('Signed in to the server.').waitFor();
  assert.match(page.url(), /\/tools\//, 'a tool to begin with');
  await page.reload();
  fake.revokeAll();
  await press(page, 'Call');
  await page.getByRole('heading', { name: 'Sign-in required' }).waitFor();
  const { id, tools_pinned_at } = await connectionAt(page.url());
  // One press: nobody is asked again for what they allowed before.
  await press(page, 'Repair');
  await page.getByText('Signed in to the server.').waitFor();
  assert.deepEqual(
    await connectionAt(page.url()),
    { id, tools_pinned_at },
    'the same connection with its accepted tools',
  );
  await press(page, 'Run again');
  await page.getByRole('heading', { name: 'Result', exact: true }).waitFor();
  assert.deepEqual(await violationsOf(page), []);

  await page.goto(`${url}/dashboard/endpoints`);
  await page.getByLabel('Name', { exact: true }).fill('laptop');
  await press(page, 'Create endpoint');
  await page.goto(`${url}/dashboard/connections`);
  await page.getByRole('navigation', { name: 'Client' }).getByRole('link', { name: 'Cursor' }).click();
  await page.getByText(`capstan --url ${url} install --mine --client cursor`).waitFor();
  assert.match((await page.locator('.endpoint').textContent()) ?? '', /[1-9] tools? from 1 server (is|are) on\./);
  assert.match((await page.locator('li.server').textContent()) ?? '', /Ready.*([1-9]) of \1/s);
  for (const [width, colorScheme] of [
    [1_280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    assert.deepEqual([await violationsOf(page), await isTooWide(page)], [[], false]);
  }

  await page.goto(`${url}/dashboard/sessions`);
  await press(page, 'Sign out here');
  await page.getByText('You are signed out.').waitFor();
  assert.equal(await page.evaluate('localStorage.length'), 0);
  // The one refusal is what the call without a sign-in answers.
  assert.deepEqual(
    errors.filter((error) => !/status of 409/.test(error)),
    [],
  );
  await page.context().close();
});

test('with a Solana wallet at 360 px: harness versions are saved, and memory is edited, restored and redacted', {
  skip: SKIP,
}, async () => {
  const open = await openWithWallets(browser, 360);
  const { page, errors } = open;
  await signIn(open, /Test Sun/, '/dashboard/harnesses');
  await page
    .getByLabel('HARNESS.md')
    .fill('---\nname: notes\ndescription: Writes notes. Use it before a release.\n---\n\n# Notes\n');
  await press(page, 'Save');
  await press(page, /^Open$/);
  await page.getByText('New version', { exact: true }).click();
  await page.getByLabel('What changed').fill('The present tense');
  await page
    .getByLabel('HARNESS.md')
    .fill('---\nname: notes\ndescription: Writes notes. Use it daily.\n---\n\n# Notes\n');
  assert.deepEqual(await violationsOf(page), []);
  assert.equal(await isTooWide(page), false);
  await press(page, 'Save new version');
  await page.getByText('Saved as version 2.').waitFor();
  await page.getByLabel('Path of a new memory').fill('style/tense.md');
  await press(page, 'Write');
  for (const [text, version] of [
    ['<script>alert(1)</script> past', 1],
    ['present', 2],
  ] as const) {
    await page.getByLabel('Text').fill(text);
    await press(page, 'Save');
    await page.getByText(`Saved as version ${version}.`).waitFor();
  }
  await press(page, 'Versions');
  await press(page, 'Restore version 1');
  await page.getByText('Version 1 restored as version 3.').waitFor();
  await page.goto(`${url}/dashboard/harnesses/notes`);
  await page.getByLabel('Search memory').fill('past');
  await press(page, 'Search');
  await page.getByText('alert(1)').waitFor();
  assert.equal(await isTooWide(page), false);
  assert.deepEqual(await violationsOf(page), []);
  await page.getByRole('button', { name: 'Read' }).click();
  assert.equal(await page.getByLabel('Text').inputValue(), '<script>alert(1)</script> past');
  assert.match(page.url(), /\/dashboard\/harnesses\/notes\/memory\/style\/tense\.md$/);
  await page.getByText('Permanently remove this content').click();
  await page.getByLabel('Reason').fill('A key stood there');
  assert.deepEqual(await violationsOf(page), []);
  await press(page, 'Remove the content of version 3');
  await page.getByText('Content of version 3 permanently removed').waitFor();
  await press(page, 'Read');
  await page.getByText('A key stood there').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'notes', level: 1 }).waitFor();
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('a form that needs a signature reports that the browser has no wallet', { skip: SKIP }, async () => {
  const { page, errors } = await openPage(browser, `${url}/dashboard/account`, {
    width: 320,
    scheme: 'dark',
    token: stand.account.token,
  });
  await press(page, 'Show my profile');
  await page.getByText('No wallet found in this browser.').waitFor();
  assert.equal(await isTooWide(page), false);
  assert.deepEqual([await violationsOf(page), errors], [[], []]);
  await page.context().close();
});
