import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#core/problem/problem.ts';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { newPassword } from './password-rule.ts';

function refused(text: string): boolean {
  try {
    newPassword(text, 'ada.lovelace@example.org');
    return false;
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.deepEqual([error.code, error.status, error.errors?.[0]?.pointer], ['http.invalid', 400, '/password']);
    assert.ok(!error.message.includes(text), 'the password is not shown');
    return true;
  }
}

test('common passwords, sequences and variants of the address are rejected', () => {
  const weak = [
    'short',
    '1234567',
    '12345678',
    '87654321',
    'abcdefgh',
    'aaaaaaaa',
    'abababab',
    'Password123!',
    '123qwerty',
  ];
  weak.push(
    'ada.lovelace',
    'ADA.LOVELACE@example.org',
    'P@ssw0rd!!',
    'capstan2026',
    'letmein!',
    '\ud800abcdefg1',
    'ｐａｓｓｗｏｒｄ',
  );
  assert.deepEqual(
    weak.filter((text) => !refused(text)),
    [],
  );
});

test('passwords with spaces or any script are accepted, without required character classes', () => {
  const good = [
    'correct horse',
    'mostly lower case',
    '12938471',
    'пароль посложнее',
    '密码密码很长的一个吧',
    '🐎🔋🧷🌻🪝🛟🧭⛵',
    'xxxyz!?ab',
  ];
  assert.deepEqual(good.filter(refused), []);
});

test('different Unicode forms of a text are one password', () => {
  assert.equal(newPassword('cafe\u0301 au lait', 'a@b.org'), newPassword('café au lait', 'a@b.org'));
});

test('a long password is checked in linear time', () => {
  const texts = ['1'.repeat(256), `${'1'.repeat(255)}a`, 'ﷺ'.repeat(256)];
  assert.ok(cpuTimeOf(() => texts.forEach((text) => void refused(text)), 50) < 50);
});
