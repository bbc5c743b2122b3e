import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { openBrowser, SKIP } from '../browser.ts';
import { openPagesStand } from '../pages-stand.ts';
import { capstand, freshDir } from '../process/capstand.ts';

/**
 * The cost of the first page in a browser with an empty cache, with the processor slowed down four
 * times: time to the largest contentful paint, how far things move after they are shown, bytes over the line without pictures
 * and fonts. From a service that has answered before, and from one that has just been started and answers its very first page,
 * whose modules are not loaded and files not packed.
 */

if (SKIP !== false) {
  process.stderr.write(`${SKIP}\n`);
  process.exit(1);
}

const MOST_MS = 800;
const MOST_BYTES = 40 * 1_024;
/** Shares of the window that move, times how far. */
const MOST_SHIFT = 0.001;
/** The least time counts: a busy machine does not make it more. */
const ROUNDS = 7;

interface Paint {
  ms: number;
  bytes: number;
  /** Of fonts and pictures. */
  more_bytes: number;
  shift: number;
}

const browser = await openBrowser();
let isGood = true;
const stand = await openPagesStand();
const { url } = await stand.world.listen();
await paintOf(browser, url);
await measure('a service at work', () => paintOf(browser, url));
await stand[Symbol.asyncDispose]();
await measure('the first visit after a start', firstVisit);
await browser.close();
process.exit(isGood ? 0 : 1);

async function measure(name: string, act: () => Promise<Paint>): Promise<void> {
  const paints: Paint[] = [];
  for (let round = 0; round < ROUNDS; round++) paints.push(await act());
  const allMs = paints.map(({ ms }) => ms);
  const most = (of: 'bytes' | 'more_bytes' | 'shift'): number => Math.max(...paints.map((paint) => paint[of]));
  const [ms, bytes, shift] = [Math.min(...allMs), most('bytes'), most('shift')];
  isGood &&= ms <= MOST_MS && bytes <= MOST_BYTES && shift <= MOST_SHIFT;
  process.stdout.write(
    `${name}: largest contentful paint ${ms} ms of ${allMs.join(', ')}; layout shift ${shift}; ${bytes} bytes, and ${most('more_bytes')} of fonts and pictures\n`,
  );
}

async function firstVisit(): Promise<Paint> {
  const DATA_DIR = await freshDir();
  const { child, ended, url: ready } = capstand(['serve'], { DATA_DIR });
  try {
    return await paintOf(browser, await ready());
  } finally {
    if (child.kill('SIGTERM')) await Promise.race([ended, once(child, 'exit')]);
    await rm(DATA_DIR, { recursive: true, force: true });
  }
}

async function paintOf(of: Browser, address: string): Promise<Paint> {
  const context = await of.newContext({ viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  let [bytes, more_bytes] = [0, 0];
  const left = new Set<string>();
  tools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Font' || type === 'Image') left.add(requestId);
  });
  tools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (left.has(requestId)) more_bytes += encodedDataLength;
    else bytes += encodedDataLength;
  });
  await tools.send('Network.enable');
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto(address, { waitUntil: 'networkidle' });
  const ms = await page.evaluate(`new Promise((done) => new PerformanceObserver((list) =>
    done(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true }))`);
  const shift = await page.evaluate(`new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value; })
      .observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => done(sum), 100);
  })`);
  await context.close();
  return { ms: Math.round(Number(ms)), bytes, more_bytes, shift: Number(shift) };
}
