import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OPERATIONS } from '../src/contract.ts';
import { problemsOf } from '../src/platform/http/openapi/problems.ts';
import { pathMatcher } from '../src/platform/http/path.ts';
import { openWorld } from './world.ts';

/** The examples of the documentation, sent as a reader would send them. */

const world = await openWorld();
after(() => world.close());
await world.catalog.ready;

const docs = await (await world.fetch('/api/docs.md')).text();

interface Example {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Reads a curl command of the documentation: method, URL, headers and body in the quotes that it uses. */
function readCurl(command: string): Example {
  const joined = command.replace(/\\\n\s*/g, '');
  const url = new URL(/'(https?:\/\/[^']+)'/.exec(joined)?.[1] ?? '');
  const body = / -d '((?:[^']|'\\'')*)'/.exec(joined)?.[1];
  return {
    method: / -X (\w+)/.exec(joined)?.[1] ?? 'GET',
    path: url.pathname + url.search,
    headers: Object.fromEntries(
      [...joined.matchAll(/-H "([^:"]+): ([^"]*)"/g)].map(([, name, value]) => [name as string, value as string]),
    ),
    ...(body === undefined ? {} : { body: body.replaceAll("'\\''", "'") }),
  };
}

const EXAMPLES = [...docs.matchAll(/^```sh\n(.*?)^```/gms)]
  .flatMap(([, block]) => (block as string).replace(/\\\n/g, '\\\n').split(/\n(?=curl )/))
  .filter((it) => it.startsWith('curl '))
  .map((it) => readCurl(it.trim()));

/** The codes that the operation behind a path documents. */
const documented = ({ method, path }: Example): string[] =>
  OPERATIONS.filter(
    (it) => it.method === method && pathMatcher(it, it.path)(path.split('?')[0] as string) !== null,
  ).flatMap(problemsOf);

test('every operation has an example', () => {
  assert.ok(EXAMPLES.length >= OPERATIONS.length);
});

for (const example of EXAMPLES)
  test(`${example.method} ${example.path} answers as documented`, async () => {
    const { method, headers, body } = example;
    const response = await world.fetch(example.path, { method, headers, ...(body === undefined ? {} : { body }) });
    if (response.status < 400) return;
    const problem = (await response.json()) as { code: string; type: string };
    assert.ok(documented(example).includes(problem.code), `${problem.code} is not documented there`);
    assert.equal((await world.fetch(problem.type)).status, 200);
  });
