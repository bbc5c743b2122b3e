import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser, pressAwake, SKIP } from './browser.ts';
import { PASSWORD } from './email-stand.ts';
import { type ErrandsStand, openErrandsStand, REPORTED, SERVER } from './errands-stand.ts';
import { openWithWallets } from './page-wallets.ts';
import { until } from './until.ts';

/** Twenty things that a visitor, a user, a publisher and an operator want, each from the front page in few clicks. */

let stand: ErrandsStand;
let browser: Browser;

before(async () => {
  if (SKIP !== false) return;
  stand = await openErrandsStand();
  await stand.publish(await stand.newAccount({}), `tide-house/${SKILL}`);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stand?.[Symbol.asyncDispose]();
});

const SKILL = 'count-words';
const NOTES_MD =
  '---\nname: tide-notes\ndescription: Write notes on tides. Use it for a log.\nlicense: MIT\n---\n\nWrite.\n';

interface Errand {
  who: 'visitor' | 'user' | 'publisher' | 'operator';
  /** As the person would say it. */
  wants: string;
  /** Presses of the mouse, from the front page to the end. */
  clicks: number;
  /** The publisher whose skill `keep-words` is the account's. */
  owns?: string;
  act(page: Page): Promise<void>;
}

const link = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('main').getByRole('link', { name }).first().click();
const menu = (page: Page, name: string): Promise<void> =>
  page.getByRole('banner').getByRole('link', { name, exact: true }).click();
const footer = (page: Page, name: string): Promise<void> =>
  page.getByRole('contentinfo').getByRole('link', { name, exact: true }).click();
const press = (page: Page, name: string | RegExp): Promise<void> =>
  pressAwake(page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).first());
const says = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
const titled = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();

async function search(page: Page, words: string, name: string): Promise<void> {
  await page.getByRole('searchbox').first().fill(words);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/marketplace\?/);
  await link(page, new RegExp(name));
  await titled(page, new RegExp(name));
}

async function runExample(page: Page): Promise<void> {
  await search(page, 'compare two json documents', 'json-diff');
  await press(page, 'Run');
  await says(page, /^Completed/i);
}

async function copied(page: Page): Promise<string> {
  return (await page.evaluate('navigator.clipboard.readText()')) as string;
}

const ERRANDS: readonly Errand[] = [
  {
    who: 'visitor',
    wants: 'to try a skill with its example, without an account',
    clicks: 2,
    act: async (page) => {
      await runExample(page);
      await says(page, /8080/);
    },
  },
  {
    who: 'visitor',
    wants: 'to know who published a skill, and what else they have published',
    clicks: 2,
    act: async (page) => {
      await search(page, SKILL, SKILL);
      await link(page, 'tide-house');
      await titled(page, 'tide-house');
      await says(page, SKILL);
    },
  },
  {
    who: 'visitor',
    wants: 'to search from my own client',
    clicks: 1,
    act: async (page) => {
      await press(page, 'Copy: setup for Claude Code');
      await until('the copied command', async () => (await copied(page)).startsWith('claude mcp add'));
    },
  },
  {
    who: 'visitor',
    wants: 'to know what an error code means and what to do',
    clicks: 3,
    act: async (page) => {
      await menu(page, 'Docs');
      await link(page, 'Error codes');
      await link(page, 'http.invalid');
      await says(page, 'What to do.');
    },
  },
  {
    who: 'visitor',
    wants: 'to see an answer of the API before I write code',
    clicks: 4,
    act: async (page) => {
      await footer(page, 'API reference');
      await link(page, 'GET /api/marketplace/registry/stats');
      const section = page.getByRole('region', { name: 'Get totals and sync status of the registry' });
      await section.locator('summary').getByText('Try it', { exact: true }).click();
      await section.getByRole('button', { name: 'Send GET' }).click();
      await section.getByText(/^200 OK in/).waitFor();
    },
  },
  {
    who: 'visitor',
    wants: 'an account with my email address',
    clicks: 4,
    act: async (page) => {
      await menu(page, 'Sign in');
      await link(page, 'Create an account');
      await page.getByLabel('Email address').fill('nell@example.org');
      await page.getByLabel(/^Password/).fill(PASSWORD);
      await press(page, 'Create account');
      const { raw } = await until('an email', () => stand.mail.received.shift());
      await page.goto(/http:\/\/\S+#verify=[\w-]{43}/.exec(raw)?.[0] as string);
      await page.getByLabel('The password you chose').fill(PASSWORD);
      await press(page, 'Confirm address');
      await page.getByRole('banner').getByRole('link', { name: 'Connections' }).waitFor();
    },
  },
  {
    who: 'visitor',
    wants: 'to verify the receipt of the example run on the front page',
    clicks: 2,
    act: async (page) => {
      await until('the example run', async () => {
        await page.reload();
        return (await page.getByRole('link', { name: 'Receipt' }).count()) > 0;
      });
      await link(page, 'Receipt');
      await press(page, 'Verify on this page');
      await says(page, /^Valid: signed with key/);
    },
  },
  {
    who: 'user',
    wants: 'to run a skill on my own input, with a receipt that I can verify',
    clicks: 3,
    act: async (page) => {
      await search(page, 'compare two json documents', 'json-diff');
      await page.getByLabel('Before').fill('{"port": 80}');
      await page.getByLabel('After').fill('{"port": 81}');
      await press(page, 'Run');
      await says(page, /^Completed/i);
      await press(page, 'Verify on this page');
      await says(page, /^Valid: signed with key/);
    },
  },
  {
    who: 'user',
    wants: 'to show a run to a colleague who has no account',
    clicks: 5,
    act: async (page) => {
      await runExample(page);
      await link(page, 'Share');
      await press(page, 'Create link');
      await press(page, 'Copy: link to the run');
      const at = await until('the copied link', async () => {
        const text = await copied(page);
        return text.startsWith(stand.url) && text;
      });
      const colleague = await browser.newPage();
      await colleague.goto(at);
      await says(colleague, /8080/);
      await colleague.close();
    },
  },
  {
    who: 'user',
    wants: 'to connect a server that has me sign in, and to call its tool',
    clicks: 4,
    act: async (page) => {
      await menu(page, 'Connections');
      await page.getByLabel('Address or listing').fill(stand.oauth.fake.mcp.url);
      await press(page, 'Connect');
      await link(page, 'Continue');
      await says(page, 'Signed in to the server.');
      await press(page, /^Call/);
      await page.getByRole('heading', { name: 'Result', exact: true }).waitFor();
    },
  },
  {
    who: 'user',
    wants: 'the answer of a tool of a server that I found',
    clicks: 3,
    act: async (page) => {
      await search(page, SERVER, SERVER);
      await press(page, 'Connect');
      await titled(page, 'tide_at');
      await page.getByLabel('harbour').fill('Husum');
      await press(page, /^Call/);
      await says(page, 'High water at noon in Husum');
    },
  },
  {
    who: 'user',
    wants: 'an API key for a script',
    clicks: 4,
    act: async (page) => {
      await menu(page, 'Ada');
      await link(page, 'API keys');
      await page.getByLabel('Name').fill('nightly');
      await press(page, 'Create key');
      await says(page, 'Copy the key now.');
      await press(page, 'Copy: the key');
    },
  },
  {
    who: 'user',
    wants: 'to tell the operators that a skill does not work',
    clicks: 3,
    act: async (page) => {
      await search(page, SKILL, SKILL);
      await link(page, 'Report a problem');
      await page.getByLabel('Reason').selectOption('Does not work as described');
      await page.getByLabel(/^What happened/).fill('It counts three words as two.');
      await press(page, 'Send report');
      await says(page, /report.* (sent|received|read)/i);
    },
  },
  {
    who: 'user',
    wants: 'to ask in a sentence for something to run, and to open it',
    clicks: 3,
    act: async (page) => {
      await menu(page, 'Chat');
      await page.getByLabel('Message').fill('find something that profiles a CSV');
      await press(page, 'Send');
      await link(page, 'csv-profile');
      await titled(page, /csv-profile/);
    },
  },
  {
    who: 'publisher',
    wants: 'to publish a skill that I write here',
    clicks: 5,
    act: async (page) => {
      await footer(page, 'Publish');
      await page.getByLabel('SKILL.md').fill(NOTES_MD);
      await press(page, 'Check the text');
      await press(page, 'Continue');
      await page.getByLabel('Your publisher name').fill('tide-writer');
      await press(page, 'Continue');
      await press(page, /^Publish /);
      await says(page, 'Version 1.0.0 of tide-writer/tide-notes is public.');
    },
  },
  {
    who: 'publisher',
    wants: 'to publish the next version, and to see first what changes',
    clicks: 7,
    owns: 'north-pier',
    act: async (page) => {
      await openListing(page, 'New version');
      await page.getByText('Edit SKILL.md').click();
      const text = page.getByLabel('Text of SKILL.md');
      await text.fill(`${await text.inputValue()}\nCount twice.\n`);
      await says(page, 'Nothing to fix.');
      await press(page, 'Continue');
      await page.getByRole('heading', { name: /^What changed since/ }).waitFor();
      await press(page, 'Continue');
      await press(page, /^Publish /);
      await says(page, /^Version \S+ of north-pier\/keep-words is public\./);
    },
  },
  {
    who: 'publisher',
    wants: 'to deprecate a version and to say why',
    clicks: 5,
    owns: 'cliff-house',
    act: async (page) => {
      await openListing(page, 'Manage');
      await page.getByText('Withdraw or restore versions').click();
      await page.getByLabel('Public reason').fill('Use tide-notes.');
      await press(page, 'Apply');
      await says(page, 'Versions changed.');
    },
  },
  {
    who: 'operator',
    wants: 'to take down what was reported as malware',
    clicks: 4,
    act: async (page) => {
      await menu(page, 'Operate');
      await link(page, new RegExp(REPORTED));
      await page.getByRole('region', { name: 'Decide' }).getByLabel('Reason').fill('It sends keys away.');
      await press(page, 'Take it down');
      await titled(page, 'Confirm the decision');
      await press(page, 'Take it down');
      await says(page, 'Decision saved.');
    },
  },
  {
    who: 'operator',
    wants: 'to put a skill on the front page of the catalogue',
    clicks: 4,
    act: async (page) => {
      await menu(page, 'Operate');
      await link(page, 'Featured');
      await page.getByLabel(/^Listing/).fill(`tide-house/${SKILL}`);
      await page.getByLabel(/^Reason/).fill('It is exact.');
      await press(page, 'Feature');
      await press(page, 'Feature');
      await says(page, 'Featured.');
    },
  },
  {
    who: 'operator',
    wants: 'to see whether anything is wrong with the installation',
    clicks: 3,
    act: async (page) => {
      await menu(page, 'Operate');
      await link(page, 'Health');
      await press(page, 'Run the checks');
      await says(page, 'database');
    },
  },
];

/** A listing of the account's own, by its publishing page. */
async function openListing(page: Page, way: 'New version' | 'Manage'): Promise<void> {
  await menu(page, 'Ada');
  await link(page, 'Publishing');
  await link(page, new RegExp(`^${way}`));
}

for (const { who, wants, clicks, owns, act } of ERRANDS)
  test(`${who === 'operator' ? 'an' : 'a'} ${who} wants ${wants}: ${clicks} ${clicks === 1 ? 'click' : 'clicks'}`, {
    skip: SKIP,
  }, async () => {
    const { page, errors, ethereum } = await openWithWallets(browser);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    if (who !== 'visitor') {
      const account = await stand.newAccount({ is_operator: who === 'operator', wallet: ethereum.address });
      if (owns !== undefined) await stand.publish(account, `${owns}/keep-words`);
      await signIn(page);
    }
    let count = 0;
    await page.exposeFunction('countClick', () => void count++);
    // A submit button that the Enter key presses sends a click, too, without a mouse.
    await page.addInitScript(
      "addEventListener('click', (event) => event.isTrusted && event.detail > 0 && window.countClick(), true)",
    );
    await page.goto(stand.url);
    page.setDefaultTimeout(45_000);
    await act(page);
    assert.equal(count, clicks);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

/** With the wallet; its browser then confirms with a key of this device, without asking. */
async function signIn(page: Page): Promise<void> {
  await page.goto(`${stand.url}/signin?to=/dashboard/account`);
  await page
    .getByRole('button', { name: /Test Wallet/ })
    .first()
    .click();
  await page.waitForURL(`${stand.url}/dashboard/account`);
}

const isFocused = (place: Locator): Promise<boolean> => place.evaluate((element) => element.matches(':focus'));

/** How often one presses Tab to get there; more would be a wall. */
const MOST_TABS = 30;

async function tabTo(place: Locator): Promise<void> {
  await place.waitFor();
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await isFocused(place)) return;
    await place.page().keyboard.press('Tab');
  }
  assert.fail(`${place} is not reached in ${MOST_TABS} presses of Tab`);
}

test('the keyboard alone leads from the search to a run and its verified receipt', { skip: SKIP }, async () => {
  const { page, errors, ethereum } = await openWithWallets(browser);
  await stand.newAccount({ wallet: ethereum.address });
  await signIn(page);
  page.setDefaultTimeout(45_000);
  await page.goto(stand.url, { waitUntil: 'networkidle' });
  await page.keyboard.press('/');
  assert.equal(await isFocused(page.getByRole('searchbox').first()), true);
  await page.keyboard.type('json-diff');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/marketplace\?/);
  // There are more filters than one wants to step over.
  await tabTo(page.getByRole('link', { name: 'Skip the filters' }));
  await page.keyboard.press('Enter');
  await tabTo(page.getByRole('main').getByRole('link', { name: 'json-diff', exact: true }).first());
  await page.keyboard.press('Enter');
  await titled(page, /^json-diff/);
  for (const [label, text] of [
    ['Before', '{"port": 80}'],
    ['After', '{"port": 81}'],
  ] as const) {
    await tabTo(page.getByLabel(label));
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
  }
  await tabTo(page.getByRole('button', { name: 'Run', exact: true }));
  await page.keyboard.press('Enter');
  await says(page, /^Completed/i);
  await tabTo(page.getByRole('button', { name: 'Verify on this page' }));
  await page.keyboard.press('Enter');
  await says(page, /^Valid: signed with key/);
  assert.deepEqual(errors, []);
  await page.context().close();
});
