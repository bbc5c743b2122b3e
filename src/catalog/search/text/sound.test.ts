import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growing, pumpsOf } from '#test/growth.ts';
import { soundOf } from './sound.ts';

test('words that are pronounced alike have the same sound', () => {
  const alike = [
    ['fone', 'phone'],
    ['skedule', 'schedule'],
    ['kwery', 'query'],
    ['nolege', 'knowledge'],
    ['imij', 'image'],
    ['flite', 'flight'],
    ['sertificate', 'certificate'],
    ['nutrishun', 'nutrition'],
    ['kemistry', 'chemistry'],
    ['rite', 'write'],
    ['kalender', 'calendar'],
  ] as const;
  for (const [written, meant] of alike) assert.equal(soundOf(written), soundOf(meant), `${written} and ${meant}`);
});

test('words that are pronounced differently have different sounds', () => {
  for (const [one, other] of [
    ['phone', 'fine'],
    ['mail', 'mole'],
    ['code', 'kid'],
    ['test', 'text'],
  ] as const)
    assert.notEqual(soundOf(one), soundOf(other), `${one} and ${other}`);
});

test('what is no word of Latin letters has no sound', () => {
  for (const term of ['', 'ab', 'k8s', '天气', 'météo']) assert.equal(soundOf(term), '');
});

test('the time for a sound grows with the length of the word alone', () => {
  assert.deepEqual(growing(soundOf, pumpsOf(['a', 'tion', 'gh', 'c', 'x'])), []);
});
