import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OPERATIONS } from '#app/contract.ts';
import { nextSeq } from '#catalog/changes/changes.ts';
import { ITEM_EXAMPLE } from '#catalog/items/examples.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { defined } from '#core/defined.ts';
import { problemsOf } from '#core/http/openapi/problems.ts';
import { tagOf } from '#core/http/openapi/shape.ts';
import type { OperationBase } from '#core/http/operation.ts';
import { pathMatcher } from '#core/http/path.ts';
import { compileSchema } from '#core/http/validate.ts';
import { accountsOf } from './accounts.ts';
import { openWorld } from './world.ts';

/** The examples of the documentation, sent as a reader would send them. */

const world = await openWorld();
after(() => world.close());
await world.database.db.transaction().execute(async (trx) => {
  const seq = await nextSeq(trx);
  const save = { run: IMPORTED, now: '2026-04-14T00:00:00.000Z', seq: async () => seq };
  const rest = { license: 'MIT', repository: '', install: null, manifest: null, aliases: [] };
  const reported = { downloads: true, stars: true, updated_at: true };
  await saveListings(trx, 'mcp-registry', [{ ...ITEM_EXAMPLE, ...rest, reported }], save);
});
await world.catalog.refresh();

const accounts = await accountsOf(world);
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
    ...defined({ body: body === undefined ? undefined : body.replaceAll("'\\''", "'") }),
  };
}

const EXAMPLES = [...docs.matchAll(/^```sh\n(.*?)^```/gms)]
  .flatMap(([, block]) => (block as string).replace(/\\\n/g, '\\\n').split(/\n(?=curl )/))
  .filter((line) => line.startsWith('curl '))
  .map((line) => readCurl(line.trim()));

/** The operations that may match a path. */
const candidates = ({ method, path }: Example): OperationBase[] =>
  OPERATIONS.filter(
    (operation) =>
      operation.method === method && pathMatcher(operation, operation.path)(path.split('?')[0] as string) !== null,
  );

/** The answer has the media type and the shape of one of them. */
async function fits(operations: OperationBase[], response: Response): Promise<void> {
  if (response.status >= 300) {
    const [redirect] = operations.filter((operation) => operation.answers[response.status] !== undefined);
    assert.ok(redirect && response.headers.has('location'), `${response.status} is not documented`);
    return;
  }
  const type = (response.headers.get('content-type') ?? '').split(';')[0] as string;
  const body = await response.text();
  const schemas = operations.flatMap((operation) => operation.answers[response.status]?.content[type]?.schema ?? []);
  const value = /[/+]json$/.test(type) ? JSON.parse(body) : body;
  const errors = schemas.map((schema) => compileSchema(schema)(value));
  assert.ok(
    errors.some((error) => error.length === 0),
    `${type} does not fit: ${JSON.stringify(errors)}`,
  );
}

test('there is an example for every operation', () => {
  assert.ok(EXAMPLES.length >= OPERATIONS.length);
});

/** What the examples ask for is there; elsewhere ids and signatures of the examples are those of nobody. */
const ANSWERED = ['docs', 'registry', 'skills', 'interop', 'health'];
const isAnswered = (example: Example): boolean =>
  !example.path.endsWith('limit=1000') && candidates(example).some((candidate) => ANSWERED.includes(tagOf(candidate)));

/** With the reader's own token, signature and id in the places of the shell variables and of the example id. */
async function asReader(example: Example): Promise<Example> {
  if (example.headers.authorization === undefined) return example;
  const { user, token, stepUp } = await accounts.signUp();
  const proof =
    example.headers['x-challenge-id'] === undefined
      ? {}
      : await stepUp(
          `${example.method} ${example.path.replace(/\?.*/, '').replace(/(?<=^\/api\/users\/)[0-9a-f-]{36}/, user.id)}`,
        );
  const headers = { ...example.headers, ...proof, authorization: `Bearer ${token}` };
  return { ...example, path: example.path.replace(/(?<=^\/api\/users\/)[0-9a-f-]{36}/, user.id), headers };
}

interface Said {
  code: string;
  type: string;
}

for (const example of EXAMPLES)
  test(`the documented response is returned for ${example.method} ${example.path}`, async () => {
    const { method, path, headers, body } = await asReader(example);
    const response = await world.fetch(path, { method, headers, ...defined({ body }) });
    if (response.status < 400) return fits(candidates(example), response);
    assert.ok(!isAnswered(example), `${response.status}: only the example of a refusal is refused`);
    const said = (await response.json()) as Said & { error?: string | { data?: Said } };
    // OAuth’s own form says no code of ours.
    if (typeof said.error === 'string') return;
    const problem = said.error?.data ?? said;
    assert.ok(
      candidates(example).flatMap(problemsOf).includes(problem.code),
      `${problem.code} is not documented there`,
    );
    assert.equal((await world.fetch(problem.type)).status, 200);
  });
