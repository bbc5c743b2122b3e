import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Item } from '#catalog/items/item.ts';
import { openBrowser, SKIP } from '../browser.ts';
import { exampleItem } from '../example-items.ts';
import { takePicture, takeWalk } from '../picture.ts';
import { DIFF, openRunsStand } from '../runs-stand.ts';
import { until } from '../until.ts';

/** The pictures of the README: real pages of a service with listings of ours, in docs/images. */

if (SKIP !== false) {
  process.stderr.write(`${SKIP}\n`);
  process.exit(1);
}

const SEARCH = '/api/marketplace/listings?search=tides';

const tides = { name: 'Tides', homepage: 'https://github.com/harbour-example/tides' };
const LISTINGS: readonly Partial<Item>[] = [
  {
    ...tides,
    description: 'High and low water of every harbour, as a tool.',
    downloads: 48_210,
    stars: 912,
    external_id: '@harbour-example/tides',
  },
  {
    ...tides,
    provider_id: 'mcp-registry',
    external_id: 'io.github.harbour-example/tides',
    version: '2.1.0',
    author: 'io.github.harbour-example',
  },
  { ...tides, provider_id: 'glama', external_id: 'harbour-example/tides' },
  { name: 'chart-room', description: 'Draws nautical charts from open data.', downloads: 31_877, tags: ['maps'] },
  { name: 'log-book', description: 'Keeps a ship’s log and searches it.', downloads: 22_904, provider_id: 'docker' },
  {
    name: 'knots',
    description: 'Chooses a knot for a purpose and explains it.',
    downloads: 17_455,
    ...promptOf('clawhub'),
  },
  {
    name: 'harbour-desk',
    description: 'Answers mail to a harbour office.',
    downloads: 9_310,
    ...promptOf('skills-sh'),
  },
  { name: 'signal-flags', description: 'Reads and writes the code of signals.', downloads: 6_021, tags: ['text'] },
  {
    name: 'lock-keeper',
    description: 'Opening hours of locks and bridges.',
    downloads: 2_164,
    provider_id: 'mcp-registry',
  },
];

const items = LISTINGS.map((listing, at) => exampleItem(at, { author: 'harbour-example', ...listing }));
// As the pages of `npm start` name it.
const stand = await openRunsStand(items, { PUBLIC_URL: 'http://127.0.0.1:8080' });
const { url } = await stand.world.listen();
const listing = await mergedId();
const run = await stand.runSkill('json-diff', DIFF);
const browser = await openBrowser();
await until('the example of the front page', async () => {
  const { html } = await stand.open('/');
  return html.includes('Signature valid');
});
await takePicture(browser, { name: 'home', url: `${url}/`, scheme: 'light' });
await takePicture(browser, { name: 'capability', url: `${url}/marketplace/${listing}`, scheme: 'dark' });
const { token } = stand.account;
await takePicture(browser, { name: 'run', url: `${url}/runs/${run}`, scheme: 'light', token });
const scrollTo = (heading: string) => async (page: Page) =>
  page.getByRole('heading', { name: heading, exact: true }).scrollIntoViewIfNeeded();
await takeWalk(browser, { url: `${url}/`, token }, [
  async (page) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('json-diff');
    await page.getByRole('dialog').getByRole('link', { name: 'json-diff' }).first().waitFor();
  },
  (page) => page.goto(`${url}/skills/json-diff`),
  scrollTo('Run it here'),
  async (page) => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Completed').first().waitFor();
  },
  async (page) => {
    await page.getByRole('button', { name: 'Verify on this page' }).click();
    await page.getByText(/^Valid: signed with key/).waitFor();
    await page.evaluate('document.querySelector(".verify output").scrollIntoView({ block: "end" })');
    await page.mouse.wheel(0, 40);
  },
]);
await browser.close();
await stand[Symbol.asyncDispose]();
process.exit();

function promptOf(provider_id: Item['provider_id']): Partial<Item> {
  return { provider_id, listing_type: 'skill', execution_class: 'prompt' };
}

/** Of the one that three providers list. */
async function mergedId(): Promise<string> {
  for (;;) {
    const { items } = await stand.api<{ items: { id: string; sources: unknown[] }[] }>('GET', SEARCH);
    const merged = items.find(({ sources }) => sources.length === 3);
    if (merged !== undefined) return merged.id;
    await sleep(50);
  }
}
