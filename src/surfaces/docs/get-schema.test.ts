import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { docsDeps, input, text } from '#test/docs-deps.ts';
import { getSchema } from './get-schema.ts';

test('200: OpenAPI 3.1 in YAML with every given operation', async () => {
  const all = await docsDeps({ public_url: 'https://cap.example' });
  // Parsing the YAML of all operations takes a second.
  const deps = { ...all, operations: all.operations.filter((_, at) => at % 10 === 0) };
  const { body, media_type } = await text(getSchema(deps)(input({})));
  assert.equal(media_type, 'application/yaml; charset=utf-8');
  const document = parse(body);
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual(document.servers, [{ url: 'https://cap.example' }]);
  const ids = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  );
  assert.deepEqual(ids.toSorted(), deps.operations.map((operation) => operation.id).toSorted());
});
