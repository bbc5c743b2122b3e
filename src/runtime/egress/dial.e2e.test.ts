import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createDialler } from './dial.ts';

const server = createServer((socket) => socket.end('hello'));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };
let accepted = 0;
server.on('connection', (socket) => {
  socket.on('error', () => {});
  accepted += 1;
});
after(() => server.close());

const times = { resolve_ms: 10_000, connect_ms: 10_000 };
const guard = { allow_loopback: false };
const dial = (addresses: string[], { plain = false, allow_loopback = false } = {}) =>
  createDialler({
    ...times,
    guard: { allow_loopback },
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  }).dial('name.test', port, { plain });

test('refuses a name with a private or invalid address without connecting', async () => {
  const addresses = [
    ...['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
    ...['::1', '::', 'fe80::1', 'fe80::1%lo', 'fd00::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8'],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', 'ff02::1'],
    // Node would resolve these again, without a check, because they are not addresses.
    ...['2130706433', '0x7f000001', '0177.0.0.1', '127.1', 'localhost', ''],
  ];
  for (const address of addresses) assert.deepEqual(await dial([address]), { refused: 'private_address' }, address);
  assert.deepEqual(await dial(['8.8.8.8', '10.0.0.1']), { refused: 'private_address' }, 'one of several');
  assert.deepEqual(await dial(['127.0.0.1', '10.0.0.1'], { allow_loopback: true }), { refused: 'private_address' });
  assert.equal(accepted, 0);
});

test('connects to loopback if the guard allows it or the grant is plain', async () => {
  for (const options of [{ allow_loopback: true }, { plain: true }]) {
    const dialled = await dial(['127.0.0.1'], options);
    assert.ok('socket' in dialled);
    dialled.socket.destroy();
  }
});

test('resolves and checks the name again for each connection', async () => {
  let looks = 0;
  const answers = ['127.0.0.1', '10.0.0.1'];
  const { dial: again } = createDialler({
    ...times,
    guard: { allow_loopback: true },
    resolve: async () => [{ address: answers[looks++] as string, family: 4 }],
  });
  const first = await again('name.test', port, { plain: false });
  assert.ok('socket' in first);
  first.socket.destroy();
  assert.deepEqual(await again('name.test', port, { plain: false }), { refused: 'private_address' });
});

test('unresolvable: a name without addresses, and a lookup that fails or times out', async () => {
  assert.deepEqual(await dial([]), { refused: 'unresolvable' });
  const failing = createDialler({ ...times, guard, resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  assert.deepEqual(await failing.dial('name.test', port, { plain: false }), { refused: 'unresolvable' });
  const endless = createDialler({ ...times, resolve_ms: 5, guard, resolve: () => new Promise(() => {}) });
  const refused = await Promise.all([1, 2, 3].map(() => endless.dial('name.test', port, { plain: false })));
  assert.deepEqual(refused, Array(3).fill({ refused: 'unresolvable' }));
});

test('resolves at most two names at the same time, and the others afterwards', async () => {
  let [running, most] = [0, 0];
  const { dial: each } = createDialler({
    ...times,
    guard,
    async resolve() {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return [];
    },
  });
  await Promise.all(Array.from({ length: 9 }, () => each('name.test', port, { plain: false })));
  assert.equal(most, 2);
});

test('drops a connection whose remote address is not one of the checked addresses', async () => {
  const astray = () =>
    new Promise<Socket>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
    });
  const resolve = async () => [{ address: '8.8.8.8', family: 4 }];
  const { dial: drop } = createDialler({ ...times, guard, resolve }, astray);
  assert.deepEqual(await drop('name.test', port, { plain: false }), { refused: 'private_address' });
});

test('unreachable: nothing listens on the port', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port: free } = closed.address() as { port: number };
  await new Promise((resolve) => closed.close(resolve));
  const dialler = createDialler({
    ...times,
    guard: { allow_loopback: true },
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  assert.deepEqual(await dialler.dial('name.test', free, { plain: false }), { refused: 'unreachable' });
});
