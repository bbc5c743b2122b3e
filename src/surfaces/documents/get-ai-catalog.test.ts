import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { smallSkillStore } from '#test/small-skill-store.ts';
import { getAiCatalog } from './get-ai-catalog.ts';

const site = (...paths: string[]) => ({
  base_url: 'https://capstan.example.com',
  reverse_domain: 'com.example.capstan',
  operations: paths.map((path) => ({ path })),
});
async function entries(...paths: string[]) {
  const { body } = await text(getAiCatalog(site(...paths), smallSkillStore)(input({})));
  return JSON.parse(body).entries as { identifier: string; url: string }[];
}

test('200: server, agent, API and skills, each with its own URL', async () => {
  const all = await entries('/mcp/jsonrpc', '/.well-known/agent-card.json');
  assert.deepEqual(
    all.map((entry) => entry.identifier.replace('urn:air:capstan.example.com:', '')),
    ['mcp:capstan', 'agents:core-agent', 'api:capstan', 'skills:alone', 'skills:several'],
  );
  for (const { url } of all) assert.ok(url.startsWith('https://capstan.example.com/'));
});

test('200: does not list what the contract lacks', async () => {
  assert.equal(
    (await entries()).some((entry) => /:(mcp|agents):/.test(entry.identifier)),
    false,
  );
});
