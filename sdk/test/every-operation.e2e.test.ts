import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { openWorld } from '../../test/world.ts';
import { CapstanError, createCapstan, type Fetch, OPERATION_IDS, type OperationId, operationOf } from '../src/index.ts';

/** Every operation of the document, called with the document's own examples. This test reads the document independently. */

interface Node {
  operationId: string;
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}
interface Document {
  paths: Record<string, Record<string, Node>>;
  components: Record<string, Record<string, unknown>>;
}

const document = parse(await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, node]) => ({ path, method: method.toUpperCase(), node })),
);

const world = await openWorld();
after(() => world.close());
const seen: { method: string; path: string }[] = [];
const listening: Fetch = (url, init) => {
  seen.push({ method: init.method, path: url.split('?')[0] as string });
  return world.fetch(url, init);
};
const capstan = createCapstan({ base_url: '', fetch: listening, retries: 0, timeout_ms: 10_000 });

const resolved = (parameter: NonNullable<Node['parameters']>[number]) =>
  parameter.$ref === undefined
    ? parameter
    : (document.components.parameters?.[parameter.$ref.split('/').at(-1) as string] as typeof parameter);

function inputOf(node: Node): Record<string, unknown> {
  const given = (node.parameters ?? [])
    .map(resolved)
    .filter((entry) => entry.in === 'path' || (entry.in === 'query' && entry.required));
  const [content] = Object.values(node.requestBody?.content ?? {});
  return {
    ...Object.fromEntries(given.map(({ name, example }) => [name, example])),
    ...(content === undefined ? {} : { body: content.example }),
  };
}

test('the client has exactly the operations of openapi.yaml', () => {
  assert.ok(operations.length > 100);
  assert.deepEqual([...OPERATION_IDS].sort(), operations.map(({ node }) => node.operationId).sort());
});

/** Nobody is signed in: what the guard refuses has been found, and so has what there is none of. */
const FOUND = /^(?!http\.(no_such_path|method_not_allowed|invalid_input|malformed)|sdk\.)/;

for (const { path, method, node } of operations)
  test(`${node.operationId} sends ${method} ${path}`, async () => {
    const id = node.operationId as OperationId;
    const [, namespace, name] = id.split('.') as ['surfaces', 'docs', 'getIndex'];
    assert.equal(typeof capstan[namespace][name], 'function');
    const { access } = operationOf(id);
    const code = await capstan.call(id, inputOf(node) as never).then(
      async ({ body }) => {
        if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
          await (body as AsyncGenerator).return(0);
        return 'answered';
      },
      (error) => (error instanceof CapstanError ? `${error.code}: ${error.detail}` : Promise.reject(error)),
    );
    assert.match(code, FOUND);
    if (access === 'jwt' || access === 'sensitive' || access === 'fresh')
      assert.match(code, /^auth\.token_required|Authentication required/);
    const parts = path.split(/\{\w+\}/).map((part) => RegExp.escape(part));
    const sent = seen.findLast(
      (entry) => entry.method === method && new RegExp(`^${parts.join('[^/]+')}$`).test(entry.path),
    );
    assert.ok(sent, `${method} ${path} was not asked for`);
  });
