import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '#core/clock/clock.ts';
import { openStand } from '../cli/test/stand.ts';
import { accountsOf } from './accounts.ts';
import { BAD_SEARCHES } from './bad-searches.ts';
import { heldTimeOf } from './cpu-time.ts';
import { linkNow, saveAll } from './linking.ts';
import { listing } from './listings.ts';
import { BROWSER } from './pages-stand.ts';
import { openWorld } from './world.ts';

/** Every way to search: what each does with input that nobody means. */

const world = await openWorld();
const cli = await openStand('http://capstan.example');
after(async () => {
  await world.close();
  await cli[Symbol.asyncDispose]();
});
const account = await (await accountsOf(world, systemClock)).signUp();

const TEXT = 'Compares two tide tables and says at which hour a harbour can be entered.';
await saveAll(
  world.database,
  Array.from({ length: 5 }, (_, at) =>
    listing('clawhub', `author-${at}/tides`, { name: `Tide table ${at}`, author: `author-${at}`, description: TEXT }),
  ),
);
const RADIO = 'Plays the radio of any lighthouse and announces the ships that pass by at night.';
await saveAll(world.database, [
  ...Array.from({ length: 20 }, (_, at) => listing('clawhub', `some/thing-${at}`, { downloads: at + 1 })),
  listing('clawhub', 'ann/lighthouse-radio', {
    name: 'Lighthouse Radio',
    author: 'ann',
    description: RADIO,
    downloads: 90_000,
  }),
  listing('clawhub', 'eve/lighthouse-radlo', {
    name: 'Lighthouse Radlo',
    author: 'eve',
    description: `${RADIO} Free.`,
  }),
]);
await linkNow(world.database);
await world.catalog.refresh();

interface Answer {
  status: number;
  media_type: string;
  text: string;
}

async function ask(path: string, body?: object, more: Record<string, string> = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${account.token}`, ...more };
  const sent = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const answer = await world.fetch(path, body === undefined ? { headers } : sent);
  return {
    status: answer.status,
    media_type: answer.headers.get('content-type') ?? '',
    text: await answer.text(),
  };
}

/** Percent-encoded UTF-8. A lone surrogate becomes the bytes that some clients send for it. */
const encoded = (text: string): string =>
  [...text].map((sign) => (sign.isWellFormed() ? encodeURIComponent(sign) : '%ED%A0%80')).join('');

const page = (path: string) => (text: string) => ask(`${path}${encoded(text)}`, undefined, { accept: BROWSER });

async function callTool(name: string, input: object): Promise<Answer> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
  return ask('/mcp/jsonrpc', message);
}

async function runCli(text: string): Promise<Answer> {
  const fetch = (address: string | URL | Request, init?: RequestInit) => {
    const { pathname, search } = new URL(address instanceof Request ? address.url : address);
    return world.fetch(`${pathname}${search}`, init as Parameters<typeof world.fetch>[1]);
  };
  const env = { CAPSTAN_TOKEN: account.token };
  const { code, out, err } = await cli.call(['search', '--', text], { env, fetch: fetch as typeof globalThis.fetch });
  // An unexpected error ends with a stack.
  return {
    status: code === 0 ? 200 : /\n\s+at /.test(err) ? 500 : 422,
    media_type: 'text/plain',
    text: `${out}${err}`,
  };
}

const DOORS: Record<string, (text: string) => Promise<Answer>> = {
  'POST /api/marketplace/search': (query) => ask('/api/marketplace/search', { query }),
  'POST /api/marketplace/search as typed': (query) => ask('/api/marketplace/search', { query, as_typed: true }),
  'the copies of a result': (copies_of) => ask('/api/marketplace/search', { query: 'tides', copies_of }),
  'a tag of a search': (tag) => ask('/api/marketplace/search', { query: 'tides', filters: { tag } }),
  'GET /api/marketplace/listings': (text) => ask(`/api/marketplace/listings?search=${encoded(text)}`),
  'GET /api/marketplace/registry': (text) => ask(`/api/marketplace/registry?search=${encoded(text)}`),
  'GET /api/marketplace/skills.md': (text) => ask(`/api/marketplace/skills.md?search=${encoded(text)}`),
  'GET /v0.1/servers': (text) => ask(`/v0.1/servers?search=${encoded(text)}`),
  'GET /api/discovery/tools': (text) => ask(`/api/discovery/tools?search=${encoded(text)}`),
  'GET /api/search': (text) => ask(`/api/search?q=${encoded(text)}`),
  'the page of the marketplace': page('/marketplace?search='),
  'the page of the copies of a result': page('/marketplace?search=tides&copies_of='),
  'the tool registry_search': (query) => callTool('registry_search', { query }),
  'the tool marketplace_search': (query) => callTool('marketplace_search', { query }),
  'the chat': (message) => ask('/api/agents/core-agent/chat', { message }),
  'capstan search': runCli,
};

for (const [door, search] of Object.entries(DOORS))
  test(`${door} answers any input at once, and never with a 500`, async () => {
    await search('tides');
    for (const [name, text] of Object.entries(BAD_SEARCHES)) {
      let answer: Answer | null = null;
      const held = await heldTimeOf(async () => (answer = await search(text)), { tries: 3, enough_ms: 50 });
      const { status, media_type, text: said } = answer as unknown as Answer;
      assert.ok(status < 500, `${name}: ${status} ${said.slice(0, 300)}`);
      assert.ok(held <= 50, `${name} held the event loop for ${held} ms`);
      // The registry API has its own form of errors.
      if (status < 400 || media_type.startsWith('text/') || door.includes('/v0.1/')) continue;
      assert.match(media_type, /^application\/problem\+json/, name);
      const { detail, errors } = JSON.parse(said) as { detail: string; errors?: { detail: string }[] };
      assert.ok(detail !== '' && (errors ?? []).every((error) => error.detail !== ''), `${name}: ${said}`);
      assert.ok(status === 413 || status === 431 || (errors ?? []).length > 0, `${name} names no field: ${said}`);
    }
  });

test('copies of one text are one result at each door, which says how to list them', async () => {
  const { items, total_count, with_copies } = JSON.parse(
    (await ask('/api/marketplace/search', { query: 'tide harbour' })).text,
  );
  assert.deepEqual([items.length, total_count, with_copies, items[0].copies], [1, 1, 5, 4]);
  const copies_of: string = items[0].id;
  const opened = JSON.parse((await ask('/api/marketplace/search', { query: 'tide harbour', copies_of })).text);
  assert.deepEqual([opened.total_count, opened.items.length], [5, 5]);
  const shown = await page('/marketplace?search=tide+harbour&x=')('');
  assert.match(shown.text, /1 capability \(5 with copies\)/);
  const link = /<a href="([^"]*copies_of[^"]*)">and 4 copies of its text</.exec(shown.text)?.[1] ?? '';
  const list = await page(link.replaceAll('&amp;', '&'))('');
  assert.match(list.text, /5 capabilities/);
  assert.match(list.text, /Back to all results/);
  const { result } = JSON.parse((await callTool('marketplace_search', { query: 'tide harbour' })).text);
  assert.match(result.content[0].text, /and 4 copies with the same text: add "copies_of": /);
  const listed = await callTool('marketplace_search', { query: 'tide harbour', copies_of });
  assert.equal(JSON.parse(listed.text).result.structuredContent.total_count, 5);
  assert.equal(JSON.parse((await runCli('tide harbour')).text).items[0].copies, 4);
});

test('a name made to look like a much used one is marked at each door', async () => {
  const [one, other] = JSON.parse(
    (await ask('/api/marketplace/search', { query: 'lighthouse radlo radio' })).text,
  ).items;
  const fake = one.author === 'eve' ? one : other;
  const original = one.author === 'eve' ? other : one;
  assert.deepEqual([fake.resembles.id, fake.resembles.how, original.resembles], [original.id, 'confusable', null]);
  const sentence = /characters that look like those of "Lighthouse Radio" by "ann"/;
  const { result } = JSON.parse((await callTool('marketplace_search', { query: 'lighthouse radlo' })).text);
  assert.match(result.content[0].text, /CAUTION: Its name has characters/);
  assert.match((await runCli('lighthouse radlo')).text, /characters that look like those of/);
  assert.match((await ask(`/api/marketplace/listings/${fake.id}`)).text.replaceAll('\\"', '"'), sentence);
  assert.match((await ask(`/api/marketplace/listings/${fake.id}/md`)).text, /characters that look like those of/);
  for (const path of ['/marketplace?search=lighthouse+radlo&x=', `/marketplace/${fake.id}?x=`]) {
    const { text } = await page(path)('');
    assert.match(text, /Its name has characters that look like those of &quot;Lighthouse Radio&quot;/, path);
    assert.ok(text.includes(`/marketplace/${original.id}"`), path);
  }
});
