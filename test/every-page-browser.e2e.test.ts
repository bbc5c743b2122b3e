import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { defined } from '#core/defined.ts';
import { openBrowser, openPage, SKIP, violationsOf } from './browser.ts';
import { everyPage, type PlacedPage } from './every-page.ts';

/** Every page of the list, of visitors, users and operators: axe in both themes, and the page without scripts. */

test('no page has axe violations in either theme, and each has its title and its forms without scripts', {
  skip: SKIP,
  timeout: 1_200_000,
}, async () => {
  const browser = await openBrowser();
  const found: string[] = [];
  for await (const place of everyPage()) {
    const isExhibition = place.path === '/-/style';
    const problems = [
      ...(await inBothThemes(browser, place)),
      // Its buttons are samples.
      ...(isExhibition ? [] : await withoutScripts(browser, place)),
    ];
    found.push(...problems.map((problem) => `${place.name}: ${problem}`));
  }
  await browser.close();
  assert.deepEqual(found, []);
});

const tokenOf = ({ is_own, token }: PlacedPage) => defined({ token: is_own ? token : undefined });

async function inBothThemes(browser: Browser, place: PlacedPage): Promise<string[]> {
  const look = { width: 1_280, scheme: 'light', ...tokenOf(place) } as const;
  const { page } = await openPage(browser, `${place.origin}${place.path}`, look);
  const light = await violationsOf(page);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const dark = await violationsOf(page);
  await page.context().close();
  return [...light.map((text) => `light: ${text}`), ...dark.map((text) => `dark: ${text}`)];
}

/** What only a script can do is hidden, or says so in a `noscript`, so that what is shown works. */
async function withoutScripts(browser: Browser, { origin, path, ...place }: PlacedPage): Promise<string[]> {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 900 } });
  const { token } = tokenOf({ origin, path, ...place });
  if (token !== undefined)
    await context.addCookies([{ name: 'capstan-token', value: token, url: origin, httpOnly: true, sameSite: 'Lax' }]);
  const page = await context.newPage();
  const answer = await page.goto(`${origin}${path}`);
  const problems = await brokenOn(page);
  await context.close();
  return (answer?.status() ?? 500) < 500 ? problems : [`status ${answer?.status()}`];
}

async function brokenOn(page: Page): Promise<string[]> {
  const problems: string[] = [];
  if ((await page.getByRole('heading', { level: 1 }).count()) !== 1) problems.push('without scripts: not one title');
  const dead = page.locator('main button:visible:not([type="submit"]):not(form button:not([type]))');
  for (const button of await dead.all())
    problems.push(`without scripts: a button that does nothing: ${await button.textContent()}`);
  const stuck = page.locator(
    'main form:visible:not(:has(button:not([type="button"]), input[type="submit"], noscript))',
  );
  if ((await stuck.count()) > 0) problems.push('without scripts: a form without a button');
  return problems;
}
