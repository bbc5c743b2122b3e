import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { growing, pumpsOf } from '#test/growth.ts';
import { MASK, redactSecrets } from './redact.ts';

const PIECES = [
  ...['a', 'A', '0', '-', ' ', '\n', '"', "'", '\\', '\\"', ':', '=', '/', '.', '_', '@', '://', 'a://', 'a://b:'],
  'eyJ',
  '-eyJ',
  'eyJaaaaaaaa',
  '.eyJaaaaaaaa',
  'Bearer ',
  'Basic\n',
  'Token\t',
  'sk-',
  'ghp_',
  'github_pat_',
  'xoxb-',
  'AKIA',
  'AIza',
  'glpat-',
  'npm_',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN A',
  '-----END A',
  'authorization:',
  'authorization: ',
  'cookie:',
  'set-cookie: ',
  'secret',
  'secret=',
  'secret="',
  "secret='",
  'secret=\\"',
  'password: ',
  'api-key',
  'token        ',
  '[redacted]',
  'secret=[redacted]',
];

test('redaction time grows linearly with the length of the text', () => {
  assert.deepEqual(growing(redactSecrets, pumpsOf(PIECES)), []);
});

test('half a megabyte within one quoted secret is redacted', () => {
  for (const piece of ['a', '\\a', '\\\\', ' '])
    assert.equal(redactSecrets(`secret="${piece.repeat(500_000)}"`), `secret=${MASK}`);
});

/** The definition of a signed token as a simple, slow pattern. */
const PLAIN_TOKEN = /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g;
const TOKEN_PIECES = ['eyJ', 'aaaaaaaa', '-', '.', '_', ' ', 'b', 'eyJhbGciOiJFUzI1NiJ9', '.eyJzdWIiOiJhIn0', '.c2ln'];

test('redaction finds the same signed tokens as a simple pattern', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...TOKEN_PIECES), { maxLength: 24 }), (parts) => {
      const text = parts.join('');
      assert.equal(redactSecrets(text), text.replace(PLAIN_TOKEN, MASK));
    }),
    { numRuns: 2_000 },
  );
});
