import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { until } from '#test/until.ts';
import type { RefusalReason } from './egress.ts';
import { EGRESS_LIMITS } from './limits.ts';
import { relay } from './relay.ts';
import { useLedger } from './use-ledger.ts';

/** Both ends of a connection. */
async function pair(t: TestContext): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const far = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  const [near] = (await accepted) as [Socket];
  server.close();
  for (const socket of [far, near]) {
    socket.on('error', () => {});
    t.after(() => void socket.destroy());
  }
  return [far, near];
}

/** A relay between `box` and `host`, with what each of them received. */
async function relayed(t: TestContext, limits: Partial<typeof EGRESS_LIMITS> = {}) {
  const [box, client] = await pair(t);
  const [host, server] = await pair(t);
  const refusals: RefusalReason[] = [];
  const received = { box: '', host: '' };
  box.on('data', (chunk) => {
    received.box += chunk;
  });
  host.on('data', (chunk) => {
    received.host += chunk;
  });
  const row = useLedger(1).reached('a.test', 443);
  relay({
    client,
    server,
    row,
    tls: false,
    name: 'a.test',
    first: Buffer.from('first '),
    limits: { ...EGRESS_LIMITS, ...limits },
    spend: () => true,
    refused: (reason) => void refusals.push(reason),
  });
  return { box, host, client, received, refusals, row };
}

test('data in either direction keeps a connection open, and an idle one is closed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { box, host, client, received, refusals } = await relayed(t, { idle_ms: 1_000 });
  const pass = async (from: Socket, to: 'box' | 'host', text: string): Promise<void> => {
    from.write(text);
    await settled(() => received[to].endsWith(text));
    t.mock.timers.tick(900);
    assert.equal(client.destroyed, false, text);
  };
  await pass(box, 'host', 'one');
  await pass(host, 'box', 'two');
  await pass(box, 'host', 'three');
  t.mock.timers.tick(200);
  assert.equal(client.destroyed, true);
  assert.deepEqual(refusals, ['timeout']);
});

test('closes a connection after its maximum duration, even if it is busy', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { box, client, received, refusals } = await relayed(t, { total_ms: 1_000 });
  box.write('still here');
  await settled(() => received.host.endsWith('here'));
  t.mock.timers.tick(1_000);
  assert.equal(client.destroyed, true);
  assert.deepEqual(refusals, ['timeout']);
});

test('either side may end first and still receive the rest of the data', async (t) => {
  for (const first of ['box', 'host'] as const) {
    const sides = await relayed(t);
    const other = first === 'box' ? 'host' : 'box';
    const ended = once(sides[other], 'end');
    sides[first].end('request');
    await ended;
    sides[other].end('answer');
    await until('the end', () => sides.client.destroyed);
    await until('the answer', () => sides.received[first].endsWith('answer'));
    assert.equal(sides.received[other], first === 'box' ? 'first request' : 'request');
    assert.deepEqual(sides.refusals, []);
  }
});

test('a reset on one side closes the other side', async (t) => {
  const { box, host, client, received } = await relayed(t);
  const ended = once(host, 'end');
  await until('the first bytes', () => received.host !== '');
  box.resetAndDestroy();
  await until('the end', () => client.destroyed);
  await ended;
});

test('applies backpressure to the sender, and counts bytes as they are forwarded', async (t) => {
  const { box, host, row, received } = await relayed(t);
  await until('the first bytes', () => received.host !== '');
  host.pause();
  const block = Buffer.alloc(1_000_000);
  let written = 0;
  while (box.write(block) || box.writableLength < 20 * block.length) {
    written += block.length;
    if (written >= 60 * block.length) break;
  }
  await until('a standstill', async () => {
    const before = row.bytes_out;
    for (let turns = 0; turns < 500; turns++) await new Promise(setImmediate);
    return before > 100 && before === row.bytes_out;
  });
  assert.ok(row.bytes_out < written, 'most of it is still with the box');
  host.resume();
  await until('everything', () => row.bytes_out >= written);
});

/** Waits without timers, because those are mocked. */
async function settled(is: () => boolean): Promise<void> {
  while (!is()) await new Promise(setImmediate);
}
