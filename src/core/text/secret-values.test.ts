import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { secretValues } from './secret-values.ts';

const SECRET = 'pa"ss wörd+/&<1>';

test('a secret is redacted as it is and in the encodings in which servers repeat it', () => {
  const { scrub } = secretValues([SECRET]);
  const url = new URLSearchParams({ key: SECRET }).toString().slice(4);
  for (const form of [
    SECRET,
    encodeURIComponent(SECRET),
    encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase()),
    url,
    JSON.stringify(SECRET),
    JSON.stringify(JSON.stringify({ SECRET })),
    'pa&quot;ss wörd+/&amp;&lt;1&gt;',
    Buffer.from(SECRET).toString('hex'),
    Buffer.from(SECRET).toString('hex').toUpperCase(),
  ])
    assert.match(scrub(`before ${form} after`), /^before .*\[redacted\].* after$/, form);
});

test('a base64-encoded secret is redacted at any offset and leaves nothing of itself', () => {
  const secret = 'tok-1234567890abcdef';
  const { scrub } = secretValues([secret]);
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.constantFrom('base64', 'base64url'), (before, after, encoding) => {
      const encoded = Buffer.from(`${before}${secret}${after}`).toString(encoding as BufferEncoding);
      const clean = scrub(encoded);
      assert.match(clean, /\[redacted\]/);
      const decoded = Buffer.from(clean.replaceAll('[redacted]', ''), 'base64').toString('latin1');
      assert.ok(!decoded.includes('1234567890'));
    }),
  );
});

test('redacted text contains no secret, and text without one is unchanged', () => {
  const secret = fc.string({ minLength: 5, maxLength: 120, unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(6), { maxLength: 12 }),
      (secrets, parts) => {
        const { scrub } = secretValues(secrets);
        const text = parts.map((at) => secrets[at] ?? 'xay').join('');
        const clean = scrub(text);
        for (const secret of secrets) assert.ok(!clean.includes(secret), `${secret} in ${clean}`);
        const harmless = text.replaceAll(/[abc]/g, 'z');
        assert.equal(scrub(harmless), harmless);
      },
    ),
  );
});

test('the text around a secret is kept, also around two that overlap', () => {
  const { scrub } = secretValues(['abcdef', 'defghi']);
  assert.equal(scrub('1 abcdefghi 2 abcdef 3 defghi'), '1 [redacted] 2 [redacted] 3 [redacted]');
  assert.equal(scrub('abcdefabcdef'), '[redacted]');
  const long = 'x1'.repeat(500);
  assert.equal(secretValues([long]).scrub(`<${long}>`), '<[redacted]>');
  assert.equal(secretValues([long]).scrub(`<${long.slice(0, 100)}>`), '<[redacted]>', 'a beginning of it is enough');
});

test('scrubJson() redacts strings, names and numbers, and returns the same object if there is no secret', () => {
  const { scrubJson } = secretValues(['hunter2', '12345']);
  const clean = { a: ['fine', { b: 1, c: null, d: true }] };
  assert.equal(scrubJson(clean), clean);
  assert.deepEqual(scrubJson({ 'x hunter2': [{ text: 'is hunter2!' }], pin: 12_345, n: 7 }), {
    'x [redacted]': [{ text: 'is [redacted]!' }],
    pin: '[redacted]',
    n: 7,
  });
});

test('secrets of a few characters are not redacted', () => {
  const { scrub, bytes } = secretValues(['a', 'test', '']);
  assert.deepEqual([scrub('a test'), bytes], ['a test', 0]);
});

test('redaction time grows linearly with the text, whatever the secrets', () => {
  const secrets = [`${'a'.repeat(4_000)}b`, ...Array.from({ length: 30 }, (_, at) => `${'a'.repeat(at + 40)}c`)];
  const { scrub } = secretValues(secrets);
  const timeOf = (length: number) => {
    const text = 'a'.repeat(length);
    return cpuTimeOf(() => scrub(text), 1);
  };
  const [short, long] = [timeOf(100_000), timeOf(800_000)];
  assert.ok(long < 4 * 8 * Math.max(short, 1), `${short} ms, then ${long} ms for eight times as much`);
});
