import assert from 'node:assert/strict';
import { connect as connectTcp, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { allow, tlsServer, toLoopback } from '#test/egress-fixture.ts';
import { TEST_AUTHORITY } from '#test/fakes/test-authority.ts';
import { openProxyGate } from './proxy-gate.ts';

/** The proxy for boxes on other machines, over plain sockets. */

const server = await tlsServer();
const gate = await openProxyGate('127.0.0.1', 0, { resolve: toLoopback, guard: { allow_loopback: true } });
after(() => Promise.all([gate.close(), server.close()]));
const granted = allow('api.example.test', server.port);

async function ask(request: string): Promise<{ head: string; socket: Socket }> {
  const socket = connectTcp(gate.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(request);
  const head = await new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString('latin1')));
    socket.once('close', () => resolve(''));
  });
  return { head: head.split('\r\n')[0] ?? '', socket };
}
const connectRequest = (target: string, credentials: string | null): string =>
  `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${
    credentials === null ? '' : `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`
  }\r\n`;

async function statusOf(target: string, credentials: string | null): Promise<string> {
  const { head, socket } = await ask(connectRequest(target, credentials));
  socket.destroy();
  return head.split(' ')[1] ?? '';
}

/** The response of a server over TLS through the proxy, or the error of the handshake. */
async function through(target: string, servername: string, credentials: string): Promise<string> {
  const { head, socket } = await ask(connectRequest(target, credentials));
  assert.equal(head, 'HTTP/1.1 200 Connection Established');
  const tls = connectTls({ socket, servername, ca: TEST_AUTHORITY });
  tls.write(`GET /x HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`);
  let text = '';
  tls.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => {
    tls.once('error', (error) => resolve(`error: ${(error as NodeJS.ErrnoException).code}`));
    tls.once('close', () => resolve(text));
  });
}

test('connects to a granted host with the credentials of a box, and counts its bytes', async () => {
  const box = gate.open(granted);
  const text = await through(`api.example.test:${server.port}`, 'api.example.test', box.credentials);
  assert.match(text, /hello api\.example\.test\/x/);
  const [use] = box.uses();
  assert.deepEqual([use?.host, use?.outcome, (use?.bytes_in ?? 0) > 500], ['api.example.test', 'reached', true]);
  await box.close();
});

test('403 for other names, ports and addresses; refuses another name in the TLS handshake; lists each', async () => {
  const box = gate.open(granted);
  assert.equal(await statusOf(`other.test:${server.port}`, box.credentials), '403');
  assert.equal(await statusOf('api.example.test:22', box.credentials), '403');
  assert.equal(await statusOf(`127.0.0.1:${server.port}`, box.credentials), '403');
  assert.equal(await statusOf('no-port', box.credentials), '400');
  assert.match(await through(`api.example.test:${server.port}`, 'other.test', box.credentials), /^error|^$/);
  const refused = box.uses().map(({ host, reason }) => `${host} ${reason}`);
  assert.deepEqual(refused.sort(), [
    '127.0.0.1 not_granted',
    'api.example.test port',
    'api.example.test sni_mismatch',
    'other.test not_granted',
  ]);
  await box.close();
});

test('407 without credentials, with a wrong password, or after the box has ended', async () => {
  const target = `api.example.test:${server.port}`;
  const [box, other] = [gate.open(granted), gate.open(granted)];
  const [name] = box.credentials.split(':');
  const [, password] = other.credentials.split(':');
  assert.equal(await statusOf(target, null), '407');
  assert.equal(await statusOf(target, `${name}:${password}`), '407');
  await box.close();
  assert.equal(await statusOf(target, box.credentials), '407');
  await other.close();
});

test('405 for proxy requests without CONNECT', async () => {
  const { head, socket } = await ask('GET http://api.example.test/ HTTP/1.1\r\nHost: api.example.test\r\n\r\n');
  socket.destroy();
  assert.match(head, / 405 /);
});
