import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '#core/json-schema/type.ts';
import { createLog } from '#core/log.ts';
import { inProcess } from './in-process.ts';
import { jsonAnswer, jsonText, operation, type Reply } from './operation.ts';
import { createServer } from './server.ts';

const what = operation({
  id: 'test.getWhat',
  method: 'GET',
  path: '/what',
  summary: '',
  description: '',
  access: 'public',
  query: Type.Object({ reply: Type.String() }),
  answers: { 200: jsonAnswer('', Type.String()) },
  problems: [],
});

async function* chunks(before: string): AsyncGenerator<string> {
  if (before === 'fail') throw new Error('before anything');
  yield '{"one":';
  if (before === 'break') throw new Error('in the middle');
  yield '1}';
}

const released: string[] = [];
const REPLIES: Record<string, () => Reply> = {
  whole: () => jsonText('{"a":1}', { release: () => released.push('whole') }),
  moved: () => jsonText('{}', { status: 308, headers: { location: '/there', vary: 'accept' } }),
  stream: () => ({ ...jsonText(''), body: chunks('') }),
  fail: () => ({ ...jsonText(''), body: chunks('fail') }),
  break: () => ({ ...jsonText(''), body: chunks('break') }),
};
function handler({ query }: { query: { reply?: string } }): Reply {
  const reply = REPLIES[query.reply ?? ''];
  if (reply === undefined) throw new Error('a bug');
  return reply();
}
const counted: string[] = [];
const server = createServer({
  operations: [{ operation: what, handler: handler as never }],
  log: createLog('silent'),
  onAnswer: (operation, status) => void counted.push(`${operation} ${status}`),
});
const { port } = await server.listen('127.0.0.1', 0);
test.after(() => server.close(0));

type Init = { method?: string; headers?: Record<string, string> };
const direct = (path: string, init: Init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });

async function shown(answer: Response): Promise<unknown> {
  const ours = [...answer.headers].filter(([name]) => !/^(date|connection|keep-alive|transfer-encoding)$/.test(name));
  return [answer.status, ours.sort(), await answer.text()];
}

const id = { 'x-request-id': 'the-same-id', 'accept-encoding': 'identity' };
const ASKED: [path: string, headers?: Record<string, string>][] = [
  ['/what?reply=whole'],
  ['/what?reply=whole', { 'if-none-match': '*' }],
  ['/what?reply=whole', { 'content-type': 'nonsense' }],
  ['/what?reply=moved'],
  ['/what?reply=stream'],
  ['/what?reply=fail'],
  ['/what?reply=bug'],
  ['/what?reply=whole&reply=stream'],
  ['/what?colour=red'],
  ['/what'],
];
for (const [path, headers = {}] of ASKED)
  test(`with and without the router, the response is the same: ${path} ${JSON.stringify(headers)}`, async () => {
    const init = { headers: { ...id, ...headers } };
    counted.length = 0;
    const mine = await shown(await direct(path, init));
    const routed = await shown(await inProcess(server.fastify, path, init));
    assert.deepEqual(mine, routed);
    assert.deepEqual(counted, [counted[1], counted[1]]);
  });

test('a stream that fails closes the connection instead of looking complete', async () => {
  await assert.rejects(async () => (await direct('/what?reply=break', {})).text());
});

test('a reply is released after its body or a 304 was sent', async () => {
  released.length = 0;
  await (await direct('/what?reply=whole', {})).text();
  await (await direct('/what?reply=whole', { headers: { 'if-none-match': '*' } })).text();
  assert.deepEqual(released, ['whole', 'whole']);
});
