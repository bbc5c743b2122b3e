import { defined } from '#core/defined.ts';
import { isTooWide, type Look, openBrowser, openPage, SKIP, violationsOf } from '../browser.ts';
import { everyPage, NOT_THERE } from '../every-page.ts';

/**
 * Every page, signed out and in, light and dark, wide, at 360 px and at 320 px: axe, the console, requests that leave.
 */

if (SKIP !== false) {
  process.stderr.write(`${SKIP}\n`);
  process.exit(1);
}

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1_280, 360, 320];
const browser = await openBrowser();
let [looked, failed] = [0, 0];
const paths = new Set<string>();

for await (const { origin, path, token, is_own } of everyPage())
  for (const reader of is_own ? [token] : [undefined, token]) await look(origin, path, reader);

process.stdout.write(`${paths.size} pages, ${looked} looks, ${failed} with something wrong\n`);
await browser.close();
process.exit(failed > 0 ? 1 : 0);

/** Its widths at once: a browser waits more than it works. */
async function look(origin: string, path: string, token?: string): Promise<void> {
  paths.add(path);
  const who = token === undefined ? 'signed out' : 'signed in';
  for (const scheme of SCHEMES)
    await Promise.all(
      WIDTHS.map(async (width) => {
        const wrong = await wrongWith(`${origin}${path}`, {
          scheme,
          width,
          ...defined({ token }),
        });
        looked += 1;
        failed += wrong.length === 0 ? 0 : 1;
        for (const fault of wrong) process.stdout.write(`${path}, ${who}, ${scheme}, ${width} px: ${fault}\n`);
      }),
    );
  process.stdout.write(`${path}, ${who}: looked at\n`);
}

async function wrongWith(url: string, look: Look): Promise<string[]> {
  const { page, errors, strangers } = await openPage(browser, url, look);
  // The browser itself logs a missing page to the console.
  const told = url.endsWith(NOT_THERE) ? [] : errors;
  const wrong = [...(await violationsOf(page)), ...told, ...strangers];
  if (await isTooWide(page)) wrong.push('one has to scroll to the side');
  await page.context().close();
  return wrong;
}
