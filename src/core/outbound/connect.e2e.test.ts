import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import type { buildConnector } from 'undici';
import { guardedConnector, guardedLookup } from './connect.ts';

const closed = { allow_loopback: false };

const lookUp = (addresses: string[], guard = closed) =>
  new Promise<unknown>((resolve, reject) => {
    const answers = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const lookup = guardedLookup(guard, 'https:', async () => answers);
    lookup('name.example', { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });

test('every DNS answer is checked, not only the first', async () => {
  assert.deepEqual(await lookUp(['8.8.8.8', '1.1.1.1']), [
    { address: '8.8.8.8', family: 4 },
    { address: '1.1.1.1', family: 4 },
  ]);
  await assert.rejects(lookUp(['8.8.8.8', '10.0.0.1']), { code: 'outbound.failed', reason: 'blocked' });
  await assert.rejects(lookUp(['::ffff:169.254.169.254']), { code: 'outbound.failed', reason: 'blocked' });
  await assert.rejects(lookUp(['127.0.0.1']), { code: 'outbound.failed', reason: 'blocked' });
  assert.ok(await lookUp(['127.0.0.1'], { allow_loopback: true }));
  await assert.rejects(lookUp([]), { code: 'ENOTFOUND' });
});

test('a socket connected to an address other than the resolved one is closed', async () => {
  const server = createServer();
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { connect } = await import('node:net');
  // A transport that ignores the checked answers, as behind a rebinding resolver or a proxy.
  const astray = (() => (_options: unknown, callback: buildConnector.Callback) => {
    const socket = connect(port, '127.0.0.1', () => callback(null, socket));
  }) as unknown as typeof buildConnector;
  const connector = guardedConnector(closed, async () => [{ address: '8.8.8.8', family: 4 }], astray);
  const failure = await new Promise<Error | null>((resolve) =>
    connector({ hostname: 'name.example', protocol: 'https:', port: '443' }, (...[error]) => resolve(error)),
  );
  assert.equal((failure as { code?: string }).code, 'outbound.failed');
  const socket = await accepted;
  await new Promise((resolve) => socket.once('close', resolve).resume());
  server.close();
});
