import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visible } from '#core/markdown/escape.ts';

/** Islands show hidden characters as the server does. */

test('server and browser show every character the same way, alone and between others', async () => {
  const island = (await import(new URL('../web/islands/visible.js', import.meta.url).href)) as {
    visible: typeof visible;
  };
  for (let from = 0; from < 0x11_0000; from += 64) {
    const chars = Array.from({ length: 64 }, (_, at) => String.fromCodePoint(from + at));
    const text = `${chars.join('')}${chars.join('a')}`;
    assert.equal(island.visible(text), visible(text), `from U+${from.toString(16)}`);
  }
  for (const text of ['👩‍👩‍👧', '❤️', '👩🏽‍💻', '1️⃣', 'a\u200Db', '\uFE0F'])
    assert.equal(island.visible(text), visible(text));
});
