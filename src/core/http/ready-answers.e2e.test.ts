import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '#core/json-schema/type.ts';
import { createLog } from '#core/log.ts';
import { jsonAnswer, operation, type Reply } from './operation.ts';
import { createServer } from './server.ts';

test('a cached reply is sent without the handler until it is stale, except to conditional requests', async () => {
  let handled = 0;
  const counted: string[] = [];
  const cached = (text: string): Reply => ({
    media_type: 'application/json; charset=utf-8',
    body: Buffer.from(text),
    etag: text,
    encoded: new Map(),
    isFresh: () => current === text,
  });
  let current = '"one"';
  const list = operation({
    id: 'test.list',
    method: 'GET',
    path: '/list',
    summary: '',
    description: '',
    access: 'public',
    answers: { 200: jsonAnswer('', Type.String()) },
    problems: [],
  });
  const handler = () => {
    handled++;
    return cached(current);
  };
  const onAnswer = (operation: string, status: number) => void counted.push(`${operation} ${status}`);
  const server = createServer({ operations: [{ operation: list, handler }], log: createLog('silent'), onAnswer });
  const { port } = await server.listen('127.0.0.1', 0);
  const get = (headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/list`, { headers: { 'accept-encoding': 'identity', ...headers } });

  const first = await get();
  const second = await get();
  assert.equal(handled, 1);
  assert.deepEqual([await first.text(), await second.text()], ['"one"', '"one"']);
  const plain = (answer: Response) =>
    [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date').sort();
  assert.deepEqual(plain(second), plain(first));
  assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'));
  assert.equal((await get({ 'if-none-match': '*' })).status, 304);
  assert.equal((await get({ 'x-request-id': 'my-own-id-1' })).headers.get('x-request-id'), 'my-own-id-1');
  assert.equal(handled, 3);
  current = '"two"';
  assert.equal(await (await get()).text(), '"two"');
  assert.deepEqual(counted, ['test.list 200', 'test.list 200', 'test.list 304', 'test.list 200', 'test.list 200']);
  await server.close(0);
});
