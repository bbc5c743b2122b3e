import assert from 'node:assert/strict';
import { test } from 'node:test';
import { docsDeps, HOSTILE, input, text } from '../../../test/docs-deps.ts';
import { compileSchema } from '../../platform/http/validate.ts';
import { itemPath } from '../registry/item-path.ts';
import { getIndex } from './get-index.ts';
import { Index } from './index-shape.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('200: JSON with every key of the root index, and only what can be called', async () => {
  const deps = await docsDeps({ public_url: 'https://cap.example' });
  const reply = await text(getIndex(deps, deps)(input({ accept: '*/*' })));
  const index = JSON.parse(reply.body) as Index;
  assert.deepEqual(compileSchema(Index)(index), []);
  assert.deepEqual(Object.keys(index), [
    ...['service', 'version', 'auth', 'registry', 'marketplace', 'discovery', 'mcp', 'skills', 'sessions'],
    ...['sensitive_data', 'tiers', 'schema', 'docs'],
  ]);
  assert.equal(index.version, '0.1.0');
  assert.equal(index.registry.providers.length, 8);
  assert.equal(index.mcp.protocol_version, '2025-11-25');
  assert.equal(index.docs.llms_txt, 'https://cap.example/llms.txt');
  assert.deepEqual(
    index.registry.endpoints.map((it) => it.operation),
    deps.operations.map((it) => it.id).filter((it) => it.startsWith('registry.')),
  );
  assert.equal(reply.headers?.vary, 'accept');
});

test('200: /api is JSON for browsers too', async () => {
  const deps = await docsDeps();
  const reply = await text(getIndex(deps, deps)(input({ raw_path: '/api', accept: BROWSER })));
  assert.match(reply.media_type, /^application\/json/);
});

test('200: a browser gets the page under a strict policy', async () => {
  const deps = await docsDeps();
  const { body, headers, media_type } = await text(getIndex(deps, deps)(input({ accept: BROWSER })));
  assert.equal(media_type, 'text/html; charset=utf-8');
  assert.match(
    headers?.['content-security-policy'] ?? '',
    /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self';/,
  );
  assert.equal(headers?.vary, 'accept');
  assert.match(body, /1,234 skills, servers, harnesses and rigs/);
  assert.match(body, /<label for="search"/);
  assert.match(body, /30 min ago/);
  assert.doesNotMatch(body, / style=|<style|<script>|<script src="(?!\/assets\/)|<[^>]* on\w+=|<link[^>]*https?:/);
});

test('200: a search asks the catalogue and pages through what it finds', async () => {
  const deps = await docsDeps();
  const query = { search: 'pdf <b>', provider: '', listing_type: 'skill', offset: 20 } as never;
  const { body } = await text(getIndex(deps, deps)(input({ accept: BROWSER, query })));
  assert.deepEqual(deps.asked, [
    {
      ...{ provider: null, listing_type: 'skill', execution_class: null, tag: null, terms: ['pdf', '<b>'] },
      ...{ sort: 'downloads', limit: 20, offset: 20 },
    },
  ]);
  assert.match(body, /value="pdf &lt;b&gt;"/);
  assert.match(body, /<option selected>skill<\/option>/);
  assert.match(body, /href="\/\?search=pdf\+%3Cb%3E&amp;listing_type=skill&amp;offset=40" rel="next"/);
  assert.match(body, /href="\/\?search=pdf\+%3Cb%3E&amp;listing_type=skill" rel="prev"/);
});

test('200: hostile listings stay text', async () => {
  const deps = await docsDeps();
  const { body } = await text(getIndex(deps, deps)(input({ accept: BROWSER })));
  assert.match(body, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;/);
  assert.doesNotMatch(body, /<script>|<img src=x|javascript:|\u202E/);
  assert.ok(body.includes(`${itemPath('docker', HOSTILE.external_id)}/md`));
  for (const [tag] of body.matchAll(/<a href="https?:[^>]*>/g)) assert.match(tag, /rel="nofollow ugc noopener"/);
});

test('200: while the index is built the page says so', async () => {
  const deps = await docsDeps();
  const catalog = { isReady: false, items: () => assert.fail() };
  const { body } = await text(
    getIndex(deps, { ...deps, catalog, stats: () => assert.fail() })(input({ accept: BROWSER })),
  );
  assert.match(body, /is being built/);
});

test('200: an empty catalogue says how it is filled', async () => {
  const deps = await docsDeps();
  const catalog = { ...deps.catalog, items: () => ({ items: [], total_count: 0 }) };
  const { body } = await text(getIndex(deps, { ...deps, catalog })(input({ accept: BROWSER })));
  assert.match(body, /The catalogue is empty/);
  const query = { search: 'nothing', offset: 0 } as never;
  const searched = await text(getIndex(deps, { ...deps, catalog })(input({ accept: BROWSER, query })));
  assert.match(searched.body, /Nothing found/);
});
