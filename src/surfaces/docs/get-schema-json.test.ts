import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { docsDeps, input, text } from '#test/docs-deps.ts';
import { turnsDuring } from '#test/turns.ts';
import { renderContract } from './describe-contract.ts';
import { getSchemaJson } from './get-schema-json.ts';

test('200: the same document as the YAML, in JSON', async () => {
  const all = await docsDeps({ public_url: 'https://cap.example' });
  // Parsing the YAML of all operations takes a second.
  const deps = { ...all, operations: all.operations.filter((_, at) => at % 10 === 0) };
  const { body, media_type } = await text(getSchemaJson(deps)(input({})));
  assert.equal(media_type, 'application/json; charset=utf-8');
  assert.deepEqual(JSON.parse(body), parse(renderContract(deps)));
});

test('200: other requests are answered between the steps of the first one', async () => {
  const deps = await docsDeps();
  const { turns, result } = await turnsDuring(() => text(getSchemaJson(deps)(input({}))));
  assert.ok(Object.keys(JSON.parse(result.body).paths).length > 100);
  assert.ok(turns >= deps.operations.length / 10, `${turns} turns for ${deps.operations.length} operations`);
});
