import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { nextSeq } from '#catalog/changes/changes.ts';
import { saveListings } from '#catalog/items/items.ts';
import { isTooWide, type Look, openBrowser, openPage, SKIP, violationsOf } from './browser.ts';
import { zipOf } from './fakes/archives.ts';
import { startLlm } from './fakes/llm.ts';
import { type FakeTool, startMcpFake, textResult } from './fakes/mcp-server.ts';
import { startSkillHosts } from './fakes/skill-hosts.ts';
import { listing } from './listings.ts';
import { openPagesStand } from './pages-stand.ts';
import { DIFF, openRunsStand, type RunsStand, slowRun } from './runs-stand.ts';

/** Runs and the chat in Chromium: from a form to a receipt that is verified on the page, with live progress. */

let stand: RunsStand;
let browser: Browser;
let url: string;
let run: string;
let hosts: Awaited<ReturnType<typeof startSkillHosts>>;

before(async () => {
  if (SKIP !== false) return;
  hosts = await startSkillHosts();
  stand = await openRunsStand(undefined, { CAPSTAN_PROVIDER_CLAWHUB_URL: hosts.url });
  ({ url } = await stand.world.listen());
  browser = await openBrowser();
  run = `/runs/${await stand.runSkill('json-diff', DIFF)}`;
});
after(async () => {
  await browser?.close();
  await stand?.[Symbol.asyncDispose]();
  await hosts?.close();
});

async function at(path: string, act: (page: Page) => Promise<void>): Promise<void> {
  const look = { width: 1_280, scheme: 'light', token: stand.account.token } as const;
  const { page, errors, strangers } = await openPage(browser, `${url}${path}`, look);
  await act(page);
  assert.deepEqual([errors, strangers], [[], []]);
  await page.context().close();
}

/** The others, and every look: soak pages. */
const LOOKS: readonly Omit<Look, 'token'>[] = [
  { width: 1_280, scheme: 'light' },
  { width: 360, scheme: 'dark' },
];

test('run and chat pages have no axe violations, console errors, requests to other hosts or horizontal scroll', {
  skip: SKIP,
}, async () => {
  const id = run.split('/')[2] as string;
  const again = await stand.api<{ id: string }>('POST', `/api/agents/tasks/${id}/again`);
  const shared = await stand.api<{ path: string }>('POST', `/api/agents/tasks/${id}/shares`, {
    input: true,
    trace: true,
  });
  const paths = [run, '/chat', `${run}/share?input=on&trace=on`, `${run}/compare?with=${again.id}`, shared.path];
  for (const [number, path] of paths.entries()) {
    const look = { ...(LOOKS[number % 2] as Look), token: stand.account.token };
    const { page, errors, strangers } = await openPage(browser, `${url}${path}`, look);
    assert.deepEqual([await violationsOf(page), errors, strangers, await isTooWide(page)], [[], [], [], false], path);
    await page.context().close();
  }
});

test(
  'submitting the form runs the skill with live progress, and its receipt verifies on the page',
  { skip: SKIP },
  () =>
    at('/runs/new?ref=skill/json-diff', async (page) => {
      await page.getByLabel('Before').fill('{"port": 80}');
      await page.getByLabel('After').fill('{"port": 81}');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page
        .getByRole('status')
        .getByText(/^Completed/)
        .waitFor();
      await page.getByRole('heading', { name: 'Trace' }).waitFor();
      assert.match((await page.locator('#moves').textContent()) ?? '', /working.*running.*completed/);
      await page.getByRole('navigation', { name: 'Form of the result' }).getByRole('link', { name: 'JSON' }).click();
      await page.getByText(/"value": 81/).waitFor();
      assert.equal(new URL(page.url()).searchParams.get('as'), 'json');
      await page.locator('.waterfall summary').first().focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      assert.equal(await page.evaluate('document.activeElement.parentElement.open'), true);
      await page.getByRole('button', { name: 'Verify on this page' }).click();
      await page.getByText(/^Valid: signed with key/).waitFor();
      await page.getByText('The output on this page matches the receipt.').waitFor();
      assert.equal(await page.locator('.verify .bad').count(), 0);
    }),
);

test('verifying on the page detects a modified bundle, key or input', { skip: SKIP }, async () => {
  const changes: [glob: string, change: (text: string) => string, refusal: RegExp][] = [
    ['**/api/receipts/*-*', (text) => text.replace(/"payload":"eyJ/, '"payload":"eyK'), /^Check failed \(signature\)/],
    ['**/api/receipts/keys', (text) => text.replace(/"x":"./, '"x":"_'), /^Check failed \(issuer\)/],
    ['**/-/api/agents/tasks/*', (text) => text.replace('8080', '8081'), /^The input on this page does not match/],
  ];
  await at(run, async (page) => {
    for (const [glob, change, refusal] of changes) {
      await page.route(glob, async (route) => {
        // What a browser adds after this place.
        const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
        const answer = await route.fetch({ headers });
        const text = await answer.text();
        assert.notEqual(change(text), text);
        await route.fulfill({ response: answer, body: change(text) });
      });
      await page.getByRole('button', { name: 'Verify on this page' }).click();
      await page.getByText(refusal).waitFor();
      await page.unroute(glob);
    }
  });
});

test('a running task streams its output, also after a lost connection, and can require input', {
  skip: SKIP,
}, async () => {
  await using quiet = await openPagesStand();
  const { id, print, move } = await slowRun(quiet);
  await move('working', 'running');
  const { url: origin } = await quiet.world.listen();
  const look = { width: 1_280, scheme: 'light', token: quiet.account.token } as const;
  const { page } = await openPage(browser, `${origin}/skills`, look);
  let breaks = 1;
  await page.route('**/events', (route) => (breaks-- > 0 ? route.abort() : route.continue()));
  await page.goto(`${origin}/runs/${id}`);
  await print('first line\n');
  await page.getByText('first line').waitFor();
  // Nothing is lost by a reload.
  await page.reload();
  await page.getByText('first line').waitFor();
  await print('<b>second</b>\u{202E}\n');
  await page.getByText('<b>second</b>⟨U+202E⟩').waitFor();
  await move('input_required', null);
  await page.getByLabel('Input as JSON').fill('{');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Invalid JSON').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('status').getByText('Cancelled').waitFor();
  await page.context().close();
});

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

test('an image of a result is displayed, and nothing in a hostile result runs', { skip: SKIP }, async () => {
  const capability = { kind: 'skill', ref: 'json-diff' };
  const { id } = await stand.api<{ id: string }>('POST', '/api/agents/tasks', { capability, input: DIFF });
  const content = [
    { type: 'text', text: `# Title\n\n- **bold** ${HOSTILE}\n` },
    { type: 'image', mimeType: 'image/svg+xml', data: PNG },
    { type: 'image', mimeType: 'image/png', data: btoa(`<svg xmlns="http://www.w3.org/2000/svg">${HOSTILE}</svg>`) },
    { type: 'resource_link', uri: 'javascript:document.title=3', name: HOSTILE },
    { type: 'text', text: JSON.stringify([{ a: HOSTILE }, { a: 'b' }]) },
  ];
  const ended = { status: 'completed', finished_at: new Date().toISOString(), output: JSON.stringify({ content }) };
  await stand.world.database.db.updateTable('tasks').set(ended).where('id', '=', id).execute();
  await at(`/runs/${id}`, async (page) => {
    const image = page.getByRole('img', { name: 'Part 2 of the result' });
    await image.waitFor();
    await image.scrollIntoViewIfNeeded();
    await page.waitForFunction("document.querySelector('.result img').naturalWidth === 1");
    assert.equal(await page.locator('.result img').count(), 1);
    assert.equal(await page.locator('.result script, .result svg, .result [onerror]').count(), 0);
    assert.match(await page.title(), /^json-diff/);
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('cell', { name: 'b', exact: true }).waitFor();
  });
});

test("the chat shows its steps, moves to the conversation's address and links to the receipt", { skip: SKIP }, () =>
  at('/chat', async (page) => {
    await page.getByLabel('Message').fill('run json-diff with before=1 after=2');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'skill json-diff' }).waitFor();
    await page.getByText('3 steps').click();
    await page.locator('.taken code').getByText('task_start').waitFor();
    await page.getByText('not a language model').first().waitFor();
    assert.match(page.url(), /\/chat\/[\w-]+$/);
    await page.getByRole('link', { name: 'receipt' }).click();
    await page.getByRole('button', { name: 'Verify on this page' }).click();
    await page.getByText(/^Valid: signed with key/).waitFor();
    // A first message is suggested, and what it finds is used with one press.
    await page.goto(`${url}/chat`);
    await page.getByRole('button', { name: 'find a tool for CSV files' }).click();
    await page.getByRole('button', { name: /^Use this.*csv-profile/ }).click();
    await page.locator('.turn').getByText('needs more arguments').waitFor();
  }),
);

test('Stop in the chat cancels the turn and the request to the model', {
  skip: SKIP,
}, async () => {
  let connection = '';
  const llm = await startLlm(({ body }) => {
    const said = JSON.stringify(body.messages);
    if (!said.includes('Call book')) return { text: 'A long story', fault: { stall: true } };
    const input = { id: connection, tool: 'book', arguments: {} };
    return said.includes('Husum') ? { text: 'It is booked.' } : { tool_calls: [{ name: 'connection_call', input }] };
  });
  const env = { CAPSTAN_LLM_URL: llm.url, CAPSTAN_LLM_MODELS: 'fake-1', CAPSTAN_LLM_MODEL: 'compatible/fake-1' };
  await using quiet = await openPagesStand(env);
  const { url: origin } = await quiet.world.listen();
  const { token } = quiet.account;
  const { page, errors } = await openPage(browser, `${origin}/chat`, { width: 360, scheme: 'dark', token });
  await page.getByLabel('Message').fill('tell me a long story');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.waitForURL(/\/chat\/[\w-]+$/);
  while (llm.requests.length === 0) await page.waitForTimeout(20);
  const hungUp = llm.hangUp();
  await page.getByRole('button', { name: 'Stop' }).click();
  await hungUp;
  await page.locator('.turn .state').getByText('cancelled').waitFor();
  const id = page.url().split('/').at(-1);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await quiet.world.fetch(`/api/agents/core-agent/conversations/${id}`, { headers });
  const { items } = (await answer.json()) as { items: { status: string }[] };
  assert.deepEqual([items.map(({ status }) => status), errors], [['cancelled'], []]);
  assert.equal(await page.getByRole('button', { name: 'Stop' }).isVisible(), false);

  // A turn survives loading the page again, and is stopped there.
  const before = llm.requests.length;
  await page.getByLabel('Message').fill('tell me another story');
  await page.getByRole('button', { name: 'Send' }).click();
  while (llm.requests.length === before) await page.waitForTimeout(20);
  await page.reload();
  await page.getByRole('status').getByText('working').waitFor();
  const ended = llm.hangUp();
  await page.locator('.turn').getByRole('button', { name: 'Stop' }).click();
  await ended;
  await page.locator('.turn').nth(1).getByText('cancelled').waitFor();

  // A server asks in the middle of a turn: the form is answered here, and the turn continues.
  const fake = await startMcpFake([book], { era: 'sessions' });
  const made = await quiet.world.fetch('/api/sessions/connections', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ url: fake.url }),
  });
  connection = ((await made.json()) as { id: string }).id;
  await page.goto(`${origin}/chat`);
  await page.getByLabel('Message').fill('Call book of my connection.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('asks: Which harbour?').waitFor();
  assert.deepEqual([await violationsOf(page), await isTooWide(page)], [[], false]);
  await page.getByLabel('Harbour').selectOption('Husum');
  await page.getByRole('button', { name: 'Answer' }).click();
  await page.locator('.turn').getByText('It is booked.').waitFor();
  assert.deepEqual(errors, []);
  await page.context().close();
  await fake.close();
  await llm.close();
});

/** A skill of a listing, with everything that its settings show. */
async function publishSkill(): Promise<void> {
  const needs = JSON.stringify({
    openclaw: { requires: { env: ['WAVES_TOKEN', 'REGION'] }, network: ['https://api.waves.example/v1'] },
  });
  const files = {
    'SKILL.md': `---\nname: waves\ndescription: About waves.\nmetadata: ${needs}\n---\nRun it.\n`,
    'package.json': JSON.stringify({ dependencies: { tone: '^1.0.0' } }),
    'scripts/run.js': "require('tone')",
  };
  const zip = zipOf(Object.entries(files).map(([name, body]) => ({ name, body })));
  hosts.answers.set('/api/v1/skills/waves', { json: { skill: { slug: 'waves' }, owner: { handle: 'ana' } } });
  hosts.answers.set('/api/v1/download?slug=waves&version=1.0.0', zip);
  const install = { type: 'clawhub-skill', owner: 'ana', slug: 'waves' };
  const facts = { version: '1.0.0', listing_type: 'skill', execution_class: 'scripted', install } as const;
  const record = listing('clawhub', 'ana/waves', { name: 'waves', ...facts });
  await stand.world.database.db
    .transaction()
    .execute((trx) =>
      saveListings(trx, 'clawhub', [record], { run: 'r', now: '2026-01-01T00:00:00.000Z', seq: () => nextSeq(trx) }),
    );
}

test('the settings of a skill have no axe violations, console errors or horizontal scroll, in both themes and at 390 px', {
  skip: SKIP,
}, async () => {
  await publishSkill();
  for (const [width, scheme] of [
    [1_280, 'light'],
    [1_280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    const look = { width, scheme, token: stand.account.token };
    const { page, errors } = await openPage(browser, `${url}/dashboard/skills/clawhub/ana/waves`, look);
    await page.getByRole('heading', { name: 'Hosts' }).waitFor();
    assert.equal(await page.getByLabel('api.waves.example').isChecked(), false, 'declared, and not granted');
    assert.deepEqual([await violationsOf(page), errors, await isTooWide(page)], [[], [], false], `${width} ${scheme}`);
    await page.context().close();
  }
});

const book: FakeTool = {
  name: 'book',
  call: async (_args, _meta, { ask }) => {
    const harbour = { type: 'string', title: 'Harbour', enum: ['Emden', 'Husum'] };
    const nights = { type: 'integer', title: 'Nights', default: 2 };
    const { action, content } = await ask('Which harbour?', { harbour, nights, insured: { type: 'boolean' } });
    return textResult(action === 'accept' ? JSON.stringify(content) : action);
  },
};

test('the page of a task shows the form of a server, and the run continues with the answer', {
  skip: SKIP,
}, async () => {
  const fake = await startMcpFake([book], { era: 'sessions' });
  const { id: connection } = await stand.api<{ id: string }>('POST', '/api/sessions/connections', { url: fake.url });
  const capability = { kind: 'connection', ref: `${connection}/book` };
  for (const [width, scheme, answer] of [
    [1_280, 'light', 'Answer'],
    [390, 'dark', 'Decline'],
  ] as const) {
    const { id } = await stand.api<{ id: string }>('POST', '/api/agents/tasks', { capability, input: {} });
    await stand.api('POST', `/api/agents/tasks/${id}/start`);
    const look = { width, scheme, token: stand.account.token };
    const { page, errors } = await openPage(browser, `${url}/dashboard/tasks`, look);
    // The page follows the run, so that its network is never idle.
    await page.goto(`${url}/runs/${id}`, { waitUntil: 'load' });
    await page.getByText('asks: Which harbour?').waitFor();
    assert.deepEqual([await violationsOf(page), await isTooWide(page)], [[], false], `${width} ${scheme}`);
    assert.equal(await page.getByLabel('Nights').inputValue(), '2');
    await page.getByLabel('Harbour').selectOption('Husum');
    await page.getByLabel('insured').check();
    await page.getByRole('button', { name: answer }).click();
    await page.getByRole('status').getByText('Completed').waitFor();
    const { output } = await stand.api<{ output: unknown }>('GET', `/api/agents/tasks/${id}`);
    assert.deepEqual(output, answer === 'Answer' ? { harbour: 'Husum', nights: 2, insured: true } : 'decline');
    assert.deepEqual(errors, []);
    await page.context().close();
  }
  await fake.close();
});
