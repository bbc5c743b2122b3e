import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { operatorPost } from './operator-post.ts';

test('operatorPost() sends and receives JSON, with the credentials of the URL', async (t) => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { authorization, 'content-type': type } = request.headers;
      response.end(
        JSON.stringify({ type, authorization, path: request.url, body: JSON.parse(`${Buffer.concat(chunks)}`) }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  assert.deepEqual(await operatorPost(`http://a%40b:c@127.0.0.1:${port}/v3/key`, { n: 1 }, 60_000), {
    type: 'application/json',
    authorization: `Basic ${Buffer.from('a@b:c').toString('base64')}`,
    path: '/v3/key',
    body: { n: 1 },
  });
});

test('operatorPost() times out if the server does not respond', async (t) => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  await assert.rejects(operatorPost(`http://127.0.0.1:${port}`, {}, 50), { code: 'outbound.timeout' });
});
