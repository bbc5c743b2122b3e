import { readVectors } from '../vectors.ts';
import type { Dice } from './dice.ts';

/** Texts and values that break what takes them at their word. */

/** Published naughty strings, without URLs: the fuzzer must not send requests to other people's servers. */
const naughty = readVectors<string[]>('blns.json').filter((text) => !/^\W*([a-z]+:)?\/\//i.test(text));

const OWN = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  '\ufeff',
  '\u202eabc',
  '\u200b',
  '\r\nx-a: b',
  '\n',
  '\t',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
  'then',
  'length',
  ...['../', '../../etc/passwd', '..%2f..%2f', '%2e%2e/', '%00', '%', '%zz', '%ff%fe', '/', '//', '\\..\\', '.', '..'],
  "' OR 1=1 --",
  '"; DROP TABLE users',
  '%%%',
  '_',
  '*',
  '?',
  '[',
  '(',
  '$where',
  '{{7*7}}',
  '<script>',
  '&amp;',
  'NaN',
  '-0',
  '1e309',
  '0x10',
  '1_0',
  '٣',
  '99999999999999999999',
  'true',
  'null',
  '[]',
  '{}',
  'undefined',
  '0'.repeat(400),
  'é'.repeat(3_000),
  'a'.repeat(70_000),
  '('.repeat(500),
  '👩‍💻'.repeat(50),
  'ﷺ',
  '\u0130İı',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '00000000-0000-0000-0000-000000000000',
  'cap_',
];

/** Addresses that nobody answers at, or that must not be asked. */
export const ADDRESSES = [
  ...['http://127.0.0.1:9/mcp', 'http://[::1]:9/', 'http://localhost:1/x', 'https://169.254.169.254/latest/meta-data'],
  ...['https://0x7f.1/', 'https://[::ffff:10.0.0.1]/', 'https://10.0.0.1:65536/', 'http://0/', 'https://a.invalid/mcp'],
  ...['file:///etc/passwd', 'javascript:alert(1)', 'http://', 'https://user:pass@a.invalid/', 'http://a.invalid:0/'],
  ...['data:text/html,x', 'skill://../../etc/passwd', 'skill://inspect-json/%2e%2e/x', 'listing://a/b', 'receipt://x'],
];

export function hostileText(dice: Dice): string {
  switch (dice.below(8)) {
    case 0:
      return dice.pick(ADDRESSES);
    case 1:
    case 2:
    case 3:
      return naughty.length === 0 ? dice.pick(OWN) : dice.pick(naughty);
    case 4:
      return noise(dice, 1 + dice.below(40));
    default:
      return dice.pick(OWN);
  }
}

/** Any UTF-16 there is, halves of pairs too. */
function noise(dice: Dice, length: number): string {
  const most = dice.pick([0x20, 0x7f, 0x100, 0x10000]);
  return Array.from({ length }, () => String.fromCharCode(dice.below(most))).join('');
}

const NUMBERS = [0, -0, -1, 1, 0.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53 + 2, -(2 ** 63), 201, 1e21];

export function hostileValue(dice: Dice, depth = 0): unknown {
  switch (dice.below(depth > 3 ? 4 : 8)) {
    case 0:
      return dice.pick<unknown>([null, true, false, { toString: 1 }, { toJSON: 'x', valueOf: null, toString: null }]);
    case 1:
      return dice.pick(NUMBERS);
    case 4:
      return Array.from({ length: dice.below(4) }, () => hostileValue(dice, depth + 1));
    case 5:
      return objectOf(
        Array.from({ length: dice.below(4) }, () => [hostileText(dice).slice(0, 50), hostileValue(dice, depth + 1)]),
      );
    case 6:
      return nested(dice.pick([3, 30, 63, 64, 65, 500]), dice.once(2));
    case 7:
      return Array.from({ length: dice.pick([10, 1_000]) }, (_, at) => at);
    default:
      return hostileText(dice);
  }
}

/** Also with members named `__proto__`, which a literal would take for something else. */
export function objectOf(members: [string, unknown][]): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, value] of members)
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

function nested(depth: number, inLists: boolean): unknown {
  let value: unknown = 'x';
  for (let at = 0; at < depth; at++) value = inLists ? [value] : { a: value };
  return value;
}
