import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { helloBytes, nameList, records } from '#test/client-hello-bytes.ts';
import { growing, pumpOf } from '#test/growth.ts';
import { type HelloVerdict, helloReader } from './client-hello.ts';
import { isRetryRequest } from './retry-request.ts';

function read(bytes: Buffer, chunkBytes = bytes.length): HelloVerdict {
  const reader = helloReader();
  let verdict: HelloVerdict = { state: 'incomplete' };
  for (let at = 0; at < bytes.length && verdict.state === 'incomplete'; at += chunkBytes)
    verdict = reader.push(bytes.subarray(at, at + chunkBytes));
  return verdict;
}

/** The first bytes that Node's TLS client sends. */
async function realHello(servername: string, options: object = {}): Promise<Buffer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', servername, ...options });
  client.on('error', () => {});
  const [socket] = await accepted;
  const [bytes] = await once(socket, 'data');
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

test('reads the server name of ClientHellos from Node, in chunks of any size', async () => {
  for (const options of [{}, { maxVersion: 'TLSv1.2' }, { ALPNProtocols: ['h2', 'http/1.1'] }]) {
    const bytes = await realHello('api.example.test', options);
    for (const chunkBytes of [1, 2, 5, 7, 100, bytes.length])
      assert.deepEqual(read(bytes, chunkBytes), {
        state: 'complete',
        hello: { server_name: 'api.example.test', encrypted: false },
      });
  }
  const unnamed = read(await realHello(''));
  assert.deepEqual(unnamed, { state: 'complete', hello: { server_name: null, encrypted: false } });
});

test('reads a ClientHello split into records of any size, and keeps all bytes to forward', () => {
  for (const record_bytes of [1, 3, 4, 5, 50, 16_384]) {
    const hello = helloBytes({ names: ['a.test'], record_bytes });
    const bytes = Buffer.concat([hello, Buffer.from('early data')]);
    const reader = helloReader();
    assert.equal(reader.push(bytes).state, 'complete');
    assert.deepEqual(reader.taken(), bytes);
    assert.equal(reader.hello_bytes(), hello.length);
  }
});

test('detects encrypted server names (ECH and ESNI)', () => {
  for (const type of [0xfe0d, 0xffce])
    assert.deepEqual(read(helloBytes({ names: ['a.test'], extensions: [[type, Buffer.alloc(40)]] })), {
      state: 'complete',
      hello: { server_name: 'a.test', encrypted: true },
    });
});

test('detects other protocols at their first byte', () => {
  for (const text of ['GET / HTTP/1.1\r\n', 'SSH-2.0-x', '\x80\x2e\x01\x00\x02', '\x17\x03\x03\x00\x05hello'])
    assert.equal(read(Buffer.from(text, 'latin1'), 1).state, 'not_tls', text);
});

test('rejects ambiguous ClientHellos as malformed', () => {
  const good = helloBytes({ names: ['a.test'] });
  const changed = (at: number, value: number): Buffer => {
    const bytes = Buffer.from(good);
    bytes[at] = value;
    return bytes;
  };
  const message = good.subarray(5);
  const cases: Record<string, Buffer> = {
    'two names': helloBytes({ names: ['a.test', 'b.test'] }),
    'an empty name': helloBytes({ names: [''] }),
    'the extension twice': helloBytes({ names: ['a.test'], extensions: [[0, nameList(['b.test'])]] }),
    'a name that is longer than its list': helloBytes({ extensions: [[0, Buffer.from('000500000961', 'hex')]] }),
    'a name of another type': helloBytes({ extensions: [[0, Buffer.from('0004010001 61'.replace(' ', ''), 'hex')]] }),
    'bytes behind the list': helloBytes({ extensions: [[0, Buffer.concat([nameList(['a.test']), Buffer.of(1)])]] }),
    'another message': changed(5, 2),
    'SSL 2 inside': changed(1, 2),
    'an empty record': Buffer.concat([Buffer.from('1603010000', 'hex'), good]),
    'a second message in the record': records(Buffer.concat([message, message]), 16_384),
    'a byte behind the message in the record': records(Buffer.concat([message, Buffer.of(0)]), 16_384),
    'data in the middle': Buffer.concat([records(message, 50).subarray(0, 55), Buffer.from('1703030001ff', 'hex')]),
    'extensions that end early': records(Buffer.concat([message, Buffer.of(0)]), 16_384),
    'more than 16 KiB': helloBytes({ names: ['a.test'], extensions: [[21, Buffer.alloc(16_384)]] }),
  };
  for (const [name, bytes] of Object.entries(cases)) assert.equal(read(bytes).state, 'malformed', name);
});

test('truncated input is incomplete, and the verdict on modified bytes does not depend on chunks', () => {
  const good = helloBytes({ names: ['api.example.test'], record_bytes: 60 });
  for (let end = 0; end < good.length; end++) assert.equal(read(good.subarray(0, end)).state, 'incomplete');
  const edit = fc.record({ at: fc.nat(good.length - 1), value: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 80 }), (edits, size) => {
      const bytes = Buffer.from(good);
      for (const { at, value } of edits) bytes[at] = value;
      assert.deepEqual(read(bytes, size), read(bytes, 1));
    }),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
      const body = Buffer.concat([Buffer.of(1, 0, 0, noise.length), noise]);
      assert.notEqual(read(records(body, 16_384)).state, 'not_tls');
    }),
  );
});

test('processing time grows linearly with the bytes, even in chunks and records of one byte', () => {
  const push = (text: string): unknown => read(Buffer.from(text, 'latin1'), 1);
  const record = '\x16\x03\x01\x00\x01';
  const long = `${record}\x01${record}\x00${record}\x3f${record}\xfb`;
  assert.deepEqual(
    growing(push, [
      pumpOf(`${record}\x00`, { start: long }),
      pumpOf('\x00', { start: '\x16\x03\x01\x40\x00\x01\x00\x3f\xfb' }),
      pumpOf('\x00\x15\x00\x00'),
    ]),
    [],
  );
});

test('accepts one ChangeCipherSpec record before the ClientHello only after a retry', () => {
  const filler = Buffer.from('140303000101', 'hex');
  const hello = helloBytes({ names: ['a.test'] });
  const again = helloReader({ after_retry: true });
  assert.equal(again.push(Buffer.concat([filler, hello])).state, 'complete');
  assert.equal(helloReader({ after_retry: true }).push(Buffer.concat([filler, filler, hello])).state, 'not_tls');
  assert.equal(read(Buffer.concat([filler, hello])).state, 'not_tls');
});

test('tells a HelloRetryRequest from a ServerHello', () => {
  const retry = Buffer.from(
    '16030300580200005403 03cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c20'.replace(' ', ''),
    'hex',
  );
  const hello = Buffer.from(retry);
  hello[20] = 0;
  assert.equal(isRetryRequest(retry), true);
  assert.equal(isRetryRequest(hello), false);
  assert.equal(isRetryRequest(retry.subarray(0, 42)), null);
  assert.equal(isRetryRequest(Buffer.from('15030300020228', 'hex')), false);
});
