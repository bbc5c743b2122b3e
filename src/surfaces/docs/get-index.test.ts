import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSchema } from '#core/http/validate.ts';
import { SERVICE } from '#core/service.ts';
import { answerPage, docsDeps, input, text } from '#test/docs-deps.ts';
import { getIndex } from './get-index.ts';
import { Index } from './index-shape.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('200: JSON with every key of the root index, listing only operations of the contract', async () => {
  const deps = await docsDeps({ public_url: 'https://cap.example' });
  const reply = await text(getIndex(deps, answerPage)(input({ accept: '*/*' })));
  const index = JSON.parse(reply.body) as Index;
  assert.deepEqual(compileSchema(Index)(index), []);
  assert.deepEqual(Object.keys(index), [
    'service',
    'version',
    'auth',
    'registry',
    'marketplace',
    'discovery',
    'mcp',
    'skills',
    'sessions',
    'sensitive_data',
    'tiers',
    'schema',
    'docs',
  ]);
  assert.equal(index.version, SERVICE.version);
  assert.equal(index.registry.providers.length, 8);
  assert.equal(index.mcp.protocol_version, '2025-11-25');
  assert.equal(index.docs.llms_txt, 'https://cap.example/llms.txt');
  assert.deepEqual(
    index.registry.endpoints.map((endpoint) => endpoint.operation),
    deps.operations.map((operation) => operation.id).filter((id) => id.startsWith('catalog.')),
  );
  for (const part of ['auth', 'marketplace', 'discovery', 'mcp', 'skills', 'sessions'] as const)
    assert.ok(index[part].endpoints.length > 0, `${part} names its endpoints`);
  assert.equal(reply.headers?.vary, 'accept');
});

test('200: /api is JSON for browsers too', async () => {
  const deps = await docsDeps();
  const reply = await text(getIndex(deps, answerPage)(input({ raw_path: '/api', accept: BROWSER })));
  assert.match(reply.media_type, /^application\/json/);
});

test('200: browsers get the HTML page', async () => {
  const reply = await text(getIndex(await docsDeps(), answerPage)(input({ accept: BROWSER, raw_query: 'a=b' })));
  assert.equal(reply.media_type, 'text/html; charset=utf-8');
  assert.equal(reply.body, 'page of /?a=b');
});
