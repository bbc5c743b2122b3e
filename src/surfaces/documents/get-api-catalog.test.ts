import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { getApiCatalog } from './get-api-catalog.ts';

const site = (...paths: string[]) => ({
  base_url: 'https://capstan.example.com',
  reverse_domain: 'com.example.capstan',
  operations: paths.map((path) => ({ path })),
});
async function anchors(...paths: string[]) {
  const { body } = await text(getApiCatalog(site(...paths))(input({})));
  return JSON.parse(body).linkset.map((entry: { anchor: string }) => new URL(entry.anchor).pathname);
}

test('200: a link set as in RFC 9727', async () => {
  const { media_type, headers } = await text(getApiCatalog(site())(input({})));
  assert.equal(media_type, 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
  assert.equal(headers?.link, '</.well-known/api-catalog>; rel="api-catalog"');
  const all = ['/api', '/mcp/jsonrpc', '/a2a/core-agent', '/v0.1/servers'];
  assert.deepEqual(await anchors('/mcp/jsonrpc', '/.well-known/agent-card.json'), all);
});

test('200: does not list what the contract lacks', async () => {
  assert.deepEqual(await anchors(), ['/api', '/v0.1/servers']);
});
