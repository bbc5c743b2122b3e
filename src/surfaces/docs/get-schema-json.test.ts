import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { docsDeps, input, text } from '#test/docs-deps.ts';
import { getSchema } from './get-schema.ts';
import { getSchemaJson } from './get-schema-json.ts';

test('200: the same document as the YAML, in JSON', async () => {
  const all = await docsDeps({ public_url: 'https://cap.example' });
  // Parsing the YAML of all operations takes a second.
  const deps = { ...all, operations: all.operations.filter((_, at) => at % 10 === 0) };
  const { body, media_type } = await text(getSchemaJson(deps)(input({})));
  assert.equal(media_type, 'application/json; charset=utf-8');
  assert.deepEqual(JSON.parse(body), parse((await text(getSchema(deps)(input({})))).body));
});
