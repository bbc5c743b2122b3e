import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { defined } from '#core/defined.ts';
import { animated } from './animated.ts';
import { openPage } from './browser.ts';

/** Screenshots for the README, in docs/images. */

const IMAGES = new URL('../docs/images/', import.meta.url);
const MOST_BYTES = 150 * 1_024;

interface Picture {
  name: string;
  url: string;
  scheme: 'light' | 'dark';
  /** Of a signed-in user. */
  token?: string;
  /** Height of the window in pixels. */
  height?: number;
}

export async function takePicture(browser: Browser, { name, url, scheme, token, height }: Picture): Promise<void> {
  const { page } = await openPage(browser, url, { width: 1_280, scheme, ...defined({ token }) });
  if (height !== undefined) await page.setViewportSize({ width: 1_280, height });
  const tools = await page.context().newCDPSession(page);
  const { data } = await tools.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
  store(`${name}.webp`, Buffer.from(data, 'base64'), MOST_BYTES);
}

const WALK = { width: 1_024, height: 640 };
const MOST_WALK_BYTES = 700 * 1_024;
const STEP_MS = 2_500;

/** A walk through the pages as one animated picture. Each step leaves the page as it is to be shown. */
export async function takeWalk(
  browser: Browser,
  { url, token }: Pick<Picture, 'url' | 'token'>,
  steps: readonly ((page: Page) => Promise<unknown>)[],
): Promise<void> {
  const { page } = await openPage(browser, url, { width: WALK.width, scheme: 'light', ...defined({ token }) });
  await page.setViewportSize(WALK);
  const seen: Buffer[] = [];
  for (const step of steps) {
    await step(page);
    await page.waitForLoadState('networkidle');
    seen.push(await page.screenshot({ caret: 'hide' }));
  }
  await page.context().close();
  store('walk.png', animated(seen, STEP_MS), MOST_WALK_BYTES);
}

function store(name: string, picture: Buffer, most: number): void {
  if (picture.byteLength > most) throw new Error(`${name} has ${picture.byteLength} bytes`);
  mkdirSync(IMAGES, { recursive: true });
  writeFileSync(new URL(name, IMAGES), picture);
  process.stdout.write(`docs/images/${name} ${picture.byteLength} bytes\n`);
}
