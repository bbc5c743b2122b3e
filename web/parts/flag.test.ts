import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FLAGS, flag, flagDrawing, flagNumber } from './flag.ts';

test('there are 1,728 flags, each drawn differently within 40 by 40 and in at most 400 bytes', () => {
  assert.equal(FLAGS, 1_728);
  const drawings = Array.from({ length: FLAGS }, (_, number) => flagDrawing(number));
  assert.equal(new Set(drawings).size, FLAGS);
  for (const drawing of drawings) {
    assert.match(
      drawing,
      /^<path fill="#[0-9a-f]{6}" d="M0 0h40v40H0z"\/><path fill="#[0-9a-f]{6}" fill-rule="evenodd"(?: transform="rotate\((?:90|180|270) 20 20\)")? d="M[MLHVAZmlhvaz\d .-]+z"\/>$/,
    );
    assert.ok(drawing.length <= 400, drawing);
  }
});

test('a listing always has the same flag, whatever characters its id has', () => {
  assert.equal(flag('skill/csv-profile').html, flag('skill/csv-profile').html);
  assert.equal(flagNumber(''), flagNumber(''));
  for (const id of ['', '"><script>', '\u{1F6A2}', 'x'.repeat(4_000)])
    assert.match(flag(id).html, /^<svg class="flag l" [^<>]*aria-hidden="true"[^<>]*>(?:<path [^<>]*\/>){2}<\/svg>$/);
});

test('flags are spread evenly over similar ids', () => {
  const many = 20 * FLAGS;
  const uses = new Array<number>(FLAGS).fill(0);
  for (let number = 0; number < many; number++) {
    const at = flagNumber(`server-${number}`);
    uses[at] = (uses[at] ?? 0) + 1;
  }
  // Each flag is expected 20 times, with a deviation of 4.5.
  assert.ok(Math.min(...uses) > 0 && Math.max(...uses) < 50, `${Math.min(...uses)} to ${Math.max(...uses)}`);
});
