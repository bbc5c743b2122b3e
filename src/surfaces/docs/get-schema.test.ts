import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { docsDeps, input, text } from '#test/docs-deps.ts';
import { renderContract } from './describe-contract.ts';
import { getSchema } from './get-schema.ts';

test('200: OpenAPI 3.1 in YAML with every given operation, at the address of this service', async () => {
  const all = await docsDeps({ public_url: 'https://cap.example/$&:8443' });
  // Parsing the YAML of all operations takes a second.
  const deps = { ...all, operations: all.operations.filter((_, at) => at % 10 === 0) };
  const read = async () => renderContract({ ...deps, public_url: null });
  const { body, media_type } = await text(getSchema(read, deps.public_url)(input({})));
  assert.equal(media_type, 'application/yaml; charset=utf-8');
  const document = parse(body);
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual(document, parse(renderContract(deps)));
  assert.deepEqual(document.servers, [{ url: 'https://cap.example/$&:8443' }]);
  const ids = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  );
  assert.deepEqual(ids.toSorted(), deps.operations.map((operation) => operation.id).toSorted());
});

test('200: the file of this version is sent as it is, read once, and again after a failure', async () => {
  const { openapi } = await docsDeps();
  let reads = 0;
  const handler = getSchema(async () => {
    if (++reads === 1) throw new Error('no file');
    return openapi();
  }, null);
  await assert.rejects(text(handler(input({}))), /no file/);
  for (let n = 0; n < 2; n++) assert.equal((await text(handler(input({})))).body, await openapi());
  assert.equal(reads, 2);
});
