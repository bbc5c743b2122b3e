import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { growing, pumpOf } from '#test/growth.ts';
import { answerName } from './answer-name.ts';
import { DNS_CODE } from './dns-message.ts';
import { readGrants } from './grants.ts';
import { nameAddresses } from './name-addresses.ts';
import { useLedger } from './use-ledger.ts';

const TYPES = { A: 1, NS: 2, CNAME: 5, NULL: 10, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, HTTPS: 65, ANY: 255 };

function request(name: string, type = TYPES.A, { class_ = 1, flags = 0x0100, questions = 1, end = '' } = {}): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(0x1234, 0);
  header.writeUInt16BE(flags, 2);
  header.writeUInt16BE(questions, 4);
  const labels = name.split('.').flatMap((label) => [Buffer.of(label.length), Buffer.from(label, 'latin1')]);
  const tail = Buffer.alloc(4);
  tail.writeUInt16BE(type, 0);
  tail.writeUInt16BE(class_, 2);
  return Buffer.concat([header, ...labels, Buffer.of(0), tail, Buffer.from(end, 'hex')]);
}

function gate(limit = 2) {
  const grants = readGrants([
    { host: 'api.example.test', ports: [], plain: false },
    { host: '*.wild.test', ports: [], plain: false },
  ]);
  const ledger = useLedger(50);
  const context = { grants, ledger, addresses: nameAddresses(grants.exact, limit) };
  const ask = (message: Buffer) => {
    const answer = answerName(message, context);
    if (answer === null) return null;
    assert.equal(answer.readUInt16BE(0), message.readUInt16BE(0));
    const code = answer.readUInt16BE(2) & 15;
    const count = answer.readUInt16BE(6);
    return { code, address: count === 0 ? null : [...answer.subarray(-4)].join('.') };
  };
  return { ask, rows: ledger.rows };
}

test('answers each granted name with its own loopback IPv4 address and no other records', () => {
  const { ask, rows } = gate();
  const own = ask(request('api.example.test'))?.address;
  assert.match(own ?? '', /^127\.64\./);
  assert.equal(ask(request('API.Example.TEST'))?.address, own);
  assert.notEqual(ask(request('a.wild.test'))?.address, own);
  for (const [name, type] of Object.entries(TYPES))
    if (name !== 'A') assert.deepEqual(ask(request('api.example.test', type)), { code: 0, address: null }, name);
  assert.deepEqual(rows(), []);
});

test('answers NXDOMAIN for a name that is not granted, and records it', () => {
  const { ask, rows } = gate();
  for (const name of ['evil.test', 'wild.test', 'example.test', 'x.api.example.test', 'api.example.test.evil.test'])
    for (const type of [TYPES.A, TYPES.TXT])
      assert.deepEqual(ask(request(name, type)), { code: DNS_CODE.NXDOMAIN, address: null }, name);
  assert.deepEqual(rows().map(({ host, port, reason, connections }) => [host, port, reason, connections])[0], [
    'evil.test',
    0,
    'not_granted',
    2,
  ]);
  assert.equal(rows().length, 5);
});

test('resolves localhost to loopback, and does not record reverse lookups or invalid names', () => {
  const { ask, rows } = gate();
  assert.equal(ask(request('localhost'))?.address, '127.0.0.1');
  assert.equal(ask(request('app.localhost'))?.address, '127.0.0.1');
  for (const name of ['1.0.64.127.in-addr.arpa', 'a b.test', 'a\xff.test', '127.0.0.1', '2130706433', '0x7f000001'])
    assert.equal(ask(request(name, TYPES.A))?.code, DNS_CODE.NXDOMAIN, name);
  assert.deepEqual(rows(), []);
});

test('limits the number of names below a wildcard, but always resolves exact names', () => {
  const { ask, rows } = gate(2);
  const codes = ['a', 'b', 'c'].map((label) => ask(request(`${label}.wild.test`))?.code);
  assert.deepEqual(codes, [0, 0, DNS_CODE.SERVFAIL]);
  assert.equal(ask(request('api.example.test'))?.code, 0);
  assert.deepEqual(rows()[0]?.reason, 'too_many');
});

test('answers malformed requests with an error code or not at all', () => {
  const { ask } = gate();
  assert.equal(ask(Buffer.alloc(11)), null, 'too short');
  assert.equal(ask(request('api.example.test', 1, { flags: 0x8180 })), null, 'an answer');
  assert.equal(ask(request('api.example.test', 1, { end: '00'.repeat(1_300) })), null, 'too long');
  assert.equal(ask(request('api.example.test', 1, { flags: 0x2900 }))?.code, DNS_CODE.NOTIMP, 'an update');
  assert.equal(ask(request('api.example.test', 1, { class_: 3 }))?.code, DNS_CODE.NOTIMP, 'CHAOS');
  assert.equal(ask(request('api.example.test', 1, { questions: 2 }))?.code, DNS_CODE.FORMERR, 'two questions');
  const pointer = Buffer.concat([request('a').subarray(0, 12), Buffer.from('c00c00010001', 'hex')]);
  assert.equal(ask(pointer)?.code, DNS_CODE.FORMERR, 'a pointer');
  assert.equal(ask(request('api.example.test').subarray(0, 20))?.code, DNS_CODE.FORMERR, 'a cut name');
  const edns = '0000290fa0000080000000';
  assert.equal(ask(request('api.example.test', 1, { end: edns }))?.code, 0, 'EDNS');
  // Without a check, a dot inside a label would turn it into another name.
  const dotted = Buffer.concat([
    request('a').subarray(0, 12),
    Buffer.from('\x10api.example.test\x00\x00\x01\x00\x01', 'latin1'),
  ]);
  assert.equal(ask(dotted)?.code, DNS_CODE.NXDOMAIN);
});

test('random changes to a request cause no crash, and every answer is short', () => {
  const { grants, ledger, addresses } = {
    grants: readGrants([]),
    ledger: useLedger(10),
    addresses: nameAddresses([], 10),
  };
  const good = request('api.example.test', 1, { end: '0000290fa0000080000000' });
  const edit = fc.record({ at: fc.nat(good.length - 1), value: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 5 }), fc.nat(good.length), (edits, end) => {
      const bytes = Buffer.from(good);
      for (const { at, value } of edits) bytes[at] = value;
      const answer = answerName(bytes.subarray(0, end), { grants, ledger, addresses });
      assert.ok(answer === null || answer.length <= 12 + 259 + 16);
    }),
    { numRuns: 2_000 },
  );
  assert.ok(ledger.rows().length <= 10);
});

test('processing time grows linearly with the length of the request', () => {
  const { grants, ledger, addresses } = {
    grants: readGrants([{ host: '*.wild.test', ports: [], plain: false }]),
    ledger: useLedger(10),
    addresses: nameAddresses([], 10),
  };
  const start = request('a').subarray(0, 12).toString('latin1');
  const ask = (text: string) => answerName(Buffer.from(text, 'latin1'), { grants, ledger, addresses });
  const pumps = ['\x01a', '\x3f', '\x01.', '\x00', '\xc0\x0c'].map((piece) => pumpOf(piece, { start }));
  assert.deepEqual(growing(ask, pumps), []);
});
