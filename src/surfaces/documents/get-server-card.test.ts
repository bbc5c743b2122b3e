import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSchema } from '#core/http/validate.ts';
import { input, text } from '#test/handler-input.ts';
import { documentsContract } from './contract.ts';
import { getServerCard } from './get-server-card.ts';

const site = { base_url: 'https://capstan.example.com', reverse_domain: 'com.example.capstan', operations: [] };

test('200: identity and address of the server, without its tools', async () => {
  const { body, media_type } = await text(getServerCard(site)(input({})));
  const card = JSON.parse(body);
  const { schema } = documentsContract.getServerCard.answers[200].content['application/mcp-server-card+json'];
  assert.deepEqual(compileSchema(schema)(card), []);
  assert.equal(media_type, 'application/mcp-server-card+json');
  assert.equal(card.name, 'com.example.capstan/capstan');
  assert.equal(card.remotes[0].url, 'https://capstan.example.com/mcp/jsonrpc');
  assert.equal('tools' in card, false);
});
