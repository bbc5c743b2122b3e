import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { redactAttributes, redactText } from './redact.ts';

// Assembled here, so that secret scanners do not report them.
const SECRETS: [string, string][] = [
  ['Authorization: Bearer abcdef.ghijkl-mnop', 'abcdef.ghijkl-mnop'],
  ['authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['login password=hunter2secret&x=1', 'hunter2secret'],
  ['{"password":"hun ter\\"2","user":"ann"}', 'ter'],
  ['{\\"api_key\\":\\"kkkk1234\\"}', 'kkkk1234'],
  ["client_secret: 'qqqq wwww'", 'qqqq'],
  ['https://ann:opensesame@example.com/x', 'opensesame'],
  [`key ${'sk'}-proj-AAAABBBBCCCCDDDDEEEE`, 'AAAABBBB'],
  [`token ${'gh'}p_abcdefghijklmnopqrstuvwxyz0123`, 'abcdefghij'],
  [`${'AK'}IAABCDEFGHIJKLMNOP`, 'ABCDEFGHIJ'],
  [`${'ey'}JhbGciOiJFUzI1NiJ9.${'ey'}JzdWIiOiJhIn0.c2lnbmF0dXJl`, 'JzdWIi'],
  [`${'-----BEGIN'} PRIVATE KEY-----\nMIIabc\n${'-----END'} PRIVATE KEY-----`, 'MIIabc'],
];

test('secrets in text are redacted', () => {
  for (const [text, secret] of SECRETS) {
    const clean = redactText(text);
    assert.ok(!clean.includes(secret), `${text} → ${clean}`);
    assert.match(clean, /\[redacted\]/);
  }
});

test('ordinary text is not redacted', () => {
  for (const text of [
    '{"text":"hello","count":3}',
    'The token was refused. Basics: a passing test, secretary, keyboard. input_tokens: 12',
    'https://example.com/a?b=c#d user@example.com',
  ])
    assert.equal(redactText(text), text);
});

test('a password assignment is redacted in any context', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.string({ maxLength: 40 }), (before, after) => {
      assert.ok(!redactText(`${before} password=hunter2secret ${after}`).includes('hunter2secret'));
    }),
  );
});

test('attributes with secret names are redacted, and long texts and lists truncated', () => {
  const clean = redactAttributes({
    'http.request.header.authorization': 'anything',
    'db.password': 'x',
    'gen_ai.usage.input_tokens': 12,
    text: 'a'.repeat(10_000),
    list: Array.from({ length: 500 }, (_, index) => index),
    nothing: undefined,
  });
  assert.equal(clean['http.request.header.authorization'], '[redacted]');
  assert.equal(clean['db.password'], '[redacted]');
  assert.equal(clean['gen_ai.usage.input_tokens'], 12);
  assert.match(String(clean.text), /^a{8192}… \(cut, 10000 characters\)$/);
  assert.equal((clean.list as unknown[]).length, 128);
  assert.ok(!('nothing' in clean));
});

test('hostile text is redacted in linear time', () => {
  const hostile = ['password=', '"\\', 'Bearer ', '-----BEGIN A PRIVATE KEY-----', 'a://b', 'eyJ', 'token: "', 'sk-'];
  const texts = hostile.map((piece) => piece.repeat(Math.ceil(1_000_000 / piece.length)));
  const tookMs = cpuTimeOf(() => texts.forEach((text) => void redactText(text)), 1_000);
  assert.ok(tookMs < 1_000, `${tookMs} ms`);
});
