import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlOf } from './curl.ts';
import { operationsOf, whole } from './openapi.ts';
import { typeOf } from './schema-fields.ts';

const document = {
  info: { title: 'T', version: '1', description: '' },
  tags: [{ name: 'a', description: '' }],
  paths: {
    '/api/a/{id}': {
      put: {
        operationId: 'a.b',
        tags: ['a'],
        summary: 'S',
        description: 'D',
        security: [{ bearer: [] }],
        parameters: [{ $ref: '#/components/parameters/Id' }, { name: 'q', in: 'query', example: 'x y' }],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' }, example: { it: "it's" } } },
        },
        responses: {
          200: {
            description: 'Fine.',
            content: { 'application/json': { schema: {}, examples: { One: { value: 1 } } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Body: { type: 'object', properties: { it: { $ref: '#/components/schemas/Text' } } },
      Text: { type: 'string' },
    },
    parameters: { Id: { name: 'id', in: 'path', required: true, example: 'a/b' } },
  },
};

test('references are replaced by what they point to', () => {
  const [operation] = operationsOf(document, 'a');
  assert.deepEqual(operation?.parameters[0], { name: 'id', in: 'path', required: true, example: 'a/b' });
  assert.deepEqual(whole(document, operation?.body?.schema), {
    type: 'object',
    properties: { it: { type: 'string' } },
  });
  assert.equal(operation?.answers[0]?.example, 1);
  assert.deepEqual(operationsOf(document, 'b'), []);
});

test('the curl command has examples, a token if one is required, and safe quotes', () => {
  const [operation] = operationsOf(document, 'a');
  assert.equal(
    operation && curlOf(operation, 'http://h'),
    `curl -X PUT 'http://h/api/a/a%2Fb?q=x+y' \\\n  -H "Authorization: Bearer $CAPSTAN_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"it":"it'\\''s"}'`,
  );
});

test('types are described in words', () => {
  assert.equal(typeOf({ enum: ['a', 'b'] }), 'one of "a", "b"');
  assert.equal(typeOf({ type: 'array', items: { type: 'integer' } }), 'array of integer');
  assert.equal(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }), 'string or null');
  assert.equal(typeOf({}), 'any');
});
