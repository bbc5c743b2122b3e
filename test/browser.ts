import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';

/** Debian's Chromium on the pages of a running service. */

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Null where there is none: then page tests are skipped, saying so. `CHROMIUM` names another. */
const chromiumPath = (): string | null =>
  [process.env.CHROMIUM ?? '', ...PLACES].find((path) => path !== '' && existsSync(path)) ?? null;

/** A browser takes both cores for minutes: it has its own command. */
export const SKIP: string | false =
  chromiumPath() === null
    ? 'there is no Chromium here: apt-get install chromium'
    : process.env.CAPSTAN_TEST_PAGES !== 'on' && 'pages are looked at by npm run pages';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath() as string, args: FLAGS });

export interface Look {
  width: number;
  scheme: 'light' | 'dark';
  /** Of a signed-in reader. */
  token?: string;
}

/** What went wrong on a page beside what a test looks for. */
interface Seen {
  page: Page;
  /** Console errors, uncaught errors, refusals of the policy. */
  errors: string[];
  /** Requests that left the service. */
  strangers: string[];
}

export async function openPage(browser: Browser, url: string, { width, scheme, token }: Look): Promise<Seen> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  const { origin } = new URL(url);
  if (token !== undefined)
    await context.addCookies([{ name: 'capstan-token', value: token, url: origin, httpOnly: true, sameSite: 'Lax' }]);
  const page = await context.newPage();
  const seen: Seen = { page, errors: [], strangers: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) seen.errors.push(message.text());
  });
  page.on('pageerror', (error) => seen.errors.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) seen.strangers.push(request.url());
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  return seen;
}

/** A signed form is sent unsigned, and refused, until its script is awake. */
export async function pressAwake(button: Locator): Promise<void> {
  await button.waitFor();
  const form = button.locator('xpath=ancestor::form[@data-island="signed"]');
  if ((await form.count()) > 0) await form.and(button.page().locator('[data-state="ready"]')).waitFor();
  await button.click();
}

/** What axe finds, by rule and place. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Over the tools' own channel: the page's policy lets in no script but its own.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: it stands in the page.
    const { violations } = await (globalThis as any).axe.run();
    return violations as { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[];
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id} at ${node.target.join(' ')}: ${node.failureSummary}`),
  );
}

/** Whether one has to scroll to the side. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth') as Promise<boolean>;
