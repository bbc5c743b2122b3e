import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { defined } from '#core/defined.ts';
import { encodePng, type Pixels } from '../web/picture/png.ts';
import { openBrowser, openPage, SKIP } from './browser.ts';
import { everyPage, type PlacedPage } from './every-page.ts';
import { cellsOf, differences, fromSheet, rounded, sheetOf, tinted } from './pictures/cells.ts';
import { readPng } from './pictures/read-png.ts';
import { hold } from './pictures/still.ts';

/**
 * Pictures of every page in four sizes and both themes, compared with the stored ones. `npm run pages -- accept` stores those of
 * now, or of the pages whose names contain a word: `npm run pages -- accept dashboard`. `compare` in its place compares those alone.
 */

const STORED = new URL('./pictures/stored/', import.meta.url);
/** What was seen in place of a stored picture, at its full size, with what differs in colour. Git ignores it. */
const CHANGED = new URL('../pages-changed/', import.meta.url);
const WIDTHS = [390, 768, 1_280, 1_600];
const LOOKS = (['light', 'dark'] as const).flatMap((scheme) => WIDTHS.map((width) => ({ scheme, width })));

const IS_ACCEPTED = process.env.CAPSTAN_PICTURES === 'accept';
/** Words of names; all pages without any. */
const WORDS = (process.env.CAPSTAN_PICTURED ?? '').split(',').filter((word) => word !== '');
const isAsked = ({ name }: PlacedPage): boolean =>
  WORDS.length === 0 || WORDS.some((word) => name.includes(word) || fileName(name).includes(word));

test('no page looks different from its stored picture', { skip: SKIP, timeout: 1_800_000 }, async () => {
  if (!IS_ACCEPTED) rmSync(CHANGED, { recursive: true, force: true });
  const browser = await openBrowser();
  const changed: string[] = [];
  for await (const place of everyPage()) {
    if (!isAsked(place)) continue;
    const { page } = await openPage(browser, `${place.origin}${place.path}`, {
      width: 390,
      scheme: 'light',
      ...defined({ token: place.is_own ? place.token : undefined }),
    });
    await hold(page);
    const seen = await looksOf(page);
    await page.context().close();
    if (!IS_ACCEPTED) changed.push(...compared(place.name, seen));
    else writeFileSync(storedAt(place.name), encodePng(rounded(sheetOf(seen.map(cellsOf)))));
  }
  await browser.close();
  const how =
    'Look at them in pages-changed, then mend the pages or run: npm run pages -- accept <words of their names>';
  assert.equal(changed.length, 0, `${changed.join('\n')}\n${how}`);
});

/** The part of long pages that is pictured, in pixels. */
const MOST_HEIGHT = 4_000;

async function looksOf(page: Page): Promise<Pixels[]> {
  const tools = await page.context().newCDPSession(page);
  const seen: Pixels[] = [];
  for (const { width, scheme } of LOOKS) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    const whole = Number(await page.evaluate('document.documentElement.scrollHeight'));
    const clip = { x: 0, y: 0, width, height: Math.min(MOST_HEIGHT, whole), scale: 1 };
    const shot = { format: 'png', clip, captureBeyondViewport: true, optimizeForSpeed: true } as const;
    const { data } = await tools.send('Page.captureScreenshot', shot);
    seen.push(readPng(Buffer.from(data, 'base64')));
  }
  return seen;
}

/** What changed, with the files that show it. */
function compared(name: string, seen: readonly Pixels[]): string[] {
  const stored = storedAt(name);
  if (!existsSync(stored)) return [`${name}: no stored picture`];
  const cells = seen.map(cellsOf);
  const before = fromSheet(
    readPng(readFileSync(stored)),
    cells.map(({ width }) => width),
  );
  return LOOKS.flatMap(({ width, scheme }, at) => {
    const different = differences(before[at] as Pixels, cells[at] as Pixels);
    if (different.length === 0) return [];
    mkdirSync(CHANGED, { recursive: true });
    const file = `${fileName(name)}-${width}-${scheme}.png`;
    writeFileSync(new URL(file, CHANGED), encodePng(tinted(seen[at] as Pixels, different), 4));
    return [`${name} at ${width} px, ${scheme}: ${different.length} cells, pages-changed/${file}`];
  });
}

const fileName = (name: string): string =>
  name
    .replace(/[^\w.]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase() || 'home';

function storedAt(name: string): URL {
  mkdirSync(STORED, { recursive: true });
  return new URL(`${fileName(name)}.png`, STORED);
}
