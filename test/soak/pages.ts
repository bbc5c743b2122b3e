import { isTooWide, openBrowser, openPage, SKIP, violationsOf } from '../browser.ts';
import { openMarketplacePages } from '../marketplace-pages.ts';
import { GATE_PATHS, OWN_PATHS, openOwnPagesStand } from '../own-pages-stand.ts';
import { PATHS } from '../pages-stand.ts';
import { openRunsStand } from '../runs-stand.ts';

/**
 * Every page, signed out and in, light and dark, wide, at 360 px and at 320 px: axe, the console, requests that leave.
 * Then the largest contentful paint of the first page, with the processor slowed down four times.
 */

if (SKIP !== false) {
  process.stderr.write(`${SKIP}\n`);
  process.exit(1);
}

const MOST_PAINT_MS = 1_000;
/** Each in a browser that has seen nothing yet; the least counts: a busy machine does not make it more. */
const PAINTS = 7;
const stand = await openRunsStand();
const { url } = await stand.world.listen();
const browser = await openBrowser();
let [looked, failed] = [0, 0];

for (const path of [...PATHS, ...(await stand.paths()), '/nothing/here'])
  for (const token of [undefined, stand.account.token]) await look(url, path, token);

const own = await openOwnPagesStand();
await own.oauth.signIn(own.owner);
const connections = [own.connection, `/dashboard/connections/${own.owner.connection.id}`];
for (const path of GATE_PATHS) await look(own.url, path);
for (const path of [...OWN_PATHS, ...connections, `${connections[1]}/tools/hello`])
  await look(own.url, path, own.account.token);
await own[Symbol.asyncDispose]();

const market = await openMarketplacePages();
const { url: market_url } = await market.world.listen();
for (const path of market.paths)
  for (const token of [undefined, market.account.token]) await look(market_url, path, token);
await market[Symbol.asyncDispose]();

const paints_ms: number[] = [];
for (let round = 0; round < PAINTS; round++) paints_ms.push(await largestPaintMs());
const paint_ms = Math.min(...paints_ms);
process.stdout.write(
  `${looked} looks, ${failed} with something wrong; largest contentful paint ${paint_ms} ms of ${paints_ms.join(', ')}\n`,
);
await browser.close();
await stand[Symbol.asyncDispose]();
process.exit(failed > 0 || paint_ms > MOST_PAINT_MS ? 1 : 0);

async function largestPaintMs(): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto(url, { waitUntil: 'load' });
  const paint_ms = await page.evaluate(`new Promise((done) => new PerformanceObserver((list) =>
    done(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true }))`);
  await context.close();
  return Math.round(Number(paint_ms));
}

async function look(origin: string, path: string, token?: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const)
    for (const width of [1_280, 360, 320]) {
      const signed = token === undefined ? {} : { token };
      const { page, errors, strangers } = await openPage(browser, `${origin}${path}`, { width, scheme, ...signed });
      const told = path === '/nothing/here' ? [] : errors;
      const wrong = [...(await violationsOf(page)), ...told, ...strangers];
      if (await isTooWide(page)) wrong.push('one has to scroll to the side');
      looked += 1;
      failed += wrong.length === 0 ? 0 : 1;
      const who = token === undefined ? 'signed out' : 'signed in';
      for (const it of wrong) process.stdout.write(`${path}, ${who}, ${scheme}, ${width} px: ${it}\n`);
      await page.context().close();
    }
}
