import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { createOutbound } from '#core/outbound/outbound.ts';
import { serveDocuments } from '#test/authorization-client.ts';
import { clientDocuments } from './client-documents.ts';

const asked: string[] = [];
const document = (client_id: string, more: object = {}): string =>
  JSON.stringify({ client_id, client_name: 'Editor', redirect_uris: ['https://editor.example/cb'], ...more });
const as = (response: ServerResponse, type: string, body: string, status = 200) =>
  response.writeHead(status, { 'content-type': type }).end(body);
const JSON_TYPE = 'application/json';

const answers: Record<string, (id: string, response: ServerResponse) => unknown> = {
  '/good.json': (id, response) => as(response, JSON_TYPE, document(id)),
  '/nameless.json': (id, response) => as(response, 'application/cimd+json', document(id, { client_name: undefined })),
  '/other.json': (_, response) => as(response, JSON_TYPE, document('https://else.example/x.json')),
  '/secret.json': (id, response) =>
    as(response, JSON_TYPE, document(id, { token_endpoint_auth_method: 'client_secret_basic' })),
  '/html': (id, response) => as(response, 'text/html', document(id)),
  '/broken.json': (_, response) => as(response, JSON_TYPE, '{'),
  '/list.json': (_, response) => as(response, JSON_TYPE, '[]'),
  '/gone.json': (id, response) => as(response, JSON_TYPE, document(id), 404),
  '/moved.json': (_, response) => response.writeHead(302, { location: '/moved-to' }).end(),
  // The document names the first address.
  '/moved-to': (_, response) => as(response, JSON_TYPE, document(at('/moved.json'))),
  '/huge.json': (id, response) => as(response, JSON_TYPE, document(id, { x: 'x'.repeat(20_000) })),
  '/bad-redirect.json': (id, response) =>
    as(response, JSON_TYPE, document(id, { redirect_uris: ['javascript:alert(1)'] })),
  '/slow.json': () => {},
};
function listener(request: IncomingMessage, response: ServerResponse): void {
  asked.push(request.url ?? '');
  void answers[request.url ?? '']?.(servers.secure.url + request.url, response);
}
const servers = { secure: await serveDocuments(listener, true), plain: await serveDocuments(listener, false) };
const outbound = createOutbound({ allow_loopback: true, user_agent: 'test' });
after(async () => {
  servers.secure.close();
  servers.plain.close();
  await outbound.close();
});

const clock = { ms: 0, now: () => clock.ms };
const open = (production: boolean, fetch = outbound.fetch) => clientDocuments({ fetch, clock, production });
const read = open(true);
const at = (path: string): string => servers.secure.url + path;
const REFUSED = { code: 'auth.oauth_invalid' };

test('a client is read from its metadata document, which must name its own URL', async () => {
  const { host } = new URL(at('/'));
  const client = { id: at('/good.json'), name: 'Editor', host, redirect_uris: ['https://editor.example/cb'] };
  assert.deepEqual(await read(at('/good.json')), client);
  assert.equal((await read(at('/nameless.json'))).name, host);
});

test('invalid, foreign, oversized and slow client documents are refused', async () => {
  for (const path of [
    '/other.json',
    '/secret.json',
    '/html',
    '/broken.json',
    '/list.json',
    '/gone.json',
    '/moved.json',
  ])
    await assert.rejects(read(at(path)), REFUSED, path);
  await assert.rejects(read(at('/huge.json')), REFUSED);
  await assert.rejects(read(at('/bad-redirect.json')), { code: 'auth.oauth_invalid', reason: 'client_metadata' });
  const hasty = open(true, (url, init) => outbound.fetch(url, { ...init, timeout_ms: (init?.timeout_ms ?? 0) / 100 }));
  await assert.rejects(hasty(at('/slow.json')), REFUSED, 'slow');
});

test('a client id that is not in canonical form is refused without a request', async () => {
  const before = asked.length;
  const { url } = servers.secure;
  const others = [url, `${url}/`, at('/a/../good.json'), at('/good.json?x'), at('/good.json#x'), at('/./good.json')];
  const odd = [
    at('/good.json').replace('localhost', 'LOCALHOST'),
    at('/good.json').replace('//', '//u@'),
    'https://',
    `${at('/')}${'x'.repeat(600)}`,
  ];
  for (const id of [...others, ...odd, `${servers.plain.url}/good.json`]) await assert.rejects(read(id), REFUSED, id);
  assert.equal(asked.length, before);
});

test('client documents at private addresses are refused like unreachable ones', async () => {
  const guarded = createOutbound({ allow_loopback: false, user_agent: 'test' });
  const strict = open(true, guarded.fetch);
  for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]', 'localhost'])
    await assert.rejects(strict(`https://${host}/client.json`), (error: Error & { code: string }) => {
      assert.equal(error.code, REFUSED.code);
      assert.match(error.message, /it could not be fetched/);
      return true;
    });
  await guarded.close();
});

test('client documents over http on loopback are allowed outside production', async () => {
  answers['/plain.json'] = (_, response) => as(response, JSON_TYPE, document(`${servers.plain.url}/plain.json`));
  assert.equal((await open(false)(`${servers.plain.url}/plain.json`)).name, 'Editor');
});

test('a client document is cached for ten minutes, a failure for fifteen seconds', async () => {
  const fresh = open(true);
  const count = (path: string) => asked.filter((text) => text === path).length;
  const [good, bad] = [count('/good.json'), count('/html')];
  const both = async () => {
    await Promise.all([fresh(at('/good.json')), fresh(at('/good.json')), assert.rejects(fresh(at('/html')))]);
  };
  await both();
  await both();
  assert.deepEqual([count('/good.json') - good, count('/html') - bad], [1, 1]);
  clock.ms += 16_000;
  await both();
  assert.deepEqual([count('/good.json') - good, count('/html') - bad], [1, 2]);
  clock.ms += 600_000;
  await both();
  assert.deepEqual([count('/good.json') - good, count('/html') - bad], [2, 3]);
});
