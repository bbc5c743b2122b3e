import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { defined } from '#core/defined.ts';
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
  const picture = Buffer.from(data, 'base64');
  if (picture.byteLength > MOST_BYTES) throw new Error(`${name} has ${picture.byteLength} bytes`);
  mkdirSync(IMAGES, { recursive: true });
  writeFileSync(new URL(`${name}.webp`, IMAGES), picture);
  process.stdout.write(`docs/images/${name}.webp ${picture.byteLength} bytes\n`);
}
