import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashApiKey, hintOf, isApiKeyText, newApiKeyText } from './api-key.ts';

/** The characters for the bytes 0 to 31. */
const KNOWN = 'cap_0123456789ABCDEFGHIJKLMNOPQRSTUV';

test('generated API keys are valid and unique', () => {
  const keys = Array.from({ length: 1_000 }, () => newApiKeyText());
  assert.ok(keys.every((key) => isApiKeyText(key) && /^cap_[0-9A-Za-z]{38}$/.test(key)));
  assert.equal(new Set(keys).size, 1_000);
});

test('an API key ends with its CRC-32 in base62, most significant digit first', () => {
  const text = newApiKeyText((size) => Uint8Array.from({ length: size }, (_, at) => at));
  assert.equal(text.slice(0, 36), KNOWN);
  assert.equal(text.slice(36), crcInBase62('0123456789ABCDEFGHIJKLMNOPQRSTUV'));
});

/** Bit by bit with big integers, so that it shares nothing with the code. */
function crcInBase62(text: string): string {
  let crc = 0xffffffffn;
  for (const byte of Buffer.from(text)) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0xedb88320n : crc >> 1n;
  }
  let left = crc ^ 0xffffffffn;
  const digits: string[] = [];
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  for (let at = 0; at < 6; at++) {
    digits.unshift(alphabet[Number(left % 62n)] as string);
    left /= 62n;
  }
  return digits.join('');
}

test('random bytes that would favor some characters are skipped', () => {
  const rounds = [Uint8Array.from({ length: 32 }, (_, at) => 248 + (at % 8)), new Uint8Array(32).fill(61)];
  assert.equal(newApiKeyText(() => rounds.shift() as Uint8Array).slice(4, 36), 'z'.repeat(32));
});

test('a key with one wrong character, and any other text, is not an API key', () => {
  const key = newApiKeyText();
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom(...'0Aaz_-é'), (at, character) => {
      fc.pre(key[at] !== character);
      return !isApiKeyText(key.slice(0, at) + character + key.slice(at + 1));
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => !isApiKeyText(text)));
  for (const text of [`${key} `, ` ${key}`, `${key}\n`, key.slice(0, -1), `${key}0`, key.toUpperCase()])
    assert.equal(isApiKeyText(text), false);
});

test('the stored hash and hint do not reveal the key', () => {
  const key = newApiKeyText();
  assert.match(hashApiKey(key), /^[0-9a-f]{64}$/);
  assert.equal(hintOf(key), `${key.slice(0, 8)}…`);
});
